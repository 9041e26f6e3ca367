//! The request for a sample.

use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, SampleDesign, Seed};
use llull_metrics::{LinearForm, Measure};

/// The request for a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleRequest {
    /// The measure to correct.
    pub measure: Measure,
    /// The design: pairs, equally likely, by strata or by weight, or whole queries. `None` chooses by the measure:
    /// pairs by weight for differences in nDCG@k and DCG@k, strata of pairs for P@k, queries for others.
    pub design: Option<SampleDesign>,
    /// Baseline and candidate, if the sample is for their difference alone.
    pub compare: Option<(String, String)>,
    /// The baseline of all differences, if `compare` is `None`.
    pub baseline: String,
    /// The properties that define strata; the label if empty.
    pub by: Vec<StratifyBy>,
    /// The lowest and the highest grade of the judge's scale.
    pub scale: (Grade, Grade),
    /// The confidence of intervals.
    pub confidence: f64,
    /// The seed of the draw.
    pub seed: Seed,
}

impl SampleRequest {
    /// Returns the design: the requested one, or the one for the measure and for differences or single figures.
    pub fn design(&self, differences: bool) -> SampleDesign {
        // Of P@k all weights are alike, and strata are as good. Of DCG@10 intervals by weight are 20% to 23% narrower
        // than by equal probabilities, those by strata hardly (TREC 2019 Deep Learning, a tenth labelled).
        let by_rank = |form: &LinearForm| form.weight(1, 2).to_bits() != form.weight(2, 2).to_bits();
        let suits = || match self.measure.linear_form() {
            Some(form) if differences && by_rank(&form) => SampleDesign::Unequal,
            Some(_) => SampleDesign::Stratified,
            None if differences && self.measure.divided_form().is_some() => SampleDesign::Unequal,
            None => SampleDesign::Queries,
        };
        self.design.unwrap_or_else(suits)
    }
}

/// A property that defines strata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StratifyBy {
    /// The judge's label.
    Label,
    /// The number of systems that return the document.
    Systems,
    /// The range of the grades of a panel's judges.
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
