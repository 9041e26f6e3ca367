//! Proposes the number of labels to draw.

use llull_core::SampleDesign;
use serde::Serialize;

use super::draw::LEAST_QUERIES;
use super::error::SampleError;
use super::frame::{FrameFigure, SamplingFrame};

/// If no number of labels is likely to decide, the proposal is an interval this many times as wide as the narrowest.
const NEAR_THE_NARROWEST: f64 = 1.25;

/// An interval at most this many times as wide as the difference excludes 0 four times in five: the difference is then
/// 2.8 standard errors, 1.96 and 0.84, and the interval 3.92 wide.
const DECIDES: f64 = 1.4;

/// The proposed number of labels for an interval of some width.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampleProposal {
    /// The wanted width.
    pub wanted: f64,
    /// The reason for that width: `requested`, `decides` (four times in five if the judge is right), or `narrow` if no
    /// width is likely to decide.
    pub because: &'static str,
    /// The number of pairs, or queries, to draw.
    pub n: usize,
    /// The number of pairs to label; for queries, the expected number.
    pub pairs: usize,
    /// The expected width, for queries like these.
    pub width: f64,
    /// Whether it reaches the wanted width. If not, no sample is that narrow, and this is the narrowest.
    pub reached: bool,
}

impl SamplingFrame {
    /// Proposes the smallest sample whose interval for this figure has the wanted width.
    pub(super) fn proposed(
        &self,
        (place, figure): (usize, &FrameFigure),
        width: Option<f64>,
    ) -> Result<Option<SampleProposal>, SampleError> {
        let strata = self.strata();
        let width_at = |n: usize| -> Result<Option<f64>, SampleError> {
            Ok(self.row((place, figure), &strata, n)?.map(|row| row.width.queries_like_these))
        };
        let least = match self.design {
            SampleDesign::Queries => LEAST_QUERIES,
            _ => self.least_labels(),
        };
        let most = self.units_to_draw().saturating_sub(1);
        let Some(narrowest) = width_at(most)?.filter(|_| most >= least) else { return Ok(None) };
        let judged = &figure.judged;
        let decides = DECIDES * (judged.iter().sum::<f64>() / judged.len().max(1) as f64).abs();
        let (wanted, because) = match width {
            Some(width) => (width, "requested"),
            None if decides > narrowest => (decides, "decides"),
            None => (narrowest * NEAR_THE_NARROWEST, "narrow"),
        };
        // Widths fall with the number of labels.
        let (mut low, mut high) = (least, most);
        while low < high {
            let middle = low + (high - low) / 2;
            match width_at(middle)?.is_some_and(|width| width <= wanted) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        let pairs = match self.design {
            SampleDesign::Queries => self.pairs_of(low),
            _ => low,
        };
        let Some(width) = width_at(low)? else { return Ok(None) };
        Ok(Some(SampleProposal { wanted, because, n: low, pairs, width, reached: width <= wanted }))
    }
}
