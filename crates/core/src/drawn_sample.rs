//! Pairs that were drawn by chance, for annotators.

use crate::seed::Seed;

/// The design of a sample, which allows inference from the drawn pairs to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleDesign {
    /// So many pairs, each as likely as any other.
    Pairs,
    /// So many pairs of each stratum, each as likely as any other of its stratum.
    Stratified,
    /// So many pairs, some likelier than others: fixed size, unequal probabilities.
    Unequal,
    /// Each pair independently, so that the size is random.
    Independent,
    /// So many queries, all pairs of a drawn one.
    Queries,
}

impl SampleDesign {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Pairs, Self::Stratified, Self::Unequal, Self::Independent, Self::Queries];

    /// Returns the name in files: `pairs`, `stratified`, `unequal`, `independent`, `queries`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Stratified => "stratified",
            Self::Unequal => "unequal",
            Self::Independent => "independent",
            Self::Queries => "queries",
        }
    }

    /// Returns the design of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|design| design.name() == name)
    }
}

/// A pair that could be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingUnit {
    /// The query.
    pub topic: String,
    /// The document.
    pub document: String,
    /// The probability with which it was to be drawn, above 0 and at most 1. Where queries are drawn, its query's.
    pub probability: f64,
    /// Whether it was drawn; `None` if that is not known, as in a file of probabilities alone.
    pub drawn: Option<bool>,
    /// The stratum in which it was drawn, if there were strata.
    pub stratum: Option<String>,
}

/// A sample and the frame that it was drawn from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DrawnSample {
    /// How it was drawn; `None` if that is not known.
    pub design: Option<SampleDesign>,
    /// The seed of the draw, if it is known.
    pub seed: Option<Seed>,
    /// Other facts about it, by name: the systems that it was drawn for, the measure.
    pub notes: Vec<(String, String)>,
    /// The frame: every pair that could be drawn, each once.
    pub units: Vec<SamplingUnit>,
}
