//! Converts a study's labels to judgments of contexts.

use std::collections::BTreeMap;

use llull_core::{Grade, Label, Status};
use llull_judge::Rubric;
use llull_runner::JudgeEvidence;
use llull_study::people::StandingAnswers;
use llull_study::{Study, StudyError, StudyEvidence};
use rustc_hash::FxHashMap;

use super::annotator::annotator_of_judge;
use super::contexts::Contexts;
use crate::expected_answers::{AnswerJudgment, AnswerQuestion, Because};

/// Returns the judgments of an [`answer_study`](crate::answer_study()): for each question, its texts in turn, and for
/// each text one judgment by each expected answer.
///
/// A match is a grade from the rubric's cutoff on. A panel's grade is its median; an even split counts as "no". An
/// adjudicator's grade precedes those of other annotators ([`settled_contexts`]). A context without a usable answer is
/// unusable, with the reason.
pub fn asked_judgments(
    questions: &[AnswerQuestion<'_>],
    evidence: &StudyEvidence,
    rubric: &Rubric,
    settled: &SettledContexts,
) -> Vec<Vec<AnswerJudgment>> {
    let contexts = Contexts::of(questions);
    let places: FxHashMap<(&str, &str), usize> = evidence
        .pooled
        .cases()
        .enumerate()
        .map(|(place, case)| ((case.topic.id.as_str(), case.document_id()), place))
        .collect();
    let one = |query: &str, expected: &str, text: &str| {
        let known = contexts.ids(query, expected, text).and_then(|(topic, document)| {
            let place = *places.get(&(topic.as_str(), document.as_str()))?;
            if let Some((annotator, grade)) = settled.0.get(&place) {
                return Some(Known::Settled(annotator, *grade));
            }
            Some(Known::At(place, evidence.labels.get(&topic, &document)))
        });
        match known {
            Some(Known::Settled(annotator, grade)) => {
                let because = Because::Said(format!("settled by {annotator}: grade {grade}").into());
                AnswerJudgment::Judged { matches: grade >= rubric.cutoff, because }
            }
            Some(Known::At(place, Some(label))) => judged(evidence, place, label, rubric),
            Some(Known::At(place, None)) => AnswerJudgment::Unusable(why_not(evidence, place)),
            None => AnswerJudgment::Unusable("not asked".to_owned()),
        }
    };
    let of = |question: &AnswerQuestion<'_>| {
        let texts = question.texts.iter();
        let by_each = |text: &&str| -> Vec<AnswerJudgment> {
            question.expected.iter().map(|expected| one(question.query, expected, text)).collect()
        };
        texts.flat_map(by_each).collect()
    };
    questions.iter().map(of).collect()
}

/// The state of a context.
enum Known<'a> {
    Settled(&'a str, Grade),
    At(usize, Option<Label>),
}

/// The contexts on which annotators disagreed and that one of them settled: by place in the pool, the name and the
/// grade.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledContexts(BTreeMap<usize, (String, Grade)>);

/// Returns the grades of adjudicators, if all judges of an [`answer_study`](crate::answer_study()) are annotators and
/// there are several: an adjudicator among them settles. With other judges, each annotator is one judge of the panel,
/// and nothing is settled.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub fn settled_contexts(
    study: &Study,
    evidence: &StudyEvidence,
    rubric: &Rubric,
) -> Result<SettledContexts, StudyError> {
    let judges = evidence.judges.judges();
    let annotators: Vec<&str> = judges.iter().filter_map(|judge| annotator_of_judge(judge.name())).collect();
    if annotators.len() < 2 || annotators.len() < judges.len() {
        return Ok(SettledContexts::default());
    }
    let rubric = (rubric.hash, rubric.scale);
    let mut known = study
        .ledger()
        .read(&mut |ledger| StandingAnswers::read(rubric, false, ledger).map_err(StudyError::from))?;
    known.retain(|annotator| annotators.contains(&annotator.name()));
    let settled = evidence.pooled.cases().enumerate().filter_map(|(place, case)| {
        let (annotator, grade) = StandingAnswers::settled(&known, &case)?;
        Some((place, (annotator.to_owned(), grade)))
    });
    Ok(SettledContexts(settled.collect()))
}

fn judged(evidence: &StudyEvidence, place: usize, label: Label, rubric: &Rubric) -> AnswerJudgment {
    let judges = evidence.judges.judges();
    let said = match judges {
        [only] => only.rationale(place).filter(|said| !said.trim().is_empty()),
        _ => None,
    };
    // With more grades than yes and no, a reader wants to see the distance from the cut.
    let graded = rubric.scale.grades().len() > 2;
    let because = match (judges, said, graded) {
        ([_], Some(said), false) => said.to_owned(),
        ([_], Some(said), true) => format!("grade {}: {said}", label.grade),
        ([_], None, false) => "it says so".to_owned(),
        ([_], None, true) => format!("grade {}", label.grade),
        (_, _, false) => {
            let yes = |judge: &&JudgeEvidence| judge.status(place).grade() >= Some(rubric.cutoff);
            let yes: Vec<&str> = judges.iter().filter(yes).map(JudgeEvidence::name).collect();
            format!("{} of {} say yes: {}", yes.len(), label.judges, yes.join(", "))
        }
        (_, _, true) => {
            let of =
                |judge: &JudgeEvidence| Some(format!("{} {}", judge.name(), judge.status(place).grade()?));
            let grades: Vec<String> = judges.iter().filter_map(of).collect();
            format!("grade {}: {}", label.grade, grades.join(", "))
        }
    };
    AnswerJudgment::Judged { matches: label.grade >= rubric.cutoff, because: Because::Said(because.into()) }
}

/// The reason why a context has no judgment: that of the first judge, since each has its own.
fn why_not(evidence: &StudyEvidence, place: usize) -> String {
    let of = |judge: &JudgeEvidence| match judge.status(place) {
        Status::Judged(_) => None,
        Status::Unusable { reason, .. } => Some(format!("{}: {reason}", judge.name())),
        Status::Refused(reason) => Some(format!("{}: its server refused the text ({reason})", judge.name())),
        Status::Failed(_) => Some(format!("{}: no request was answered", judge.name())),
        Status::NotAsked => Some(format!("{}: not asked", judge.name())),
        Status::WithoutText => Some(format!("{}: there is no text", judge.name())),
    };
    evidence.judges.judges().iter().find_map(of).unwrap_or_else(|| "no judge answered".to_owned())
}
