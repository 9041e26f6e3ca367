//! Queues: which pairs people are shown, and in which order.

use std::fmt;
use std::sync::Arc;

use llull_core::Qrels;
use llull_runner::{ExpectedAnswers, Workload};
use llull_study::people::{ADJUDICATE_QUEUE, AnswerKind, RANDOM_QUEUE, SAMPLE_QUEUE, StudySample};
use llull_study::{AlarmedPairs, StudyEvidence};

use crate::item::QueuedItem;
use crate::verdict::ReviewForm;

/// Where pairs come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReviewQueue {
    /// The study's sample, in random order: its labels correct figures.
    #[default]
    Sample,
    /// The pairs of the sample, or others in random order, on which people disagree, in random order, for this person,
    /// who answered none of them: what the person says of one is what counts of it. Where judges compare they are
    /// comparisons, unless there are pairs of the sample to settle. It follows the ledger: pairs come and go as people
    /// answer, each at its own place.
    Adjudicate(String),
    /// All pairs of the pool, in random order: what is answered of them is a random sample of them. Where judges
    /// compare, pairs of documents that they were shown together.
    Random,
    /// Pairs on which the grades of a panel's judges are furthest apart, those first. Where judges compare: on which
    /// judges, or one judge's answers, differ.
    Disagreement,
    /// Pairs of documents that lead each other in a circle, to compare.
    Circles,
    /// Pairs without a label, or without a comparison, because judges failed or what they wrote could not be read.
    Failures,
    /// Pairs behind the alarms that ring about judges.
    Alarm,
    /// The pairs of one query, by its identifier; of expected answers by its text.
    Query(String),
}

/// What queues are made from.
pub(crate) struct QueueSource<'a> {
    pub(crate) evidence: &'a StudyEvidence,
    pub(crate) sample: Option<&'a StudySample>,
    /// Labels that exist: their pairs need nobody.
    pub(crate) kept: Option<&'a Qrels>,
    /// Those behind the alarms that ring, where these are asked for.
    pub(crate) alarmed: Option<AlarmedPairs>,
    /// What is expected, where topics stand for a query and an expected answer.
    pub(crate) expected: Option<Arc<ExpectedAnswers>>,
}

impl QueueSource<'_> {
    /// Returns whether a topic is this query, or stands for an answer that is expected to it.
    pub(crate) fn is_of(&self, topic: &str, query: &str) -> bool {
        match &self.expected {
            Some(expected) => expected.get(topic).is_some_and(|(question, _)| question == query),
            None => topic == query,
        }
    }
}

/// The pairs of a queue in their order.
pub(crate) struct Queued {
    /// The questions; those of the queue are places in it.
    pub(crate) asked: Arc<Workload>,
    pub(crate) items: Vec<QueuedItem>,
    pub(crate) form: ReviewForm,
}

/// What people are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewOptions {
    /// Where pairs come from.
    pub queue: ReviewQueue,
    /// How many people are to answer each pair; as many as come where it is `None`.
    pub overlap: Option<usize>,
    /// How many pairs a queue that is no sample has at most.
    pub most: Option<usize>,
    /// What is expected, where topics stand for a query and an expected answer: people are shown both apart.
    pub expected: Option<Arc<ExpectedAnswers>>,
}

impl ReviewQueue {
    /// Returns what answers to its pairs count for.
    pub(crate) fn kind(&self) -> AnswerKind {
        match self {
            Self::Sample | Self::Random => AnswerKind::Sampled,
            Self::Adjudicate(_) => AnswerKind::Settling,
            Self::Disagreement | Self::Circles | Self::Failures | Self::Alarm | Self::Query(_) => {
                AnswerKind::Picked
            }
        }
    }

    /// Returns its name: `sample`, `adjudicate`, `random`, `disagreement`, `circles`, `failures`, `alarm`, `query`. It
    /// is recorded with every answer.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sample => SAMPLE_QUEUE,
            Self::Adjudicate(_) => ADJUDICATE_QUEUE,
            Self::Random => RANDOM_QUEUE,
            Self::Disagreement => "disagreement",
            Self::Circles => "circles",
            Self::Failures => "failures",
            Self::Alarm => "alarm",
            Self::Query(_) => "query",
        }
    }

    /// Returns whether its pairs are drawn by chance, whatever judges say of them.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Sample | Self::Random)
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
