//! Strata of a frame, by label, sign of weight and further properties.

use std::collections::BTreeMap;

use llull_core::SampleDesign;
use llull_stats::{by_place, guessed_share, guessed_square, guessed_variance};

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
        guessed_variance(self.place_on_scale(pair), self.largest_label)
    }

    /// The judge's grade of a pair, from 0, the least of its scale, to 1.
    pub(super) fn place_on_scale(&self, pair: &FramedPair) -> f64 {
        let (low, high) = self.request.scale;
        let above = pair.grade.map_or(0, |grade| grade.saturating_sub(low));
        f64::from(above) / f64::from((high - low).max(1))
    }

    /// The sizes by which pairs are drawn: their weight times the expected spread of their label, with a fifth that is
    /// the same for all. `place` is that of the judge's grade on its scale.
    ///
    /// For nDCG the weight does nearly all. Intervals are 11% to 16% narrower than by equal probabilities (a tenth of
    /// the pairs labelled, TREC 2019 and 2021 Deep Learning).
    pub(super) fn sizes(&self, place: impl Fn(&FramedPair) -> f64) -> Vec<f64> {
        let spread = |pair: &FramedPair| by_place(place(pair), &[0.3, 0.46, 0.5, 0.36]);
        let own: Vec<f64> =
            self.pairs.iter().map(|pair| pair.squared_weight().sqrt() * spread(pair)).collect();
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        own.into_iter().map(|size| if mean > 0.0 { 0.8 * size / mean + 0.2 } else { 1.0 }).collect()
    }

    /// The number of different grades of the judge; a missing one counts as one.
    pub(super) fn grades(&self) -> usize {
        let mut grades: Vec<_> = self.pairs.iter().map(|pair| pair.grade).collect();
        grades.sort_unstable();
        grades.dedup();
        grades.len()
    }

    /// The expected mean square of a pair's label about the mean of all labels, which is what annotators without a
    /// judge know.
    pub(super) fn square_without_judge(&self) -> impl Fn(&FramedPair) -> f64 {
        let shares = self.pairs.iter().map(|pair| guessed_share(self.place_on_scale(pair)));
        let share = shares.sum::<f64>() / self.pairs.len().max(1) as f64;
        move |pair| guessed_square(self.place_on_scale(pair), share, self.largest_label)
    }

    /// The expected standard deviation of a pair's contribution to the figures.
    pub(super) fn spread(&self, members: &[usize]) -> f64 {
        let pairs = || members.iter().filter_map(|at| self.pairs.get(*at));
        let squares: f64 = pairs().map(|pair| pair.squared_weight() * self.label_variance(pair)).sum();
        (squares / members.len().max(1) as f64).sqrt()
    }
}
