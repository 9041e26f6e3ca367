//! Query by query: the figures of every system and the documents behind them.

use std::collections::BTreeMap;

use llull_metrics::{Cell, Scores, TopicScores};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::{TopicTournament, numbers::finite};

/// One topic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicDetail {
    /// Its identifier.
    pub id: String,
    /// What the searcher typed.
    pub text: String,
    /// Pooled documents of this topic.
    pub pooled: usize,
    /// How many of them have a label.
    pub labelled: usize,
    /// How many reach the lowest grade that says "relevant", which is the rubric's cutoff unless the report's
    /// `tournaments` name another; null where no grade says so.
    pub relevant: Option<usize>,
    /// What a reader should know, such as that no document reaches the cutoff.
    pub note: Option<String>,
    /// Every system's values, in the order of the report's `systems`; empty for a topic without any label.
    pub systems: Vec<TopicSystem>,
    /// What the comparisons found; absent where every judge grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TopicTournament>,
    /// The pooled documents, best label first.
    pub documents: Vec<DocumentDetail>,
}

/// One system on one topic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSystem {
    /// The system.
    pub system: String,
    /// Whether its run answers the topic; if not, its values are 0.
    pub answered: bool,
    /// One value a measure, in the order of the system's `figures`.
    pub values: Vec<TopicValue>,
}

/// One measure of one system on one topic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicValue {
    /// The value; null when it is not a finite number.
    pub value: Option<f64>,
    /// How many documents the measure looked at.
    pub seen: u32,
    /// How many of them have no label.
    pub unjudged: u32,
}

/// One pooled document of a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentDetail {
    /// Its identifier.
    pub id: String,
    /// Its title, or its first words.
    pub title: String,
    /// Its label; null when no judge gave a usable verdict.
    pub grade: Option<i32>,
    /// The number of its tier, from 1 for the best; absent where no judge compares, or it is in no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<u32>,
    /// Each judge's answer, in the order of `study.judges`; that of a judge that compares is empty, since its answers are
    /// about several documents at once.
    pub answers: Vec<JudgeAnswer>,
    /// At which rank each system returned it, from 1, in the order of `systems`; null where it did not.
    pub ranks: Vec<Option<u32>>,
}

/// What one judge said of one document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeAnswer {
    /// The grade; null when there is none.
    pub grade: Option<i32>,
    /// Why there is none: a reason or kind of failure as the ledger names it, or `not_asked`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The judge's explanation, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// Where a report's topics come from, as often as they are asked for.
pub trait TopicSource: Serialize {
    /// Shows every topic to `visit`, in the report's order.
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail));
}

impl TopicSource for Vec<TopicDetail> {
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail)) {
        self.iter().for_each(visit);
    }
}

/// Topics that are built one by one while a report is written, each time it is written, and then dropped.
/// The function must return equal topics every time.
///
/// ```
/// use llull_report::{Streamed, TopicDetail, TopicSource};
/// let topics = Streamed(|| (1..=3).map(|n| TopicDetail { id: format!("q{n}"), ..Default::default() }));
/// let mut seen = Vec::new();
/// topics.visit(&mut |topic| seen.push(topic.id.clone()));
/// assert_eq!(seen, ["q1", "q2", "q3"]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Streamed<F>(pub F);

impl<F, I> Serialize for Streamed<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = TopicDetail>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

impl<F, I> TopicSource for Streamed<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = TopicDetail>,
{
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail)) {
        self.0().into_iter().for_each(|topic| visit(&topic));
    }
}

/// Looks up every system's values on a topic, however many topics there are.
///
/// A topic without any label is in no [`Scores`], so no system has values there.
#[derive(Debug, Clone)]
pub struct TopicIndex<'a> {
    systems: Vec<(&'a str, BTreeMap<&'a str, &'a TopicScores>)>,
}

impl<'a> TopicIndex<'a> {
    /// The index of these systems' scores.
    pub fn new(scores: &'a [Scores]) -> Self {
        let by_topic = |scores: &'a Scores| {
            (scores.run.as_str(), scores.topics.iter().map(|topic| (topic.topic.as_str(), topic)).collect())
        };
        Self { systems: scores.iter().map(by_topic).collect() }
    }

    /// The values of every system that was measured on the topic, in the order of the scores.
    pub fn systems(&self, topic: &str) -> Vec<TopicSystem> {
        let value =
            |cell: &Cell| TopicValue { value: finite(cell.value), seen: cell.seen, unjudged: cell.unjudged };
        let measured = self.systems.iter().filter_map(|(name, topics)| Some((name, topics.get(topic)?)));
        measured
            .map(|(name, scores)| TopicSystem {
                system: (*name).to_owned(),
                answered: scores.answered,
                values: scores.cells.iter().map(value).collect(),
            })
            .collect()
    }
}

/// What a reader of a topic's figures should know: that nothing was pooled, that nothing is labelled, that no
/// document reaches the cutoff (so every measure that counts from there is 0, whatever a system does; nDCG still tells
/// lower grades apart), or that labels are missing. Without a cutoff, where no grade says "relevant", `relevant` is not
/// looked at.
pub fn topic_note(
    pooled: usize,
    labelled: usize,
    relevant: usize,
    cutoff: impl Into<Option<i32>>,
) -> Option<String> {
    let missing = pooled.saturating_sub(labelled);
    let unlabelled = || format!("{missing} of {pooled} pooled documents have no label");
    let unreached = cutoff.into().filter(|_| relevant == 0);
    match (pooled, labelled, unreached) {
        (0, _, _) => Some("No system returned a document.".to_owned()),
        (_, 0, _) => Some(format!("None of the {pooled} pooled documents has a label.")),
        (_, _, Some(cutoff)) if missing == 0 => {
            Some(format!("No document reaches grade {cutoff}: there is nothing relevant to find here."))
        }
        (_, _, Some(cutoff)) => {
            Some(format!("No labelled document reaches grade {cutoff}, and {}.", unlabelled()))
        }
        _ if missing > 0 => Some(format!("{}.", unlabelled())),
        _ => None,
    }
}

/// Puts a topic's documents into the report's order: best label first and unlabelled last, then best tier first, then by
/// the best rank that a system gave them, then by identifier.
pub fn sort_documents(documents: &mut [DocumentDetail]) {
    let rank = |document: &DocumentDetail| document.ranks.iter().flatten().min().copied().unwrap_or(u32::MAX);
    let tier = |document: &DocumentDetail| document.tier.unwrap_or(u32::MAX);
    documents.sort_by(|a, b| {
        let by_label = b.grade.cmp(&a.grade).then_with(|| tier(a).cmp(&tier(b)));
        by_label.then_with(|| rank(a).cmp(&rank(b))).then_with(|| a.id.cmp(&b.id))
    });
}
