//! The section of a report that compares judges and tiers with annotators.

use llull_core::Ballots;
use llull_files::preferences::{JudgeAnswers, PairAnswer, PairReference, PairVotes, ReferenceError, against};
use llull_report::{AnnotatorPairs, AnnotatorPreferenceAgreement, ComparedByAnnotators, PreferencesAlike};
use llull_runner::PooledDocument;
use llull_stats::{Choice, Mode};

use super::annotator_agreement::answers_about;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::people::HumanComparisons;

/// The name of all judges' tiers, among the judges.
const TIERS: &str = "tiers";

/// Returns the agreement of judges and tiers with annotators' side-by-side comparisons; `None` if judges grade, or
/// there is no such comparison.
///
/// # Errors
/// Returns an error if the confidence is invalid.
pub(crate) fn human_preferences_of(
    evidence: &StudyEvidence,
    confidence: f64,
) -> Result<Option<ComparedByAnnotators>, StudyError> {
    let Some(HumanComparisons { drawn, chosen, annotators, adjudicators, outdated, .. }) =
        evidence.comparisons()
    else {
        return Ok(None);
    };
    if drawn.is_empty() && chosen.is_empty() && *outdated == 0 {
        return Ok(None);
    }
    let named = |annotators: &[(String, usize)]| {
        let named = annotators.iter().cloned().map(|(name, pairs)| AnnotatorPairs { name, pairs });
        named.collect()
    };
    Ok(Some(ComparedByAnnotators {
        people: named(annotators),
        adjudicators: named(adjudicators),
        outdated: *outdated,
        confidence,
        random: beside(evidence, drawn, confidence)?,
        other_queues: beside(evidence, chosen, confidence)?,
    }))
}

fn beside(
    evidence: &StudyEvidence,
    ballots: &Ballots,
    confidence: f64,
) -> Result<Option<AnnotatorPreferenceAgreement>, StudyError> {
    if ballots.is_empty() {
        return Ok(None);
    }
    let votes = PairVotes::of(ballots);
    let by_tiers =
        JudgeAnswers { judge: TIERS.to_owned(), answers: tiers_about(evidence, &votes), lists: false };
    let truth = PairReference::Comparisons(votes);
    let decided = truth.decided();
    let alike = |answers: JudgeAnswers| -> Result<Option<PreferencesAlike>, StudyError> {
        if answers.answers.is_empty() {
            return Ok(None);
        }
        let found = match against(&truth, &answers, confidence) {
            Ok(found) => found.agreement,
            Err(ReferenceError::NothingInCommon { .. }) => return Ok(None),
            Err(ReferenceError::Stats(error)) => return Err(error.into()),
        };
        let double = found.modes.iter().find(|mode| mode.mode == Mode::DoubleCheck);
        let whole = |mode: &&llull_stats::ModeAgreement| found.modes.iter().all(|other| other.n <= mode.n);
        // Pairs that were judged in one order only have no double check.
        let mode = double.filter(whole).or(found.modes.first());
        Ok(mode.map(|mode| PreferencesAlike {
            judge: answers.judge,
            n: mode.n,
            decided: mode.coverage.count,
            alike: mode.precision.count,
            share: mode.precision.share,
            low: mode.precision.low,
            high: mode.precision.high,
        }))
    };
    let mut judges = Vec::new();
    for answers in answers_about(evidence, &truth, &[]) {
        judges.extend(alike(answers)?);
    }
    Ok(Some(AnnotatorPreferenceAgreement { decided, judges, tiers: alike(by_tiers)? }))
}

/// The tiers' choices for the annotators' pairs: for two documents in one tier, neither.
fn tiers_about(evidence: &StudyEvidence, votes: &PairVotes) -> Vec<PairAnswer> {
    let mut answers = Vec::new();
    for query in evidence.compared().into_iter().flatten() {
        let Some(topic) = evidence.pooled.topic(query.topic) else { continue };
        let tiers = query.tiers();
        let id = |at| evidence.pooled.document(at).map_or("", PooledDocument::id);
        let tier = |wanted: &str| tiers.iter().find(|(at, _)| id(**at) == wanted).map(|(_, tier)| *tier);
        for (first, second) in votes.of_topic(&topic.id) {
            let Some((one, other)) = tier(first).zip(tier(second)) else { continue };
            let choice = Choice::from(one.cmp(&other));
            let (first, second) = (first.to_owned(), second.to_owned());
            let topic = Some(topic.id.clone());
            answers.push(PairAnswer { topic, first, second, sides: false, choice: Some(choice) });
        }
    }
    answers
}
