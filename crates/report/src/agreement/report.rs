//! The report on agreement as data.

use llull_stats::{Agreement, BootstrapOptions};
use serde::Serialize;

use super::binary_cuts::BinaryCuts;
use super::panels::Panels;
use super::strays::StrayLabels;
use super::systems::SystemsUnderBoth;
use crate::differing::{DifferingPairs, PairDetails, TruthAndOther};

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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
