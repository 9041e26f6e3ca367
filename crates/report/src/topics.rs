//! Query by query: every system's figures, and the documents.

use std::collections::BTreeMap;
use std::fmt;

use llull_core::GRADE_PARTS;
use llull_metrics::{Cell, Measure, Scores, TopicScores};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::json_number::finite;
use crate::tournament::TopicTournament;

/// One query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicDetail {
    /// Its identifier.
    pub id: String,
    /// The query text; empty where texts are left out.
    pub text: String,
    /// Pooled documents of this query.
    pub pooled: usize,
    /// How many of them have a label.
    pub labelled: usize,
    /// How many documents have a grade that counts as relevant. The lowest such grade is the rubric's cutoff, unless
    /// the report's `tournaments` name another; null if no grade counts.
    pub relevant: Option<usize>,
    /// A remark for the reader, such as that no document reaches the cutoff.
    pub note: Option<String>,
    /// Every system's values, in the order of the report's `systems`; empty for a query without any label.
    pub systems: Vec<TopicSystem>,
    /// The result of the comparisons; absent if every judge grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TopicTournament>,
    /// The pooled documents, best label first.
    pub documents: Vec<DocumentDetail>,
}

/// One system on one query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSystem {
    /// The system.
    pub system: String,
    /// Whether its run answers the query; if not, its values are 0.
    pub answered: bool,
    /// One value a measure, in the order of the system's `figures`.
    pub values: Vec<TopicValue>,
}

/// One measure of one system on one query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicValue {
    /// The value; null if it is not a finite number.
    pub value: Option<f64>,
    /// How many documents the measure looked at.
    pub seen: u32,
    /// How many of them have no label.
    pub unjudged: u32,
}

/// One pooled document of a query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentDetail {
    /// Its identifier.
    pub id: String,
    /// Its title, or its first words; empty where texts are left out.
    pub title: String,
    /// The first words of its text, for a page that shows them; in no JSON.
    #[serde(skip)]
    pub excerpt: Option<String>,
    /// The fields of the corpus that judges do not see, with their values, for a page that shows them; in no JSON.
    #[serde(skip)]
    pub metadata: Vec<(String, String)>,
    /// Its label; null if no judge gave a usable verdict.
    pub grade: Option<i32>,
    /// The mean of a panel's grades, if measures that compute with grades read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Its grade in the sample for annotators if that has labels, else in the reference. For a page that shows it next
    /// to the judges' grades; in no JSON.
    #[serde(skip)]
    pub reference: Option<i32>,
    /// The label's source; absent if there is no label, or if no labels existed before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The number of its tier, from 1 for the best; absent if no judge compares, or it is in no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<u32>,
    /// Each judge's answer, in the order of `study.judges`; empty if none graded it. The answer of a judge that
    /// compares is empty, since its answers are about several documents at once.
    pub answers: Vec<JudgeAnswer>,
    /// At which rank each system returned it, from 1, in the order of `systems`; null if it did not.
    pub ranks: Vec<Option<u32>>,
}

/// One judge's answer about one document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeAnswer {
    /// The grade; null without a usable answer.
    pub grade: Option<i32>,
    /// Why the grade is missing: a reason or kind of failure as the ledger names it, or `not_asked`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The judge's explanation, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// The parts of the question that the judge finds answered, for a page that shows them; in no JSON.
    #[serde(skip)]
    pub covers: Vec<String>,
    /// The parts that it finds missing; in no JSON.
    #[serde(skip)]
    pub lacks: Vec<String>,
}

impl TopicDetail {
    /// The query without its text, those of its documents, and the judges' words about them.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.text.clear();
        for document in &mut self.documents {
            document.title.clear();
            document.excerpt = None;
            document.metadata.clear();
            for answer in &mut document.answers {
                answer.rationale = None;
                answer.covers.clear();
                answer.lacks.clear();
            }
        }
        self
    }
}

/// Puts a query's documents into the report's order: best label first and unlabelled last, then best tier first,
/// then by the best rank that a system gave them, then by identifier.
pub fn sort_documents(documents: &mut [DocumentDetail]) {
    let rank = |document: &DocumentDetail| document.ranks.iter().flatten().min().copied().unwrap_or(u32::MAX);
    let tier = |document: &DocumentDetail| document.tier.unwrap_or(u32::MAX);
    documents.sort_by(|a, b| {
        let by_label = b.grade.cmp(&a.grade).then_with(|| tier(a).cmp(&tier(b)));
        by_label.then_with(|| rank(a).cmp(&rank(b))).then_with(|| a.id.cmp(&b.id))
    });
}

/// A source of a report's queries, which can be read more than once.
pub trait TopicSource: Serialize {
    /// Calls `visit` with every query, in the report's order.
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail));
}

/// No query: a report of the rest.
impl TopicSource for () {
    fn visit(&self, _: &mut dyn FnMut(&TopicDetail)) {}
}

impl TopicSource for Vec<TopicDetail> {
    fn visit(&self, visit: &mut dyn FnMut(&TopicDetail)) {
        self.iter().for_each(visit);
    }
}

/// Queries that are built one by one each time a report is written, and then dropped.
/// The function must return equal queries every time.
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

/// A remark for the reader of a query's figures: nothing was pooled, nothing is labelled, no document reaches the
/// cutoff, or labels are missing. Below the cutoff every measure that counts from there is 0 for all systems, while
/// nDCG still separates lower grades. Without a cutoff, where no grade counts as relevant, `relevant` is not used.
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

/// An index of every system's values by query.
///
/// A query without any label is in no [`Scores`], so no system has values there.
#[derive(Debug, Clone)]
pub struct ScoresByQuery<'a> {
    systems: Vec<(&'a str, BTreeMap<&'a str, &'a TopicScores>)>,
}

impl<'a> ScoresByQuery<'a> {
    /// The index of these systems' scores.
    pub fn new(scores: &'a [Scores]) -> Self {
        let by_topic = |scores: &'a Scores| {
            (scores.run.as_str(), scores.topics.iter().map(|topic| (topic.topic.as_str(), topic)).collect())
        };
        Self { systems: scores.iter().map(by_topic).collect() }
    }

    /// The values of every system that was measured on the query, in the order of the scores.
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

/// A document's share of the difference of two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentShare {
    /// The place of the document in [`TopicDetail::documents`].
    pub document: usize,
    /// What it adds to the second system's value, less what it adds to the first one's.
    pub share: f64,
}

/// The reason why a difference is not split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSplit {
    /// The measure of this name is no sum over documents.
    NotASum(String),
    /// The measure of this name reads documents that are not in the pool.
    BeyondPool(String),
    /// One of the systems has no value.
    NoValue,
}

impl fmt::Display for NoSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASum(measure) => write!(f, "{measure} has no split by document."),
            Self::BeyondPool(measure) => {
                write!(f, "No split by document: {measure} reads documents that are not in the pool.")
            }
            Self::NoValue => f.write_str("No split by document: a system has no value on this query."),
        }
    }
}

/// The share of each document in the difference of two systems, by their places in the report; the largest first,
/// and only those that are not 0. The shares add up to the difference ([`Measure::document_shares`]). `value` is the
/// place of the measure among a system's values.
///
/// # Errors
/// Returns the reason if the difference cannot be split.
///
/// ```
/// use llull_report::{DocumentDetail, TopicDetail, TopicSystem, TopicValue, document_shares};
///
/// let value = |value| TopicValue { value: Some(value), seen: 2, unjudged: 0 };
/// let system = |of| TopicSystem { values: vec![value(of)], ..TopicSystem::default() };
/// let document = |grade, ranks| DocumentDetail { grade: Some(grade), ranks, ..DocumentDetail::default() };
/// let query = TopicDetail {
///     systems: vec![system(0.5), system(1.0)],
///     documents: vec![document(1, vec![Some(2), Some(1)]), document(0, vec![Some(1), None])],
///     ..TopicDetail::default()
/// };
/// let shares = document_shares(&query, ("RR", 0), [0, 1])?;
/// assert_eq!((shares.len(), shares[0].document, shares[0].share), (1, 0, 0.5));
/// assert_eq!(document_shares(&query, ("AP", 0), [0, 1]).unwrap_err().to_string(), "AP has no split by document.");
/// # Ok::<(), llull_report::NoSplit>(())
/// ```
pub fn document_shares(
    query: &TopicDetail,
    (measure, value): (&str, usize),
    systems: [usize; 2],
) -> Result<Vec<DocumentShare>, NoSplit> {
    let not_a_sum = || NoSplit::NotASum(measure.to_owned());
    let parsed: Measure = measure.parse().map_err(|_| not_a_sum())?;
    let has_means = query.documents.iter().any(|document| document.mean.is_some());
    let in_parts = parsed.in_parts(GRADE_PARTS).filter(|_| has_means);
    let label = |document: &DocumentDetail| match in_parts {
        Some(_) => {
            let mean = document.mean.or(document.grade.map(f64::from))?;
            Some((mean * f64::from(GRADE_PARTS)).round() as i32)
        }
        None => document.grade,
    };
    let parsed = in_parts.unwrap_or(parsed);
    let mut shares = vec![0.0; query.documents.len()];
    for (system, sign) in systems.into_iter().zip([-1.0, 1.0]) {
        let found = query.systems.get(system).and_then(|found| found.values.get(value)?.value);
        let value = found.ok_or(NoSplit::NoValue)?;
        let rank = |at: usize| query.documents.get(at)?.ranks.get(system).copied().flatten();
        let mut retrieved: Vec<usize> = (0..query.documents.len()).filter(|at| rank(*at).is_some()).collect();
        retrieved.sort_by_key(|at| rank(*at));
        let grades: Vec<Option<i32>> =
            retrieved.iter().filter_map(|at| query.documents.get(*at)).map(label).collect();
        let labels = query.documents.iter().filter_map(label);
        let of_system = parsed.document_shares(&grades, labels).ok_or_else(not_a_sum)?;
        // The pool may end above the cutoff, and labels may be of documents outside of it.
        if (of_system.iter().sum::<f64>() - value).abs() > 1e-9 * value.abs().max(1.0) {
            return Err(NoSplit::BeyondPool(measure.to_owned()));
        }
        for (at, share) in retrieved.into_iter().zip(of_system) {
            if let Some(sum) = shares.get_mut(at) {
                *sum += sign * share;
            }
        }
    }
    let mut shares: Vec<DocumentShare> =
        shares.into_iter().enumerate().map(|(document, share)| DocumentShare { document, share }).collect();
    shares.retain(|found| found.share != 0.0);
    shares.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(values: [Option<f64>; 2], documents: &[(Option<i32>, [Option<u32>; 2])]) -> TopicDetail {
        let system = |value| TopicSystem {
            values: vec![TopicValue { value, seen: 3, unjudged: 0 }],
            ..TopicSystem::default()
        };
        let document = |(grade, ranks): &(Option<i32>, [Option<u32>; 2])| DocumentDetail {
            grade: *grade,
            ranks: ranks.to_vec(),
            ..DocumentDetail::default()
        };
        TopicDetail {
            systems: values.map(system).into(),
            documents: documents.iter().map(document).collect(),
            ..TopicDetail::default()
        }
    }

    /// By hand: the best list has grade 2 at rank 1 and grade 1 at rank 2, a DCG of 2 + 1/log2(3).
    #[test]
    fn the_largest_share_comes_first_and_a_document_at_one_rank_has_none() {
        let ideal = 2.0 + 1.0 / 3f64.log2();
        let (low, high) = ((1.0 / 3f64.log2() + 2.0 / 2.0) / ideal, 1.0);
        let documents =
            [(Some(2), [Some(3), Some(1)]), (Some(1), [Some(2), Some(2)]), (Some(0), [Some(1), None])];
        let found = document_shares(&query([Some(low), Some(high)], &documents), ("nDCG@3", 0), [0, 1]);
        let found = found.unwrap();
        assert_eq!(found.iter().map(|share| share.document).collect::<Vec<_>>(), [0]);
        assert!((found[0].share - (high - low)).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_split_that_misses_a_part_of_the_value_is_none() {
        let documents = [(Some(1), [Some(1), Some(2)])];
        let shares = |values| document_shares(&query(values, &documents), ("P@4", 0), [0, 1]);
        assert_eq!(shares([Some(0.25), Some(0.25)]), Ok(Vec::new()));
        assert_eq!(shares([Some(0.25), Some(0.5)]), Err(NoSplit::BeyondPool("P@4".into())));
        assert_eq!(shares([Some(0.25), None]), Err(NoSplit::NoValue));
    }

    #[test]
    fn a_name_that_is_no_measure_has_no_split() {
        let found = document_shares(&query([Some(0.1); 2], &[]), ("alpha_nDCG@10", 0), [0, 1]);
        assert_eq!(found, Err(NoSplit::NotASum("alpha_nDCG@10".into())));
    }
}
