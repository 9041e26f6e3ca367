//! The difference of two label sets as data.

use llull_core::{Qrels, Run};
use llull_metrics::Measure;
use llull_stats::{Agreement, AgreementOptions, BootstrapOptions, label_agreement};
use serde::Serialize;

use super::systems::{DiffSystems, systems};
use crate::agreement::NamedLabels;
use crate::differing::{AAndB, DifferingPairs, differing_pairs};
use crate::error::ReportError;
use crate::systems::without_interval;
use crate::text::{count, counted};

/// The number of pairs in the list, by default.
const LISTED: usize = 20;

/// The two label sets, with the systems and measures for their comparison.
#[derive(Debug, Clone)]
pub struct DiffInputs<'a> {
    /// The one side.
    pub a: NamedLabels,
    /// The other side.
    pub b: NamedLabels,
    /// Systems to measure under both; may be empty.
    pub runs: &'a [Run],
    /// The measures of the systems.
    pub measures: Vec<Measure>,
    /// The system that the others are compared with; `None` for no verdicts.
    pub baseline: Option<String>,
    /// The differences between the judges of the two sets, in words; empty where unknown.
    pub changed: Vec<String>,
    /// How many pairs are listed.
    pub most: usize,
}

impl DiffInputs<'_> {
    /// Two label sets without systems, and twenty pairs in the list.
    pub fn of_labels(a: NamedLabels, b: NamedLabels) -> Self {
        Self { a, b, runs: &[], measures: Vec::new(), baseline: None, changed: Vec::new(), most: LISTED }
    }
}

/// The difference of two label sets. Its JSON is the output of `llull diff --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelDiff {
    /// The one side.
    pub a: DiffSide,
    /// The other side.
    pub b: DiffSide,
    /// The differences between the judges of the two sets, in words; absent where unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// How the intervals were made.
    #[serde(flatten)]
    pub bootstrap: BootstrapOptions,
    /// The pairs that both have labelled: how many change, and the first of them. A's side comes first: `higher` and
    /// `lower` count B's grades compared with A's.
    pub pairs: DifferingPairs<AAndB>,
    /// How far the two agree, with A in the place of the truth.
    pub agreement: Agreement,
    /// Every measure's figures and verdicts, over the pairs that both have; empty without systems.
    pub systems: Vec<DiffSystems>,
    /// Warnings for a reader who relies on a figure. Not written as JSON.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// One side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffSide {
    /// Its name in tables and sentences.
    pub name: String,
    /// Its source: a file as typed, or the name.
    pub source: String,
    /// How many labels it has.
    pub labels: usize,
    /// How many of these pairs the other side lacks.
    pub alone: usize,
}

impl LabelDiff {
    /// Compares the two.
    ///
    /// # Errors
    /// Returns an error if they have no pair in common, hold more than 256 different grades, or if systems cannot be
    /// compared with the baseline.
    pub fn new(inputs: DiffInputs<'_>, bootstrap: &BootstrapOptions) -> Result<Self, ReportError> {
        let DiffInputs { a, b, runs, measures, baseline, changed, most } = inputs;
        if !a.has_pairs_of(&b) {
            return Err(ReportError::NothingInCommon(a.nothing_in_common(&b)));
        }
        let options = AgreementOptions { clamp: None, bootstrap: Some(*bootstrap) };
        let agreement = label_agreement(&a.qrels, &b.qrels, &options)?;
        let mut notes: Vec<String> =
            without_interval(agreement.queries, bootstrap.confidence).into_iter().collect();
        let few = |labels: &NamedLabels| 2 * agreement.n < labels.qrels.pairs();
        let systems = match runs {
            _ if measures.is_empty() => Vec::new(),
            [] => Vec::new(),
            _ if few(&a) || few(&b) => {
                notes.push(format!(
                    "the two have {} in common, of {} and {} labels: too few to measure systems under both",
                    counted(agreement.n, "pair"),
                    count(a.qrels.pairs()),
                    count(b.qrels.pairs())
                ));
                Vec::new()
            }
            runs => {
                let alone = agreement.only_truth + agreement.only_other;
                notes.extend((alone > 0).then(|| {
                    format!(
                        "{} a label on one side only and {} as unlabelled under both here, so that figures differ by \
                         changed labels alone",
                        if alone == 1 { "1 pair has".to_owned() } else { format!("{} pairs have", count(alone)) },
                        if alone == 1 { "counts" } else { "count" }
                    )
                }));
                systems(
                    &of_shared_pairs(&a.qrels, &b.qrels),
                    runs,
                    &measures,
                    baseline.as_deref(),
                    bootstrap,
                )?
            }
        };
        let pairs = differing_pairs(&a.qrels, &b.qrels, runs, most);
        let side = |labels: NamedLabels, alone| DiffSide {
            labels: labels.qrels.pairs(),
            name: labels.name,
            source: labels.source,
            alone,
        };
        Ok(Self {
            a: side(a, agreement.only_truth),
            b: side(b, agreement.only_other),
            changed,
            bootstrap: *bootstrap,
            pairs,
            agreement,
            systems,
            notes,
        })
    }

    /// The interval of the share of common pairs that change, by resampling queries; `None` if there are too few.
    pub fn share_interval(&self) -> Option<(f64, f64)> {
        let [low, high] = self.agreement.ci.as_ref()?.labels.exact?;
        Some((1.0 - high, 1.0 - low))
    }
}

/// The labels of both, of the pairs that both have: the same queries and documents on both sides, so that systems
/// measured under the two differ by the grades alone. A pair that one of them drops is dropped from both.
fn of_shared_pairs(first: &Qrels, second: &Qrels) -> [Qrels; 2] {
    let mut shared = [Qrels::default(), Qrels::default()];
    let [here, there] = &mut shared;
    for (query, documents) in first.iter() {
        let Some(others) = second.topic(query) else { continue };
        for (document, grade) in documents {
            if let Some(other) = others.get(document) {
                here.insert(query, document, *grade);
                there.insert(query, document, *other);
            }
        }
    }
    shared.map(|labels| labels.dropping_as(first).dropping_as(second))
}
