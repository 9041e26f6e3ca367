//! How good few features are.

use serde::Serialize;

/// What is decided, and how much of it is right.
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
    /// How many calls a pair takes when all of them are asked.
    pub calls: u32,
    /// When every pair is decided of which they say anything.
    #[serde(flatten)]
    pub all: SubsetFigures,
    /// When only the surest are, up to the coverage that was asked for; `None` if they do not decide so many.
    pub surest: Option<SubsetFigures>,
}

/// The subset that is best for so many calls, and nothing cheaper is as good.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParetoPoint {
    /// How many calls a pair takes.
    pub calls: u32,
    /// The features.
    pub features: Vec<String>,
    /// Its figures at the coverage that was asked for. It was chosen by them, so they flatter.
    #[serde(flatten)]
    pub figures: SubsetFigures,
    /// The figures, in each fold, of the subset for at most so many calls that is best in the other folds: what to
    /// expect of one that is chosen like this.
    pub when_chosen: SubsetFigures,
}
