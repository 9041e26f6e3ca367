//! Compares a judge's pairwise answers with a reference.

use indexmap::IndexMap;
use llull_stats::{Choice, JudgedPair, PreferenceAgreement, StatsError, preference_agreement};

use super::answer_files::{JudgeAnswers, PairAnswer};
use super::reference::PairReference;

/// An error of comparing a judge's answers with a reference.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The reference has none of the pairs.
    #[error(
        "{judge}: the reference does not know a single one of the pairs asked about.{reason} Queries and documents \
         need \
         the same identifiers on both sides"
    )]
    NothingInCommon {
        /// The judge.
        judge: String,
        /// A possible reason: a sentence after a space, or empty.
        reason: String,
    },
    /// The options of the intervals are invalid.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// A judge's answers compared with a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct AgainstReference {
    /// The number of judged pairs that the reference lacks. No figure counts them.
    pub unknown: u64,
    /// The figures over the pairs of the reference.
    pub agreement: PreferenceAgreement,
}

/// Compares a judge's answers with a reference. The first order of a pair in the answers is the
/// [shown](llull_stats::Mode::Shown) one, the other one is [swapped](llull_stats::Mode::Swapped).
///
/// # Errors
/// Returns an error if no pair is in both, or if the confidence of the intervals is invalid.
pub fn against(
    reference: &PairReference,
    judge: &JudgeAnswers,
    confidence: f64,
) -> Result<AgainstReference, ReferenceError> {
    let mut pairs: IndexMap<(Option<&str>, &str, &str), Option<JudgedPair>> = IndexMap::new();
    for answer in &judge.answers {
        let (topic, first, second) = (answer.topic.as_deref(), answer.first.as_str(), answer.second.as_str());
        if let Some(pair) = pairs.get_mut(&(topic, second, first)) {
            count(pair, answer, true);
            continue;
        }
        let pair = pairs
            .entry((topic, first, second))
            .or_insert_with(|| reference.choice(topic, first, second).map(JudgedPair::new));
        count(pair, answer, false);
    }
    let known: Vec<JudgedPair> = pairs.values().flatten().copied().collect();
    if known.is_empty() {
        return Err(nothing_in_common(reference, judge));
    }
    let unknown = (pairs.len() - known.len()) as u64;
    Ok(AgainstReference { unknown, agreement: preference_agreement(&known, confidence)? })
}

fn count(pair: &mut Option<JudgedPair>, answer: &PairAnswer, turned: bool) {
    let Some(pair) = pair else { return };
    let choice = answer.choice.map(|choice| match choice {
        Choice::First if turned => Choice::Second,
        Choice::Second if turned => Choice::First,
        same => same,
    });
    if turned && answer.sides { pair.swapped.add(choice) } else { pair.shown.add(choice) }
}

fn nothing_in_common(reference: &PairReference, judge: &JudgeAnswers) -> ReferenceError {
    let asked = judge.answers.first();
    let named = asked.is_some_and(|answer| answer.topic.is_some());
    let reason = match (reference.names_topics(), named) {
        (true, false) => " The reference names queries and the answers do not.".to_owned(),
        (false, true) => " The answers name queries and the reference does not.".to_owned(),
        _ => asked.map_or_else(String::new, |answer| {
            let PairAnswer { topic, first, second, .. } = answer;
            let query = topic.as_ref().map_or_else(String::new, |topic| format!(" of query {topic:?}"));
            format!(" The first judged pair is {first:?} and {second:?}{query}.")
        }),
    };
    ReferenceError::NothingInCommon { judge: judge.judge.clone(), reason }
}

#[cfg(test)]
mod tests {
    use llull_core::Qrels;
    use llull_stats::Mode;

    use super::*;

    fn answer(first: &str, second: &str, choice: Option<Choice>) -> PairAnswer {
        let [topic, first, second] = ["q1", first, second].map(str::to_owned);
        PairAnswer { topic: Some(topic), first, second, sides: true, choice }
    }

    fn compared(answers: Vec<PairAnswer>) -> Result<AgainstReference, ReferenceError> {
        let mut labels = Qrels::default();
        for (document, grade) in [("a", 3), ("b", 1), ("c", 1)] {
            labels.insert("q1", document, grade);
        }
        against(
            &PairReference::Labels(labels),
            &JudgeAnswers { judge: "j".into(), answers, lists: false },
            0.95,
        )
    }

    const FIRST: Option<Choice> = Some(Choice::First);
    const SECOND: Option<Choice> = Some(Choice::Second);

    #[test]
    fn the_other_order_is_the_same_pair() {
        // the first answer shows b before a, so (b, a) is the shown order; both answers are for a
        let both = compared(vec![answer("b", "a", SECOND), answer("a", "b", FIRST)]).unwrap();
        let modes: Vec<_> = both.agreement.modes.iter().map(|mode| (mode.mode, mode.recall.share)).collect();
        assert_eq!(
            modes,
            [(Mode::Shown, Some(1.0)), (Mode::Swapped, Some(1.0)), (Mode::DoubleCheck, Some(1.0))]
        );
        // twice what stands on the left
        let left = compared(vec![answer("b", "a", FIRST), answer("a", "b", FIRST)]).unwrap();
        let swap = left.agreement.swap.unwrap();
        assert_eq!((swap.consistency.share, swap.first_position.share), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn without_sides_all_answers_are_votes_in_one_order() {
        let unsided = |first, second, choice| PairAnswer { sides: false, ..answer(first, second, choice) };
        let votes =
            compared(vec![unsided("a", "b", FIRST), unsided("b", "a", FIRST), unsided("b", "a", SECOND)])
                .unwrap();
        assert_eq!((votes.agreement.modes.len(), votes.agreement.swap), (1, None));
        let mode = votes.agreement.modes[0];
        assert_eq!((mode.n, mode.calls, mode.precision.share), (1, 3, Some(1.0)));
    }

    #[test]
    fn pairs_that_the_reference_ties_or_does_not_know_are_counted_apart() {
        let some =
            compared(vec![answer("a", "b", None), answer("b", "c", FIRST), answer("a", "x", FIRST)]).unwrap();
        assert_eq!((some.unknown, some.agreement.tied.n, some.agreement.tied.count), (1, 1, 1));
        let mode = some.agreement.modes[0];
        assert_eq!((mode.n, mode.unusable, mode.precision.share), (1, 1, None));
    }

    #[test]
    fn nothing_in_common_is_an_error_that_says_what_was_asked() {
        let error = compared(vec![answer("x", "y", FIRST)]).unwrap_err().to_string();
        assert!(
            error.contains("not know a single one") && error.contains("\"x\" and \"y\" of query \"q1\""),
            "{error}"
        );
        let unnamed = PairAnswer { topic: None, ..answer("a", "b", FIRST) };
        let error = compared(vec![unnamed]).unwrap_err().to_string();
        assert!(error.contains("names queries and the answers do not"), "{error}");
    }
}
