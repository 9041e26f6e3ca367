//! A correction with its inputs.

use llull_report::{CorrectedFigure, CorrectionFacts, expected_width};
use llull_stats::Corrected;

/// A correction with its inputs.
#[derive(Debug, Clone)]
pub struct SampleCorrection {
    /// The corrected value and its interval, in the measure's unit. Drawn units without a label count like the others.
    pub corrected: Corrected,
    pub(crate) facts: CorrectionFacts,
}

impl SampleCorrection {
    /// Returns the figure.
    pub fn figure(&self) -> CorrectedFigure {
        CorrectedFigure::new(&self.corrected, self.facts.clone())
    }

    /// Returns half of its width.
    pub fn half_width(&self) -> f64 {
        (self.corrected.high - self.corrected.low) / 2.0
    }

    /// Returns the approximate half width with this number of labelled units.
    pub fn expected_half_width(&self, units: f64) -> Option<f64> {
        expected_width(&self.corrected, &self.facts, units).map(|width| width / 2.0)
    }

    /// Returns the number of drawn units that it reads, labelled or not.
    pub fn drawn(&self) -> usize {
        self.corrected.labels + self.facts.nonresponse
    }
}
