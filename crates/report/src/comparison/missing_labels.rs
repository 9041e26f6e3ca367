//! Missing labels, and how far they could change a difference.

use std::fmt;

use llull_metrics::DifferenceBounds;
use llull_stats::{BootstrapOptions, Decision as Decided, StatsError, paired_bootstrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparison::{BaselineComparison, ComparisonFinding, describe};
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text::{ABSENT, brief_difference, count, counted};

/// The labels that are missing of a comparison, and how far they could change its mean difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingLabels {
    /// How many documents that the measure looks at have no label, in either list, over all queries.
    pub documents: usize,
    /// How many documents it looks at.
    pub seen: usize,
    /// How many queries have no label at all. They are in no figure yet.
    pub queries: usize,
    /// How many queries there are.
    pub of_queries: usize,
    /// The lowest mean difference that the missing labels allow; null if it is not a finite number.
    pub lowest: Option<f64>,
    /// The highest.
    pub highest: Option<f64>,
}

/// Why a comparison is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IncompleteReason {
    /// The known labels decide, and the missing ones could reverse the mean difference.
    CouldReverse,
    /// The known labels show no clear difference, and the missing ones could show one.
    CouldDecide,
    /// No document that the system returned has a label, though the baseline's have some.
    SystemUnlabelled,
    /// No document that the baseline returned has a label, though the system's have some.
    BaselineUnlabelled,
}

impl From<IncompleteReason> for ComparisonFinding {
    fn from(incomplete_because: IncompleteReason) -> Self {
        Self::Incomplete { incomplete_because }
    }
}

/// `395 of 530 documents have no label, and 12 of 20 queries have none at all`
impl fmt::Display for MissingLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = format!("{} of {}", count(self.documents), counted(self.seen, "document"));
        let have = if self.documents == 1 { "has" } else { "have" };
        let queries = match self.queries {
            0 => String::new(),
            queries => {
                format!(", and {} of {} have none at all", count(queries), counted(self.of_queries, "query"))
            }
        };
        write!(f, "{documents} {have} no label{queries}")
    }
}

impl MissingLabels {
    /// Counts the missing labels; `None` if there are none.
    pub fn of(bounds: &[DifferenceBounds]) -> Option<Self> {
        let documents = bounds.iter().map(|query| query.missing).sum();
        let queries = bounds.iter().filter(|query| !query.labelled).count();
        let mean = |end: fn(&DifferenceBounds) -> f64| {
            finite(bounds.iter().map(end).sum::<f64>() / bounds.len() as f64)
        };
        (documents > 0 || queries > 0).then(|| Self {
            documents,
            seen: bounds.iter().map(|query| query.seen).sum(),
            queries,
            of_queries: bounds.len(),
            lowest: mean(|query| query.low),
            highest: mean(|query| query.high),
        })
    }
}

impl BaselineComparison {
    /// Makes the comparison incomplete if missing labels could change it: a decision, if under some labels the mean
    /// difference is 0 or has the other sign; no clear difference, if under some labels the interval excludes 0. Call
    /// it before human labels correct the comparison, since corrected comparisons do not depend on the missing labels.
    ///
    /// # Errors
    /// Returns an error if the options of the bootstrap are invalid.
    pub fn bound(
        &mut self,
        bounds: &[DifferenceBounds],
        options: &BootstrapOptions,
    ) -> Result<(), ReportError> {
        self.missing = MissingLabels::of(bounds);
        let Some(missing) = &self.missing else { return Ok(()) };
        let reason = match self.decision {
            ComparisonFinding::Better => {
                missing.lowest.is_none_or(|lowest| lowest <= 0.0).then_some(IncompleteReason::CouldReverse)
            }
            ComparisonFinding::Worse => {
                missing.highest.is_none_or(|highest| highest >= 0.0).then_some(IncompleteReason::CouldReverse)
            }
            ComparisonFinding::Inconclusive | ComparisonFinding::Identical => {
                let ends: [fn(&DifferenceBounds) -> f64; 2] = [|query| query.low, |query| query.high];
                let mut decides = false;
                for end in ends {
                    decides |= self.is_decided(bounds, end, options)?;
                }
                decides.then_some(IncompleteReason::CouldDecide)
            }
            ComparisonFinding::Unmeasured
            | ComparisonFinding::NotTrusted
            | ComparisonFinding::Incomplete { .. } => None,
        };
        if let Some(reason) = reason {
            self.decision = reason.into();
            self.queries_needed = None;
            self.track_record = None;
            self.by_judges = None;
        }
        if matches!(self.decision, ComparisonFinding::Incomplete { .. }) {
            self.sentence = describe(self);
        }
        Ok(())
    }

    /// Whether these differences decide.
    fn is_decided(
        &self,
        bounds: &[DifferenceBounds],
        end: fn(&DifferenceBounds) -> f64,
        options: &BootstrapOptions,
    ) -> Result<bool, ReportError> {
        let differences: Vec<f64> = bounds.iter().map(end).collect();
        match paired_bootstrap(&vec![0.0; differences.len()], &differences, options) {
            Ok(found) => Ok(found.decision != Decided::Inconclusive),
            Err(StatsError::Empty) => Ok(false),
            Err(source) => Err(ReportError::Stats { system: self.system.clone(), source }),
        }
    }
}

/// Returns the bootstrap interval of a mean; `None` without queries, or with too few of them.
pub(crate) fn interval_of(
    values: &[f64],
    options: &BootstrapOptions,
) -> Result<Option<(f64, f64)>, ReportError> {
    match paired_bootstrap(&vec![0.0; values.len()], values, options) {
        Ok(found) => Ok(finite(found.low).zip(finite(found.high))),
        Err(StatsError::Empty) => Ok(None),
        Err(source) => Err(ReportError::Stats { system: String::new(), source }),
    }
}

/// The sentence of an incomplete comparison.
pub(crate) fn incomplete(comparison: &BaselineComparison, because: IncompleteReason) -> String {
    let BaselineComparison { system, baseline, measure, .. } = comparison;
    let begin = format!("No verdict on {system} against {baseline} by {measure}");
    let missing = comparison.missing.as_ref().map(ToString::to_string);
    let none = |name: &str| {
        let counts = missing.as_ref().map_or_else(String::new, |missing| format!(" ({missing})"));
        format!("{begin}: no document that {name} returned has a label{counts}.")
    };
    let could = match because {
        IncompleteReason::SystemUnlabelled => return none(system),
        IncompleteReason::BaselineUnlabelled => return none(baseline),
        IncompleteReason::CouldReverse => "could reverse the result",
        IncompleteReason::CouldDecide => "could decide it",
    };
    let difference = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), brief_difference);
    let range = comparison.missing.map_or_else(String::new, |missing| {
        format!(" it could be from {} to {}", difference(missing.lowest), difference(missing.highest))
    });
    format!(
        "{begin}: {}, and the missing labels {could}. The difference is {} by the known labels; with the missing \
         ones{range}.",
        missing.unwrap_or_default(),
        difference(comparison.mean_difference),
    )
}
