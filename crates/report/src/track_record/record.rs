//! The record of verdicts as clear as a comparison's.

use llull_metrics::Measure;
use llull_stats::VerdictMargin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::published::{Bin, Counts, LEAST_QUERIES, PublishedVerdicts};
use super::words::track_record_lines;

/// How often human labels confirmed published judges' verdicts that were as clear as this one. "Not confirmed" mostly
/// means that human labels decide nothing, so the confirmed share is not the chance that a verdict is right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackRecord {
    /// How clear the verdict is: the size of the mean difference in standard errors, beyond the threshold of Student's
    /// t at 95%.
    pub x: f64,
    /// The number of queries of the verdict.
    pub queries: usize,
    /// The number of published verdicts with about this x.
    pub verdicts: usize,
    /// Those on which human labels of the same queries decided alike; of TREC DL 2021 rounded, from shares.
    pub confirmed: usize,
    /// Those on which the mean difference by human labels had the same sign; of TREC DL 2021 rounded, from shares.
    pub same_direction: usize,
    /// Those on which human labels decided the opposite.
    pub opposite: usize,
    /// The same for each collection.
    pub collections: Vec<CollectionRecord>,
    /// The least confirmed share of a single judge.
    pub least_of_a_judge: f64,
    /// The confirmed share for this x and number of queries, by a curve through the verdicts; absent below 25 and above
    /// 53 queries, and for AP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// The distance from 0 of the nearer end of the interval, by Student's t at 95%; absent where it is unknown how
    /// much judges exaggerate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The same in sentences, with the bounds of the record.
    pub sentences: Vec<String>,
}

/// The published verdicts on one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CollectionRecord {
    /// Its name.
    pub name: String,
    /// How many label sets of judges decided.
    pub label_sets: usize,
    /// Its queries.
    pub queries: usize,
    /// How many verdicts with about this x.
    pub verdicts: usize,
    /// Those on which human labels decided alike; of TREC DL 2021 rounded, from shares.
    pub confirmed: usize,
    /// Those with the same sign by human labels; of TREC DL 2021 rounded, from shares.
    pub same_direction: usize,
    /// Those on which human labels decided the opposite.
    pub opposite: usize,
    /// The confirmed share with 15 of its queries.
    pub confirmed_with_15_queries: f64,
}

impl TrackRecord {
    /// Returns the record of a verdict from these differences by query; `None` for other measures, fewer than
    /// 15 queries, and where the interval by Student's t holds 0. `nearer_end` is the distance from 0 of the interval
    /// that is shown.
    pub fn of(measure: &Measure, differences: &[f64], nearer_end: Option<f64>) -> Option<Self> {
        let published = PublishedVerdicts::on(measure)?;
        let queries = differences.len();
        let margin = VerdictMargin::of(differences).filter(|_| queries >= LEAST_QUERIES)?;
        let bin = published.at(margin.x)?;
        let collections = collections(published, bin);
        let sum = |of: fn(&CollectionRecord) -> usize| collections.iter().map(of).sum();
        let mut record = Self {
            x: margin.x,
            queries,
            verdicts: sum(|one| one.verdicts),
            confirmed: sum(|one| one.confirmed),
            same_direction: sum(|one| one.same_direction),
            opposite: sum(|one| one.opposite),
            least_of_a_judge: bin.least_of_a_judge,
            expected: published.expected(margin.x, queries),
            margin: published.exaggeration.then_some(margin.margin),
            sentences: Vec::new(),
            collections,
        };
        record.sentences = track_record_lines(&[("", &record, nearer_end)]);
        Some(record)
    }

    /// Whether it is of verdicts by nDCG@10: only for these it is known how much judges exaggerate.
    pub(crate) fn is_of_ndcg(&self) -> bool {
        self.margin.is_some()
    }
}

fn collections(published: &PublishedVerdicts, bin: &Bin) -> Vec<CollectionRecord> {
    let named = [("TREC DL 2019", 43, Some(bin.dl19)), ("TREC DL 2021", 53, bin.dl21)];
    let record = |(label_sets, (name, queries, counts)): (usize, (&str, usize, Option<Counts>))| {
        let counts = counts?;
        Some(CollectionRecord {
            name: name.to_owned(),
            label_sets,
            queries,
            verdicts: counts.verdicts,
            confirmed: counts.confirmed,
            same_direction: counts.same_direction,
            opposite: counts.opposite,
            confirmed_with_15_queries: counts.with_15_queries,
        })
    };
    published.label_sets.into_iter().zip(named).filter_map(record).collect()
}
