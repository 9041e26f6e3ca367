//! How much of the pool is labelled, and why the rest is not.

use std::collections::BTreeMap;

use llull_core::{FailureKind, LabelSet, Reason};
use llull_label::Contested;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of the pool is labelled, and why the rest is not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSection {
    /// Topics in the pool.
    pub topics: usize,
    /// Topics without any label; nothing can be measured on them, so they are in no figure.
    pub topics_without_labels: usize,
    /// Pairs of topic and document that were to be judged.
    pub pairs: usize,
    /// Pairs with a label.
    pub labelled: usize,
    /// Pairs without; `pairs - labelled`.
    pub missing: usize,
    /// How many labels there are of each grade that occurs, lowest first.
    pub grades: Vec<GradeCount>,
    /// What became of each judge's questions.
    pub judges: Vec<JudgeCoverage>,
    /// How far the judges are apart; null when no pair was judged by two.
    pub spread: Option<Spread>,
}

/// What became of one judge's questions: of a judge that grades, pairs of topic and document; of one that compares,
/// documents of one topic shown together. Every question is in exactly one of `judged`, `unusable`, `failed`,
/// `not_asked`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeCoverage {
    /// The judge.
    pub judge: String,
    /// Questions that it was asked.
    pub asked: u64,
    /// Questions that it gave a usable verdict on.
    pub judged: u64,
    /// Questions where its answer cannot be counted, by reason.
    pub unusable: Vec<Count>,
    /// Questions where no answer arrived in the end, by kind of failure.
    pub failed: Vec<Count>,
    /// Questions that it was not asked: out of budget, interrupted, or stopped.
    pub not_asked: u64,
    /// Documents that did not fit its token budget and were cut; where it compares, questions with such documents.
    pub documents_cut: u64,
    /// Estimated tokens that were cut and not shown to it.
    pub tokens_cut: u64,
}

/// How often something happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// What: the name that the ledger uses, such as `cut_off` or `timeout`.
    pub what: String,
    /// How often; at least 1.
    pub count: u64,
}

/// How far the judges of one pair are apart: the highest grade minus the lowest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Pairs that at least two judges graded.
    pub pairs: u64,
    /// How many pairs have which spread, from 0 up, without gaps.
    pub histogram: Vec<SpreadCount>,
    /// The pairs that the judges differ most about, widest first.
    pub disagreements: Vec<DisputedPair>,
}

/// How many pairs have one spread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadCount {
    /// The highest grade minus the lowest.
    pub spread: i32,
    /// How many pairs.
    pub pairs: u64,
}

/// A pair that the judges differ about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisputedPair {
    /// The topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// The label.
    pub grade: i32,
    /// The lowest grade that a judge gave.
    pub low: i32,
    /// The highest grade.
    pub high: i32,
}

/// How many labels are of one grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradeCount {
    /// The grade.
    pub grade: i32,
    /// How many pairs have it.
    pub pairs: u64,
}

/// What became of one question in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// A usable verdict.
    Judged,
    /// Only answers that cannot be counted; the latest for this reason.
    Unusable(Reason),
    /// No answer; the latest attempt failed like this.
    Failed(FailureKind),
    /// It was never asked.
    NotAsked,
}

impl Fate {
    /// Why there is no verdict, as the ledger names it; `None` when there is one.
    pub fn missing(self) -> Option<&'static str> {
        match self {
            Self::Judged => None,
            Self::Unusable(reason) => Some(reason.name()),
            Self::Failed(kind) => Some(kind.name()),
            Self::NotAsked => Some("not_asked"),
        }
    }
}

/// Counts what became of one judge's questions, in any order.
///
/// ```
/// use llull_core::Reason;
/// use llull_report::{CoverageTally, Fate};
/// let mut tally = CoverageTally::default();
/// tally.record(Fate::Judged, 0);
/// tally.record(Fate::Unusable(Reason::CutOff), 120);
/// let coverage = tally.finish("gpt");
/// assert_eq!((coverage.asked, coverage.judged, coverage.documents_cut, coverage.tokens_cut), (2, 1, 1, 120));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CoverageTally {
    judged: u64,
    unusable: BTreeMap<Reason, u64>,
    failed: BTreeMap<FailureKind, u64>,
    not_asked: u64,
    documents_cut: u64,
    tokens_cut: u64,
}

impl CoverageTally {
    /// Counts one question, with the estimated tokens of its documents that were not shown. A question that shows
    /// several counts as one document cut.
    pub fn record(&mut self, fate: Fate, tokens_cut: u32) {
        match fate {
            Fate::Judged => self.judged += 1,
            Fate::Unusable(reason) => *self.unusable.entry(reason).or_default() += 1,
            Fate::Failed(kind) => *self.failed.entry(kind).or_default() += 1,
            Fate::NotAsked => self.not_asked += 1,
        }
        self.documents_cut += u64::from(tokens_cut > 0);
        self.tokens_cut += u64::from(tokens_cut);
    }

    /// The counts of the judge with this name.
    pub fn finish(self, judge: impl Into<String>) -> JudgeCoverage {
        let lost = self.unusable.values().chain(self.failed.values()).sum::<u64>();
        let count = |what: &str, count| Count { what: what.to_owned(), count };
        JudgeCoverage {
            judge: judge.into(),
            asked: self.judged + lost,
            judged: self.judged,
            unusable: self.unusable.into_iter().map(|(reason, n)| count(reason.name(), n)).collect(),
            failed: self.failed.into_iter().map(|(kind, n)| count(kind.name(), n)).collect(),
            not_asked: self.not_asked,
            documents_cut: self.documents_cut,
            tokens_cut: self.tokens_cut,
        }
    }
}

impl CoverageSection {
    /// The coverage of a pool by its labels, with the `most` widest disagreements.
    pub fn new(labels: &LabelSet, judges: Vec<JudgeCoverage>, most: usize) -> Self {
        let (pairs, labelled) = (labels.asked(), labels.labelled());
        Self {
            topics: labels.iter().count(),
            topics_without_labels: labels
                .iter()
                .map(|(_, labels)| labels.count())
                .filter(|n| *n == 0)
                .count(),
            pairs,
            labelled,
            missing: pairs.saturating_sub(labelled),
            grades: grades(labels),
            judges,
            spread: spread(labels, most),
        }
    }
}

fn grades(labels: &LabelSet) -> Vec<GradeCount> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for (_, documents) in labels.iter() {
        documents.for_each(|(_, label)| *counts.entry(label.grade).or_default() += 1);
    }
    counts.into_iter().map(|(grade, pairs)| GradeCount { grade, pairs }).collect()
}

/// How far the judges are apart over all pairs that at least two graded, with the `most` pairs that they differ
/// most about (in the order of the labels where they differ equally). `None` when there is no such pair.
pub fn spread(labels: &LabelSet, most: usize) -> Option<Spread> {
    let apart = llull_label::Disagreement::of(labels, most);
    let (widest, _) = apart.spreads.last_key_value()?;
    let bar = |spread| SpreadCount { spread, pairs: apart.spreads.get(&spread).map_or(0, |n| *n as u64) };
    Some(Spread {
        pairs: apart.compared() as u64,
        histogram: (0..=*widest).map(bar).collect(),
        disagreements: apart.widest.into_iter().map(DisputedPair::from).collect(),
    })
}

impl From<Contested> for DisputedPair {
    fn from(Contested { topic, document, label }: Contested) -> Self {
        Self { topic, document, grade: label.grade, low: label.low, high: label.high }
    }
}
