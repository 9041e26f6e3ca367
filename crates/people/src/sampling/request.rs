//! What a sample is wanted for.

use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, SampleDesign, Seed};
use llull_metrics::Measure;

/// What a sample is wanted for.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleRequest {
    /// The measure that is to be corrected.
    pub measure: Measure,
    /// Whether pairs are drawn, with or without strata, or whole queries. `None` is what suits the measure: strata of
    /// pairs for a sum over documents, queries for others.
    pub design: Option<SampleDesign>,
    /// Baseline and candidate, if the sample is for their difference alone.
    pub compare: Option<(String, String)>,
    /// The system that the others are compared with, otherwise.
    pub baseline: String,
    /// What strata are made by; by the label if empty.
    pub by: Vec<StratifyBy>,
    /// The lowest and the highest grade of the judge's scale.
    pub scale: (Grade, Grade),
    /// The confidence of intervals.
    pub confidence: f64,
    /// The seed of the draw.
    pub seed: Seed,
}

impl SampleRequest {
    /// Returns the design: the one that is asked for, or the one that suits the measure.
    pub fn design(&self) -> SampleDesign {
        let suits = || match self.measure.linear_form() {
            Some(_) => SampleDesign::Stratified,
            None => SampleDesign::Queries,
        };
        self.design.unwrap_or_else(suits)
    }
}

/// What strata are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StratifyBy {
    /// The judge's label.
    Label,
    /// How many of the systems return the document.
    Systems,
    /// How far the grades of a panel's judges are apart.
    Disagreement,
}

impl StratifyBy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Label, Self::Systems, Self::Disagreement];

    /// Returns the name: `label`, `systems`, `disagreement`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Systems => "systems",
            Self::Disagreement => "disagreement",
        }
    }
}

impl fmt::Display for StratifyBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StratifyBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|by| by.name() == text);
        found.ok_or_else(|| format!("{text:?} is nothing to make strata by; choose among {}", known()))
    }
}
