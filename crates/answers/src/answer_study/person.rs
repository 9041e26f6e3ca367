//! People as judges of expected answers: what they said in a review.

use std::collections::BTreeSet;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{CustomJudge, JudgeKind, JudgeSettings, PERSON};
use llull_core::{
    Attempt, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Reason, Scale,
    TaskKey, Unusable, Verdict,
};
use llull_judge::Rubric;
use llull_runner::{Answer, Case, Judge, JudgeIdentity};
use llull_study::people::StandingAnswers;
use llull_study::{PeopleError, StudyError, StudyLedger};

/// Returns the name under which a person is a judge: `person/anna`. No provider of models is called so.
pub fn person_judge_name(person: &str) -> String {
    format!("{PERSON}{person}")
}

/// Returns the person whom a judge's name means; `None` if it is no person's.
pub fn person_of_judge(name: &str) -> Option<&str> {
    name.strip_prefix(PERSON)
}

/// Returns who has answered under this rubric, by what a ledger has; in order of name.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub fn answering_people(ledger: &Path, rubric: &Rubric) -> Result<Vec<String>, StudyError> {
    let everybody = answers((rubric.hash, rubric.scale), ledger)?;
    let answering = everybody.into_iter().filter(StandingAnswers::has_any);
    Ok(answering.map(|person| person.name().to_owned()).collect())
}

fn answers(rubric: (Hash, Scale), ledger: &Path) -> Result<Vec<StandingAnswers>, StudyError> {
    let ledger = StudyLedger::File(ledger.to_owned());
    ledger.read(&mut |ledger| Ok(StandingAnswers::read(rubric, false, ledger)?))
}

/// Returns the judges that these people are.
///
/// # Errors
/// Returns an error if one of them has no answer in the ledger, or it cannot be read.
pub(super) fn person_judges(
    people: &[String],
    rubric: (Hash, Scale),
    ledger: &Path,
) -> Result<Vec<JudgeSettings>, StudyError> {
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = answers(rubric, ledger)?;
    known.retain(StandingAnswers::has_any);
    let names: BTreeSet<String> = known.iter().map(|person| person.name().to_owned()).collect();
    let settings = |person: &String| {
        let at = known.iter().position(|known| known.name() == person);
        let unknown = || PeopleError::NoAnswers { person: person.clone(), known: names.clone() };
        let answers = known.swap_remove(at.ok_or_else(unknown)?);
        let judge = PersonJudge { name: person_judge_name(person), answers };
        let (name, model) = (judge.name.clone(), judge.name.clone());
        let kind = JudgeKind::Custom { judge: CustomJudge(Arc::new(judge)) };
        Ok(JudgeSettings { name, model, kind, concurrency: 1, weight: 1.0 })
    };
    people.iter().map(settings).collect()
}

/// A person who answered in a review. What the ledger has of them is read and counted; a run asks them nothing.
struct PersonJudge {
    name: String,
    answers: StandingAnswers,
}

impl JudgeIdentity for PersonJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        self.answers.judge.spec()
    }

    /// A person answers once: a question that judges are asked again is another, which nobody was shown.
    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let key = self.answers.judge.key(case, 0);
        match sample {
            0 => key,
            again => {
                let builder = KeyBuilder::new("llull person asked again v1").part("key", &key.0);
                builder.number("sample", again.into()).finish()
            }
        }
    }

    fn in_process(&self) -> bool {
        true
    }

    fn regrades(&self) -> bool {
        true
    }

    /// An answer counts as what stands of its question now: one that was taken back is none.
    fn regrade(&self, attempt: &Attempt) -> Option<Outcome> {
        Some(match (self.answers.grade_of(&attempt.key), &attempt.outcome) {
            (Some(grade), Outcome::Judged { verdict: Verdict::Graded(known) }) => {
                let verdict = GradedVerdict { grade, ..known.clone() };
                Outcome::Judged { verdict: Verdict::Graded(verdict) }
            }
            _ => Outcome::Unusable(Unusable { reason: Reason::NoAnswer, detail: "it was taken back".into() }),
        })
    }
}

impl Judge for PersonJudge {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, _case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let why = "a person answers in a review, and is not asked by a run";
        let failure = Failure::new(FailureKind::Unauthorized, why);
        Box::pin(async move { Answer::failed(failure) })
    }
}
