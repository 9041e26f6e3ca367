//! The labelled share of the pool, and reasons for missing labels.

use std::collections::BTreeMap;

use llull_core::{FailureKind, LabelSet, Reason, Status};
use llull_label::Contested;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The labelled share of the pool, and the reasons for missing labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSection {
    /// Queries in the pool.
    pub topics: usize,
    /// Queries without any label; nothing can be measured on them, so they are in no figure.
    pub topics_without_labels: usize,
    /// Pairs of query and document that were to be judged.
    pub pairs: usize,
    /// Pairs with a label.
    pub labelled: usize,
    /// Pairs without; `pairs - labelled`.
    pub missing: usize,
    /// How many labels there are of each grade that occurs, lowest first.
    pub grades: Vec<GradeCount>,
    /// The outcomes of each judge's questions.
    pub judges: Vec<JudgeCoverage>,
    /// How far the judges are apart; null if no pair was judged by two.
    pub spread: Option<Spread>,
}

/// How many labels are of one grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradeCount {
    /// The grade.
    pub grade: i32,
    /// How many pairs have it.
    pub pairs: u64,
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
    /// The query.
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

/// The spread of the judges' grades over all pairs with two grades or more, with the `most` pairs of the largest
/// differences. Equal differences keep the order of the labels. `None` if there is no such pair.
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

/// The outcomes of one judge's questions. For a judge that grades, a question is a pair of query and document; for one
/// that compares, documents of one query shown together. Every question is in exactly one of `judged`, `unusable`,
/// `refused`, `failed`, `not_asked`, `without_text`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeCoverage {
    /// The judge.
    pub judge: String,
    /// Questions that were sent: all but those of `not_asked` and `without_text`.
    pub asked: u64,
    /// Questions that it gave a usable verdict on.
    pub judged: u64,
    /// Questions with no usable answer, by reason.
    pub unusable: Vec<Count>,
    /// Questions that its server refused because of their text, by reason.
    #[serde(default)]
    pub refused: Vec<Count>,
    /// Questions that no answer arrived to, by kind of failure.
    pub failed: Vec<Count>,
    /// Questions without a request: out of budget, interrupted, or stopped. Of an annotator, those that are open.
    pub not_asked: u64,
    /// Questions about documents without a text, which no run sends.
    #[serde(default)]
    pub without_text: u64,
    /// Documents that did not fit its token budget and were cut; where it compares, questions with such documents.
    pub documents_cut: u64,
    /// Estimated tokens that were cut and not shown to it.
    pub tokens_cut: u64,
    /// The source of its answers; absent for `requests`.
    #[serde(default, skip_serializing_if = "AnswerSource::is_requests")]
    pub source: AnswerSource,
}

/// The source of a judge's answers, which decides who can give the missing ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// The requests of `llull run`.
    #[default]
    Requests,
    /// A recording. It has no more answers in the next run.
    Recording,
    /// An annotator, in `llull review` or on a sheet.
    Annotator,
}

impl AnswerSource {
    fn is_requests(&self) -> bool {
        *self == Self::Requests
    }
}

/// A judge's questions that an answer can still arrive to, by its source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OpenQuestions {
    /// Those that another `llull run` can answer.
    pub(crate) for_run: u64,
    /// Those that the recording does not have.
    pub(crate) for_recording: u64,
    /// Those that the annotator has not labelled.
    pub(crate) for_annotator: u64,
}

impl JudgeCoverage {
    /// Returns the questions that an answer can still arrive to.
    pub(crate) fn open(&self) -> OpenQuestions {
        let failed = self.failed.iter().map(|count| count.count).sum::<u64>();
        let none = OpenQuestions::default();
        match self.source {
            AnswerSource::Requests => OpenQuestions { for_run: failed + self.not_asked, ..none },
            AnswerSource::Recording => {
                OpenQuestions { for_run: self.not_asked, for_recording: failed, ..none }
            }
            AnswerSource::Annotator => OpenQuestions { for_annotator: failed + self.not_asked, ..none },
        }
    }
}

/// How often something happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// The ledger's name for it, such as `cut_off` or `timeout`.
    pub what: String,
    /// How often; at least 1.
    pub count: u64,
}

/// Counts the outcomes of one judge's questions, in any order.
///
/// ```
/// use llull_core::{Judgment, Reason, Status};
/// use llull_report::CoverageTally;
/// let mut tally = CoverageTally::default();
/// tally.record(&Status::Judged(Judgment::Grade(2)), 0);
/// tally.record(&Status::Unusable { reason: Reason::CutOff, times: 2 }, 120);
/// let coverage = tally.finish("gpt");
/// assert_eq!((coverage.asked, coverage.judged, coverage.documents_cut, coverage.tokens_cut), (2, 1, 1, 120));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CoverageTally {
    judged: u64,
    unusable: BTreeMap<Reason, u64>,
    refused: BTreeMap<Reason, u64>,
    failed: BTreeMap<FailureKind, u64>,
    not_asked: u64,
    without_text: u64,
    documents_cut: u64,
    tokens_cut: u64,
}

impl CoverageTally {
    /// Counts one question, with the estimated tokens of its documents that were not shown. A question that shows
    /// several counts as one document cut.
    pub fn record(&mut self, status: &Status, tokens_cut: u32) {
        match status {
            Status::Judged(_) => self.judged += 1,
            Status::Unusable { reason, .. } => *self.unusable.entry(*reason).or_default() += 1,
            Status::Refused(reason) => *self.refused.entry(*reason).or_default() += 1,
            Status::Failed(kind) => *self.failed.entry(*kind).or_default() += 1,
            Status::NotAsked => self.not_asked += 1,
            Status::WithoutText => self.without_text += 1,
        }
        self.documents_cut += u64::from(tokens_cut > 0);
        self.tokens_cut += u64::from(tokens_cut);
    }

    /// The counts of the judge with this name.
    pub fn finish(self, judge: impl Into<String>) -> JudgeCoverage {
        let lost =
            self.unusable.values().chain(self.refused.values()).chain(self.failed.values()).sum::<u64>();
        let count = |what: &str, count| Count { what: what.to_owned(), count };
        JudgeCoverage {
            judge: judge.into(),
            asked: self.judged + lost,
            judged: self.judged,
            unusable: self.unusable.into_iter().map(|(reason, n)| count(reason.name(), n)).collect(),
            refused: self.refused.into_iter().map(|(reason, n)| count(reason.name(), n)).collect(),
            failed: self.failed.into_iter().map(|(kind, n)| count(kind.name(), n)).collect(),
            not_asked: self.not_asked,
            without_text: self.without_text,
            documents_cut: self.documents_cut,
            tokens_cut: self.tokens_cut,
            source: AnswerSource::default(),
        }
    }
}
