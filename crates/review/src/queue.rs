//! Queues: the pairs for annotators, and their order.

use std::fmt;
use std::sync::Arc;

use llull_core::Qrels;
use llull_runner::{ExpectedAnswers, Workload};
use llull_study::people::{ADJUDICATE_QUEUE, AnswerKind, RANDOM_QUEUE, SAMPLE_QUEUE, StudySample};
use llull_study::{FlaggedPairs, StudyEvidence};

use crate::item::QueuedItem;
use crate::verdict::ReviewForm;

/// The source of the pairs of a review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReviewQueue {
    /// The study's sample, in random order: its labels correct figures.
    #[default]
    Sample,
    /// Randomly drawn pairs on which annotators disagree, for this annotator, who answered none of them and settles
    /// them.
    ///
    /// They are pairs of the sample, or others in random order. The annotator's answer is the label of the pair. Where
    /// judges compare, they are comparisons, unless pairs of the sample are to be settled. The queue follows the
    /// ledger: pairs come and go as annotators answer, each at its own place.
    Adjudicate(String),
    /// All pairs of the pool, in random order: the answered ones are a random sample of them. Where judges compare,
    /// they are the pairs of documents that judges saw together.
    Random,
    /// Pairs with the largest disagreement of a panel's judges, in descending order. Where judges compare, pairs on
    /// which the judges, or one judge's answers, differ.
    Disagreement,
    /// Pairs of documents inside a cycle, to compare.
    Cycles,
    /// Pairs without a label or a comparison, because judges failed or their replies were unparsable.
    Failures,
    /// Pairs behind failed judge checks.
    Checks,
    /// The pairs of one query, by its identifier; with expected answers, by its text.
    Query(String),
}

/// The input of queues.
pub(crate) struct QueueSource<'a> {
    pub(crate) evidence: &'a StudyEvidence,
    pub(crate) sample: Option<&'a StudySample>,
    /// Existing labels, whose pairs need no annotator.
    pub(crate) kept: Option<&'a Qrels>,
    /// The pairs behind failed judge checks, for a queue of them.
    pub(crate) flagged: Option<FlaggedPairs>,
    /// The expected answers, if topics stand for a query and an expected answer.
    pub(crate) expected: Option<Arc<ExpectedAnswers>>,
}

impl QueueSource<'_> {
    /// Returns whether a topic is this query, or stands for an expected answer to it.
    pub(crate) fn is_of(&self, topic: &str, query: &str) -> bool {
        match &self.expected {
            Some(expected) => expected.get(topic).is_some_and(|(question, _)| question == query),
            None => topic == query,
        }
    }
}

/// The pairs of a queue in their order.
pub(crate) struct Queued {
    /// The questions; the queue refers to them by place.
    pub(crate) asked: Arc<Workload>,
    pub(crate) items: Vec<QueuedItem>,
    pub(crate) form: ReviewForm,
}

/// The options of a review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The queue.
    pub queue: ReviewQueue,
    /// The wanted number of annotators for each pair; `None` for no limit.
    pub overlap: Option<usize>,
    /// The maximum number of pairs of a queue other than the sample.
    pub most: Option<usize>,
    /// The expected answers, if topics stand for a query and an expected answer. Annotators see both separately.
    pub expected: Option<Arc<ExpectedAnswers>>,
}

impl ReviewQueue {
    /// Returns the purpose of answers to its pairs.
    pub(crate) fn kind(&self) -> AnswerKind {
        match self {
            Self::Sample | Self::Random => AnswerKind::Sampled,
            Self::Adjudicate(_) => AnswerKind::Settling,
            Self::Disagreement | Self::Cycles | Self::Failures | Self::Checks | Self::Query(_) => {
                AnswerKind::Picked
            }
        }
    }

    /// Returns its name: `sample`, `adjudicate`, `random`, `disagreement`, `cycles`, `failures`, `checks`, `query`. It
    /// is recorded with every answer.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sample => SAMPLE_QUEUE,
            Self::Adjudicate(_) => ADJUDICATE_QUEUE,
            Self::Random => RANDOM_QUEUE,
            Self::Disagreement => "disagreement",
            Self::Cycles => "cycles",
            Self::Failures => "failures",
            Self::Checks => "checks",
            Self::Query(_) => "query",
        }
    }

    /// Returns the queue of this [`name`](Self::name) for an annotator. A `query` queue names no query: the pairs of a
    /// sheet themselves show whose they are.
    pub fn of_name(name: &str, annotator: &str) -> Option<Self> {
        [
            Self::Sample,
            Self::Adjudicate(annotator.to_owned()),
            Self::Random,
            Self::Disagreement,
            Self::Cycles,
            Self::Failures,
            Self::Checks,
            Self::Query(String::new()),
        ]
        .into_iter()
        .find(|queue| queue.name() == current_name(name))
    }

    /// Returns whether its pairs are drawn at random, independently of judges.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Sample | Self::Random)
    }
}

/// Returns the name of a queue that sheets and answers of earlier builds may have under another one.
pub(crate) fn current_name(name: &str) -> &str {
    match name {
        "alarm" => "checks",
        "circles" => "cycles",
        name => name,
    }
}

impl fmt::Display for ReviewQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query(query) => write!(f, "query {query}"),
            queue => f.write_str(queue.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_an_earlier_build_is_of_the_renamed_queue() {
        let queue = |name| ReviewQueue::of_name(name, "anna");
        assert_eq!([queue("alarm"), queue("checks")], [Some(ReviewQueue::Checks), Some(ReviewQueue::Checks)]);
        assert_eq!(
            [queue("circles"), queue("cycles")],
            [Some(ReviewQueue::Cycles), Some(ReviewQueue::Cycles)]
        );
        assert_eq!(queue("other"), None);
    }
}
