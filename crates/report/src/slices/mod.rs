//! Slices: figures, differences and verdicts on the queries that share a value of their metadata.

mod build;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparison::BaselineComparison;
use crate::systems::Figure;

pub use build::{SliceBounds, SliceLabels, slice_sections};

/// The systems on the slices of one field, by one measure.
///
/// A slice is a whole comparison on a part of the queries. Its intervals are those of that comparison; verdicts are
/// adjusted for the number of comparisons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceSection {
    /// The metadata field of the queries.
    pub field: String,
    /// The measure.
    pub measure: String,
    /// The system that the others are compared with; null if none are compared.
    pub baseline: Option<String>,
    /// How many comparisons the verdicts are adjusted for, by Holm's method: those of all slices of all fields.
    pub comparisons: usize,
    /// On how many queries of a slice two systems must differ for a verdict.
    pub least_queries: usize,
    /// Whether human labels correct the report's figures, and these not; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncorrected: bool,
    /// The slices, the one with most queries first, that of queries without a value last.
    pub slices: Vec<SliceFigures>,
}

/// The systems on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceFigures {
    /// The value that the queries share; `(none)` for queries without one.
    pub name: String,
    /// How many queries it has, with or without labels.
    pub queries: usize,
    /// The systems, in the order of the report's.
    pub systems: Vec<SliceSystem>,
}

/// One system on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceSystem {
    /// The system.
    pub system: String,
    /// Its figure.
    pub figure: Figure,
    /// Its comparison with the baseline; null for the baseline, and if none are compared.
    pub comparison: Option<BaselineComparison>,
    /// The comparison's p, adjusted for the number of comparisons; null if it has no verdict for another reason.
    pub p_adjusted: Option<f64>,
}

impl SliceSection {
    /// Returns the comparisons of all slices.
    pub fn comparisons(&self) -> impl Iterator<Item = &BaselineComparison> {
        self.slices.iter().flat_map(|slice| &slice.systems).filter_map(|system| system.comparison.as_ref())
    }
}
