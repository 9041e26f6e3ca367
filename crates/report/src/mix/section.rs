//! The section of the report on labels of two sources.

use llull_metrics::Scores;
use llull_stats::BootstrapOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::is_comparable;
use crate::comparison::{BaselineComparison, compare};
use crate::error::ReportError;
use crate::reference::ReferenceAgreement;
use crate::systems::{MeasuredSystem, figures};

/// Earlier labels, completed by a judge's: the numbers of each, and their common scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelMix {
    /// The name of the earlier labels, here and in the second column of qrels.
    pub base: String,
    /// The name of the judge's labels.
    pub judge: String,
    /// The numbers of each source: first the earlier labels.
    pub sources: Vec<LabelSource>,
    /// Queries with labels.
    pub queries: usize,
    /// How many of them have labels of both sources.
    pub queries_mixed: usize,
    /// Pairs with a label of the judge and an earlier one: the map between scales is fitted to them.
    pub both: usize,
    /// The map from the judge's grades to the scale of the earlier labels; null if the grades stay as they are, or are
    /// not mixed in.
    pub calibration: Option<MixCalibration>,
    /// Why the judge's labels are not mixed in; null if they are.
    pub refused: Option<String>,
    /// The agreement of the judge's own grades with the earlier labels; null if no pair has both.
    pub agreement: Option<ReferenceAgreement>,
    /// The verdict by the labels of one source alone, where it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<SingleSourceDecision>,
}

/// The labels of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelSource {
    /// The source.
    pub name: String,
    /// Pairs whose label is its own.
    pub pairs: usize,
    /// Its share of all labels, from 0 to 1; null if there are none.
    pub share: Option<f64>,
    /// Queries with labels of its own.
    pub queries: usize,
}

/// How a judge's grades came to the scale of the labels that were there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MixCalibration {
    /// The method: `kappa`, `isotonic`, `ordinal`, `severity`, `beta`.
    pub method: String,
    /// Pairs that it was fitted to.
    pub pairs: usize,
    /// Their queries.
    pub queries: usize,
    /// The new grade for each of the judge's grades.
    pub grades: Vec<MixedGrade>,
}

/// The new grade for one of a judge's grades.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MixedGrade {
    /// The judge's grade.
    pub judge: i32,
    /// The label.
    pub grade: i32,
    /// The mean grade that was expected there.
    pub expected: f64,
    /// Pairs with this grade of the judge among those that it was fitted to.
    pub pairs: usize,
}

/// The verdict by the labels of one source alone, as it gave them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleSourceDecision {
    /// The source.
    pub source: String,
    /// Its labels.
    pub labels: usize,
    /// The share of the documents that the measure looked at, over all systems, which it has not labelled; they count
    /// as not relevant. Null if the measure looked at none.
    pub unjudged_share: Option<f64>,
    /// The systems' figures by the measure that decides.
    pub systems: Vec<MeasuredSystem>,
    /// The systems against the baseline.
    pub comparisons: Vec<BaselineComparison>,
}

impl SingleSourceDecision {
    /// The verdict by these scores, of which the first measure decides.
    ///
    /// # Errors
    /// As [`figures`] and [`compare`].
    pub fn new(
        source: impl Into<String>,
        labels: usize,
        scores: &[Scores],
        baseline: &str,
        options: &BootstrapOptions,
    ) -> Result<Self, ReportError> {
        let comparable = scores.first().and_then(|scores| scores.measures.first()).is_some_and(is_comparable);
        let comparisons = match comparable && scores.len() > 1 {
            true => compare(scores, 0, baseline, options)?,
            false => Vec::new(),
        };
        let looked = scores.iter().map(|scores| scores.unjudged(0));
        let (seen, unjudged) = looked.fold((0, 0), |(seen, unjudged), one| (seen + one.0, unjudged + one.1));
        Ok(Self {
            source: source.into(),
            labels,
            unjudged_share: (seen > 0).then(|| unjudged as f64 / seen as f64),
            systems: figures(scores, options)?,
            comparisons,
        })
    }
}
