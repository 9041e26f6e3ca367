//! The agreement of a study's judges with annotators' comparisons.

use llull_core::{Ballots, Item, order_in_groups};
use llull_files::preferences::{JudgeAnswers, PairAnswer, PairReference, PairVotes, ReferenceError, against};
use llull_report::agreement::{JudgePreferences, PreferenceReport, PreferenceTruth};
use llull_runner::Question;
use llull_stats::Choice;
use serde::Serialize;

use crate::evidence::{StudyEvidence, ballot};
use crate::people::HumanComparisons;

/// An error of comparing judges with annotators' comparisons.
#[derive(Debug, thiserror::Error)]
pub enum AnnotatorAgreementError {
    /// All annotators who compared are named as judges.
    #[error(
        "nobody but {} compared documents of this study, and nobody is compared with their own answers: leave a name \
         out",
        .0.join(" and ")
    )]
    NobodyElse(Vec<String>),
    /// A judge's answers cannot be compared with annotators'.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// The agreement of judges with annotators' side-by-side comparisons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorAgreement {
    /// The annotators who compared, with their numbers of pairs.
    pub people: Vec<(String, usize)>,
    /// Ignored answers, whose documents left the pool or have another text.
    pub outdated: usize,
    /// The agreement on randomly drawn pairs of all that judges judged; null without a human answer.
    pub random: Option<PreferenceReport>,
    /// The agreement on pairs of other queues, which depend on judges' answers; null without a human answer.
    pub other_queues: Option<PreferenceReport>,
    /// Judges without an answer about any of the pairs that annotators compared.
    pub without: Vec<String>,
}

/// Compares every judge of a study, or those with these names, with annotators' comparisons.
///
/// The majority of several annotators is the reference. The choice of a judge that orders lists is the order of the two
/// documents in its lists, and has no shown order. A named annotator is compared with the others as a judge is, and is
/// no part of the reference.
///
/// # Errors
/// Returns an error if judges grade, a name is neither a judge's nor an annotator's, or there is no human comparison.
/// Also if all annotators are named, or the confidence is invalid.
pub fn annotator_agreement(
    evidence: &StudyEvidence,
    comparisons: HumanComparisons,
    named: &[String],
    confidence: f64,
) -> Result<AnnotatorAgreement, AnnotatorAgreementError> {
    if evidence.compared().is_none() {
        return Err(AnnotatorAgreementError::Problem(
            "judges of this study grade, so human comparisons cannot check them: let annotators grade, too (llull \
             sample), or set paradigm = \"pairwise\" or \"listwise\""
                .to_owned(),
        ));
    }
    let known = || evidence.judges.judges().iter().map(|judge| judge.name().to_owned());
    let has_compared = |name: &str| comparisons.annotators.iter().any(|(annotator, _)| annotator == name);
    let is_judge = |name: &str| known().any(|judge| judge == name);
    if let Some(unknown) = named.iter().find(|name| !is_judge(name) && !has_compared(name)) {
        let names = comparisons.annotators.iter().map(|(name, _)| name.clone());
        let known: Vec<String> = known().chain(names).collect();
        return Err(AnnotatorAgreementError::Problem(format!(
            "{unknown:?} is no judge of this study and nobody who compared its documents; there are {}",
            known.join(", ")
        )));
    }
    let named_annotators: Vec<&String> = named.iter().filter(|name| !is_judge(name)).collect();
    let as_judges: Vec<(&str, HumanComparisons)> = named_annotators
        .iter()
        .map(|name| (name.as_str(), comparisons.only(&|annotator| annotator == *name)))
        .collect();
    if !named_annotators.is_empty()
        && comparisons.annotators.iter().all(|(name, _)| named_annotators.contains(&name))
    {
        return Err(AnnotatorAgreementError::NobodyElse(named_annotators.into_iter().cloned().collect()));
    }
    let comparisons = comparisons.only(&|annotator| named_annotators.iter().all(|name| *name != annotator));
    if comparisons.drawn.is_empty() && comparisons.chosen.is_empty() {
        return Err(AnnotatorAgreementError::Problem(
            "nobody has compared documents of this study under its rubric yet: llull review --as NAME shows two side \
             by side"
                .to_owned(),
        ));
    }
    let who = comparisons
        .annotators
        .iter()
        .map(|(name, pairs)| format!("{name} {pairs}"))
        .collect::<Vec<_>>()
        .join(", ");
    let mut heard: Vec<String> = Vec::new();
    let mut report =
        |of: fn(&HumanComparisons) -> &Ballots| -> Result<Option<PreferenceReport>, AnnotatorAgreementError> {
            let ballots = of(&comparisons);
            if ballots.is_empty() {
                return Ok(None);
            }
            let truth = PairReference::Comparisons(PairVotes::of(ballots));
            let mut judges = Vec::new();
            let of_people = as_judges.iter().map(|(name, said)| answers_of_annotator(name, of(said), &truth));
            for answers in answers_about(evidence, &truth, named).into_iter().chain(of_people) {
                if !answers.answers.is_empty() {
                    let found = against(&truth, &answers, confidence)?;
                    heard.push(answers.judge.clone());
                    judges.push(JudgePreferences::new(answers.judge, found.unknown, &found.agreement));
                }
            }
            let truth = PreferenceTruth { file: format!("people: {who}"), pairs: truth.decided() };
            Ok(Some(PreferenceReport { truth, confidence, judges }))
        };
    let (random, other_queues) =
        (report(|comparisons| &comparisons.drawn)?, report(|comparisons| &comparisons.chosen)?);
    let asked = known().filter(|name| named.is_empty() || named.contains(name));
    let asked = asked.chain(as_judges.iter().map(|(name, _)| (*name).to_owned()));
    let without = asked.filter(|name| !heard.contains(name)).collect();
    Ok(AnnotatorAgreement {
        people: comparisons.annotators,
        outdated: comparisons.outdated,
        random,
        other_queues,
        without,
    })
}

/// An annotator's answers about the pairs of a reference, without their shown order.
fn answers_of_annotator(annotator: &str, said: &Ballots, truth: &PairReference) -> JudgeAnswers {
    let mut answers = Vec::new();
    for (topic, of_topic) in said.iter() {
        for ballot in &of_topic.ballots {
            let (first, second, choice) = match ballot.groups.iter().map(Vec::as_slice).collect::<Vec<_>>()[..]
            {
                [[first], [second]] => (first, second, Choice::First),
                [[first, second]] => (first, second, Choice::Neither),
                _ => continue,
            };
            let Some((first, second)) = of_topic.id(*first).zip(of_topic.id(*second)) else { continue };
            if truth.choice(topic, first, second).is_some() {
                answers.push(PairAnswer {
                    topic: topic.map(str::to_owned),
                    first: first.to_owned(),
                    second: second.to_owned(),
                    sides: false,
                    choice: Some(choice),
                });
            }
        }
    }
    JudgeAnswers { judge: annotator.to_owned(), answers, lists: false }
}

/// Judges' votes about the pairs of a reference.
pub(super) fn answers_about(
    evidence: &StudyEvidence,
    truth: &PairReference,
    named: &[String],
) -> Vec<JudgeAnswers> {
    let judges = evidence.judges.judges().iter();
    let chosen = judges.filter(|judge| named.is_empty() || named.iter().any(|name| name == judge.name()));
    let of_judge = chosen.map(|judge| {
        let mut answers = Vec::new();
        for (at, question) in evidence.judges.questions().enumerate() {
            let status = judge.status(at);
            if let Some(verdict) = status.order() {
                let shown: Vec<Item> = (0..question.documents.len()).map(Item::at).collect();
                let cast = ballot(&shown, verdict);
                each_pair(evidence, question, truth, &mut |answer, first, second| {
                    let order = order_in_groups(&cast.groups, &Item::at(first), &Item::at(second));
                    answers.extend(order.map(|order| PairAnswer { choice: Some(order.into()), ..answer }));
                });
            } else if matches!(status, llull_core::Status::Unusable { .. } | llull_core::Status::Refused(_)) {
                each_pair(evidence, question, truth, &mut |answer, _, _| answers.push(answer));
            }
        }
        JudgeAnswers { judge: judge.name().to_owned(), answers, lists: false }
    });
    of_judge.collect()
}

/// Calls `work` with every two documents of a question that the reference has, as an answer without a choice yet, and
/// with their places in the question.
fn each_pair(
    evidence: &StudyEvidence,
    question: Question<'_>,
    truth: &PairReference,
    work: &mut dyn FnMut(PairAnswer, usize, usize),
) {
    let Some(topic) = evidence.pooled.topic(question.topic) else { return };
    let id = |at| evidence.pooled.document(at).map(llull_runner::PooledDocument::id);
    let ids: Vec<&str> = question.documents.iter().filter_map(|at| id(*at)).collect();
    for (at, first) in ids.iter().enumerate() {
        for (other, second) in ids.iter().enumerate().skip(at + 1) {
            if truth.choice(Some(&topic.id), first, second).is_some() {
                let answer = PairAnswer {
                    topic: Some(topic.id.clone()),
                    first: (*first).to_owned(),
                    second: (*second).to_owned(),
                    sides: ids.len() == 2,
                    choice: None,
                };
                work(answer, at, other);
            }
        }
    }
}
