//! Annotators as judges of expected answers, by their answers in reviews.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{CustomJudge, JudgeKind, JudgeSettings, PERSON_PREFIX};
use llull_core::{
    Answer, Attempt, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Reason,
    Scale, TaskKey, Unusable, Verdict,
};
use llull_judge::Rubric;
use llull_runner::{Case, Judge, JudgeIdentity};
use llull_study::people::StandingAnswers;
use llull_study::{HumanLabelsError, StudyError, StudyLedger};

/// Returns the name of an annotator as a judge: `person/anna`. No provider of models has this name.
pub fn annotator_judge_name(annotator: &str) -> String {
    format!("{PERSON_PREFIX}{annotator}")
}

/// Returns the annotator that a judge's name stands for; `None` if it is another judge's.
pub fn annotator_of_judge(name: &str) -> Option<&str> {
    name.strip_prefix(PERSON_PREFIX)
}

/// Returns the annotators with answers under this rubric in a ledger, in order of name.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub fn answering_annotators(ledger: &Path, rubric: &Rubric) -> Result<Vec<String>, StudyError> {
    let everybody = answers((rubric.hash, rubric.scale), ledger)?;
    let answering = everybody.into_iter().filter(StandingAnswers::has_any);
    Ok(answering.map(|annotator| annotator.name().to_owned()).collect())
}

fn answers(rubric: (Hash, Scale), ledger: &Path) -> Result<Vec<StandingAnswers>, StudyError> {
    let ledger = StudyLedger::File(ledger.to_owned());
    ledger.read(&mut |ledger| Ok(StandingAnswers::read(rubric, false, ledger)?))
}

/// Returns a judge for each of these annotators.
///
/// # Errors
/// Returns an error if one of them has no answer in the ledger, or it cannot be read.
pub(super) fn annotator_judges(
    annotators: &[String],
    rubric: (Hash, Scale),
    ledger: &Path,
) -> Result<Vec<JudgeSettings>, StudyError> {
    if annotators.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = answers(rubric, ledger)?;
    known.retain(StandingAnswers::has_any);
    let mut names: Vec<String> = known.iter().map(|annotator| annotator.name().to_owned()).collect();
    names.sort_unstable();
    names.dedup();
    let settings = |annotator: &String| {
        let at = known.iter().position(|known| known.name() == annotator);
        let unknown = || {
            HumanLabelsError::Problem(format!(
                "{annotator} has no answers in this ledger under this rubric; {}",
                match names.is_empty() {
                    true => "nobody has: llull review DATASET lets annotators answer".to_owned(),
                    false => format!("there are answers of {}", names.join(", ")),
                }
            ))
        };
        let answers = known.swap_remove(at.ok_or_else(unknown)?);
        let judge = ReviewAnnotator { name: annotator_judge_name(annotator), answers };
        let (name, model) = (judge.name.clone(), judge.name.clone());
        let kind = JudgeKind::Custom { judge: CustomJudge(Arc::new(judge)) };
        Ok(JudgeSettings { name, model, kind, concurrency: 1, weight: 1.0 })
    };
    annotators.iter().map(settings).collect()
}

/// An annotator who answered in a review. Their answers in the ledger count; no run asks them.
struct ReviewAnnotator {
    name: String,
    answers: StandingAnswers,
}

impl JudgeIdentity for ReviewAnnotator {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        self.answers.judge.spec()
    }

    /// An annotator answers once: the repetitions of a question have other keys, and no annotator sees them.
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

    /// An answer counts as the current one to its question; an answer that was taken back does not count.
    fn regrade(&self, attempt: &Attempt) -> Option<Outcome> {
        Some(match (self.answers.grade_of(&attempt.key), &attempt.answer.outcome) {
            (Some(grade), Outcome::Judged { verdict: Verdict::Graded(known) }) => {
                let verdict = GradedVerdict { grade, ..known.clone() };
                Outcome::Judged { verdict: Verdict::Graded(verdict) }
            }
            _ => Outcome::Unusable(Unusable { reason: Reason::NoAnswer, detail: "it was taken back".into() }),
        })
    }
}

impl Judge for ReviewAnnotator {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, _case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let why = "a person answers in a review, not in a run";
        let failure = Failure::new(FailureKind::Unauthorized, why);
        Box::pin(async move { Answer::from(failure) })
    }
}
