//! The quality of a few features.

use serde::Serialize;

/// The decided share, and the right share of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SubsetFigures {
    /// The share of the pairs that are decided.
    pub coverage: f64,
    /// The share of these whose side is right; `None` if none is decided.
    pub precision: Option<f64>,
    /// The lower end of its interval, over queries; `None` with too few queries.
    pub lo: Option<f64>,
    /// The upper end.
    pub hi: Option<f64>,
    /// How many pairs are decided; of cells that are decided in part, that part.
    pub n: f64,
}

/// A subset of the features, and how good it is on queries that were not counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubsetReport {
    /// The features.
    pub features: Vec<String>,
    /// The number of calls for a pair with all of them.
    pub calls: u32,
    /// For a decision on every pair with at least one answer that names a side.
    #[serde(flatten)]
    pub all: SubsetFigures,
    /// For the surest pairs only, up to the requested coverage; `None` if they decide fewer.
    pub surest: Option<SubsetFigures>,
}

/// The best subset for a number of calls, if no cheaper one is as good.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParetoPoint {
    /// How many calls a pair takes.
    pub calls: u32,
    /// The features.
    pub features: Vec<String>,
    /// Its figures at the requested coverage. It was chosen by them, so they are too high.
    #[serde(flatten)]
    pub figures: SubsetFigures,
    /// The expected figures after such a choice: those, in each fold, of the subset for at most so many calls that is
    /// best in the other folds.
    pub when_chosen: SubsetFigures,
}
