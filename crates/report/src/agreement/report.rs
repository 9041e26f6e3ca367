//! The report on agreement as data.

use llull_stats::{Agreement, BootstrapOptions};
use serde::Serialize;

use super::binary_cuts::BinaryCuts;
use super::panels::Panels;
use super::strays::StrayLabels;
use super::systems::SystemsUnderBoth;
use crate::differing::{DifferingPairs, PairDetails, TruthAndOther};

/// How far label sets agree with a truth. Written as JSON, it is what `llull agree --json` prints: with one label
/// set its figures stand at the top.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementReport {
    /// What the truth is called in JSON.
    pub truth: String,
    /// What tables and sentences call it.
    #[serde(skip)]
    pub truth_name: String,
    /// How the intervals were made.
    #[serde(flatten)]
    pub bootstrap: BootstrapOptions,
    /// The ends that grades beyond them were moved to, such as `0..3`; absent without a clamp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clamp: Option<String>,
    /// The other label sets.
    #[serde(flatten)]
    pub compared: ComparedLabels,
    /// What a reader must know before relying on a figure. Not written as JSON.
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
        /// All of them as raters, with the truth as one of the raters and without it; null if there are too many
        /// different grades for that.
        panel: Option<Box<Panels>>,
    },
}

impl AgreementReport {
    /// Adds what is known of each listed disagreement beside its labels: `details` of a label set's name and
    /// of pairs of query and document, in their order.
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
    /// What it is called in JSON.
    pub other: String,
    /// What tables and sentences call it.
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
    /// A side with two grades against every cut of the other; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<BinaryCuts>,
    /// The pairs on which the two differ, and the first of them; absent if they have none in common, if only the order
    /// of the grades means something, or if no list was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreements: Option<DifferingPairs<TruthAndOther>>,
    /// The systems under both, measure by measure; `agreement.systems` sums up the first measure. Absent without
    /// systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_measure: Vec<SystemsUnderBoth>,
}
