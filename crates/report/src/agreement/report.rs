//! The report on agreement, as data and as text.

use llull_stats::{Agreement, BootstrapOptions};
use serde::Serialize;

use super::panels::{self, Panels};
use super::relevance_cuts::BinaryCuts;
use super::strays::StrayLabels;
use super::systems::SystemsUnderBoth;
use super::{label_tables, system_tables};
use crate::differing::{DifferingPairs, PairDetails, TruthAndOther, differing_text, shown};
use crate::text::{count, counted};

/// Agreement of label sets with a truth. Written as JSON, it is the output of `llull agree --json`: with one label set
/// its figures are at the top level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementReport {
    /// The truth's source, as JSON names it.
    pub truth: String,
    /// The truth's name in tables and sentences.
    #[serde(skip)]
    pub truth_name: String,
    /// How the intervals were made.
    #[serde(flatten)]
    pub bootstrap: BootstrapOptions,
    /// The ends to which a clamp moved grades beyond them, such as `0..3`; absent without a clamp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clamp: Option<String>,
    /// The other label sets.
    #[serde(flatten)]
    pub compared: ComparedLabels,
    /// Warnings for a reader who relies on a figure. Not written as JSON.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// One other label set, or several.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ComparedLabels {
    /// One.
    One(Box<OtherLabels>),
    /// Several.
    Several {
        /// Each of them.
        others: Vec<OtherLabels>,
        /// The agreement of all as a panel, with the truth as a member and without it; null if there are too many
        /// different grades.
        panel: Option<Box<Panels>>,
    },
}

impl AgreementReport {
    /// Adds query texts, titles and reasons to each listed disagreement. `details` returns them for a label set's name
    /// and pairs of query and document, in the order of the pairs.
    pub fn explain(&mut self, mut details: impl FnMut(&str, &[(&str, &str)]) -> Vec<PairDetails>) {
        let others = match &mut self.compared {
            ComparedLabels::One(other) => std::slice::from_mut(&mut **other),
            ComparedLabels::Several { others, .. } => others,
        };
        for OtherLabels { name, disagreements, .. } in others {
            if let Some(pairs) = disagreements {
                pairs.explain(|listed| details(name, listed));
            }
        }
    }
}

impl ComparedLabels {
    /// The label sets, however many they are.
    pub fn others(&self) -> &[OtherLabels] {
        match self {
            Self::One(other) => std::slice::from_ref(other),
            Self::Several { others, .. } => others,
        }
    }
}

/// One label set against the truth.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OtherLabels {
    /// Its source, as JSON names it.
    pub other: String,
    /// Its name in tables and sentences.
    #[serde(skip)]
    pub name: String,
    /// Agreement pair by pair.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Why kappa, alpha, pi and AC are null; absent if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa_undefined: Option<String>,
    /// Labels far from all others, and the figures without; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strays: Option<StrayLabels>,
    /// Two-grade labels of one side against every cut of the other; absent if neither side has just two grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<BinaryCuts>,
    /// The pairs on which the two differ, and the first of them. Absent if they have no pair in common, if only the
    /// order of the grades has a meaning, or if no list was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreements: Option<DifferingPairs<TruthAndOther>>,
    /// The systems under both, measure by measure; `agreement.systems` sums up the first measure. Absent without
    /// systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_measure: Vec<SystemsUnderBoth>,
}

/// Why there is no report on agreement.
#[derive(Debug, thiserror::Error)]
pub enum AgreementReportError {
    /// The labels cannot be compared, or the options of the intervals are invalid.
    #[error(transparent)]
    Labels(#[from] llull_stats::AgreementError),
    /// The rankings of the systems cannot be compared.
    #[error(transparent)]
    Rankings(#[from] llull_stats::SystemError),
    /// The pairs of systems cannot be tested.
    #[error(transparent)]
    Test(#[from] llull_stats::StatsError),
    /// None of the other label sets has a pair in common with the truth.
    #[error("{0}")]
    NothingInCommon(String),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// The report as tables and sentences: of several label sets a table of all, the panel's, and then a block for each.
pub fn agreement_text(report: &AgreementReport) -> String {
    let mut parts = Vec::new();
    if let ComparedLabels::Several { others, panel } = &report.compared {
        parts.push(panels::side_by_side(others));
        if let Some(panel) = panel {
            let table = panels::panel_table(panel, report.bootstrap.confidence);
            let lines = std::iter::once(table).chain(panels::stray_lines(others));
            parts.push(lines.collect::<Vec<_>>().join("\n"));
        }
    }
    parts.extend(report.compared.others().iter().map(|other| of_one(report, other)));
    parts.join("\n\n")
}

/// All about one label set: tables, and then sentences.
fn of_one(report: &AgreementReport, other: &OtherLabels) -> String {
    let mut parts = label_tables::tables(report, other);
    parts.extend(disagreements(other));
    parts.extend(other.by_measure.iter().flat_map(|systems| system_tables::tables(report, other, systems)));
    let about_systems =
        other.by_measure.iter().flat_map(|systems| system_tables::sentences(report, other, systems));
    let sentences: Vec<String> =
        label_tables::sentences(report, other).into_iter().chain(about_systems).collect();
    if !sentences.is_empty() {
        parts.push(sentences.join("\n"));
    }
    parts.join("\n\n")
}

/// The pairs on which the label set and the truth differ most.
fn disagreements(other: &OtherLabels) -> Option<String> {
    let pairs = other.disagreements.as_ref().filter(|pairs| !pairs.listed.is_empty())?;
    Some(format!(
        "{} of {} differ, the other higher on {} and lower on {}; {}\n{}",
        count(pairs.differ),
        counted(pairs.both, "label"),
        count(pairs.higher),
        count(pairs.lower),
        shown(pairs),
        differing_text(pairs, "truth", "other")
    ))
}
