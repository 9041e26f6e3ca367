//! Strata of a frame, by label, sign of weight and further properties.

use std::collections::BTreeMap;

use llull_core::SampleDesign;
use llull_stats::guessed_variance;

use super::frame::{FramedPair, SamplingFrame};
use super::request::StratifyBy;

/// A stratum: its name, and the positions of its pairs in the frame.
#[derive(Debug, Clone)]
pub(super) struct FrameStratum {
    pub(super) name: String,
    pub(super) members: Vec<usize>,
}

impl SamplingFrame {
    /// Returns the strata in which pairs are drawn, or by which a uniform sample is weighted afterwards, in order of
    /// name.
    pub(super) fn strata(&self) -> Vec<FrameStratum> {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, pair) in self.pairs.iter().enumerate() {
            by_name.entry(self.stratum_name(pair)).or_default().push(at);
        }
        by_name.into_iter().map(|(name, members)| FrameStratum { name, members }).collect()
    }

    /// The name of a pair's stratum.
    ///
    /// `2+` is grade 2 with a positive weight, for a document of the candidate; `2-` one of the baseline. `.n3` means
    /// that three systems return it, `.d1` that the judges' grades differ by one. `none` has no label of the judge.
    fn stratum_name(&self, pair: &FramedPair) -> String {
        let stratified = self.design == SampleDesign::Stratified;
        let by = |what| stratified && self.request.by.contains(&what);
        let mut name = String::new();
        if !stratified || self.request.by.is_empty() || by(StratifyBy::Label) {
            name += &pair.grade.map_or_else(|| "none".to_owned(), |grade| grade.to_string());
        }
        // The sign has a meaning only for one difference.
        if let ([figure], [weight]) = (self.figures.as_slice(), pair.weights.as_slice())
            && figure.baseline.is_some()
        {
            name += if *weight > 0.0 { "+" } else { "-" };
        }
        if by(StratifyBy::Systems) {
            name += &format!(".n{}", pair.holders);
        }
        if by(StratifyBy::Disagreement) {
            name += &format!(".d{}", pair.spread);
        }
        name
    }

    /// The expected variance of the human label of a pair.
    pub(super) fn label_variance(&self, pair: &FramedPair) -> f64 {
        let (low, high) = self.request.scale;
        let above = pair.grade.map_or(0, |grade| grade.saturating_sub(low));
        let place = f64::from(above) / f64::from((high - low).max(1));
        guessed_variance(place, self.largest_label)
    }

    /// The expected standard deviation of a pair's contribution to the figures.
    pub(super) fn spread(&self, members: &[usize]) -> f64 {
        let pairs = || members.iter().filter_map(|at| self.pairs.get(*at));
        let squares: f64 = pairs().map(|pair| pair.squared_weight() * self.label_variance(pair)).sum();
        (squares / members.len().max(1) as f64).sqrt()
    }
}
