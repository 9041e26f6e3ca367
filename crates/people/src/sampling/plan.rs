//! Predicts the width of intervals before labels are paid for.

use llull_core::SampleDesign;
use llull_stats::{
    PlannedPairs, PlannedStratum, PlannedWidth, effective_queries, planned_pairs, planned_queries,
};
use serde::Serialize;

use super::error::SampleError;
use super::frame::{FrameFigure, SamplingFrame};
use super::frame_strata::FrameStratum;
use super::proposal::SampleProposal;

/// The correlation of a strong judge's figures for queries with those of human labels. On the TREC 2019 Deep Learning
/// queries, the intervals of `umbrela.gpt-4o` are 30% narrower than those of human labels alone.
const STRONG_JUDGE: f64 = 0.8;

/// The numbers of pairs and of queries that a plan shows.
const PAIRS: [usize; 8] = [25, 50, 100, 200, 400, 800, 1600, 3200];
const QUERIES: [usize; 9] = [6, 10, 15, 20, 30, 50, 100, 200, 500];

/// The expected results of numbers of labels.
#[derive(Debug, Clone, Serialize)]
pub struct SamplePlan {
    /// `pairs`, `stratified` or `queries`.
    pub design: &'static str,
    /// The measure.
    pub measure: String,
    /// The figure whose widths are given: of several, the one with the widest interval.
    pub figure: String,
    /// The number of figures that a sample corrects.
    pub figures: usize,
    /// The figure by the judge alone.
    pub judge_only: f64,
    /// The number of pairs that could be drawn.
    pub pairs: usize,
    /// The number of queries that they belong to.
    pub queries: usize,
    /// The number of pairs without a label of the judge.
    pub unlabelled: usize,
    /// The effective number of queries of the figure; null if the judge's figure is 0 for every query.
    pub effective_queries: Option<f64>,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// For each number of labels, the widths to expect.
    pub rows: Vec<PlanRow>,
    /// The proposed number; null if no number gives an interval.
    pub proposal: Option<SampleProposal>,
}

/// The widths to expect of one sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlanRow {
    /// The number of pairs, or queries, that are drawn.
    pub n: usize,
    /// The number of labels that these need; for queries, the expected number.
    pub labels: usize,
    /// The widths with the judge.
    pub width: PlannedWidth,
    /// The widths of human labels alone; null if pairs are drawn.
    pub people_alone: Option<PlannedWidth>,
}

impl SamplingFrame {
    /// Returns the expected width of intervals for some numbers of labels, and for `n` if it is given. It proposes a
    /// number of labels for an interval of this `width`, or for one that may decide.
    ///
    /// # Errors
    /// Returns an error if a figure is not finite.
    pub fn plan(&self, n: Option<usize>, width: Option<f64>) -> Result<SamplePlan, SampleError> {
        let mut plans = Vec::new();
        for (place, figure) in self.figures.iter().enumerate() {
            plans.push((place, figure, self.rows(place, figure, n)?));
        }
        let widest = |rows: &[PlanRow]| rows.first().map_or(0.0, |row| row.width.queries_like_these);
        let chosen = plans.into_iter().reduce(
            |best, other| {
                if widest(&other.2) > widest(&best.2) { other } else { best }
            },
        );
        let Some((place, figure, rows)) = chosen else { return Err(SampleError::NoLabels) };
        let judged = &figure.judged;
        Ok(SamplePlan {
            design: self.design.name(),
            measure: self.request.measure.to_string(),
            figure: figure.name(),
            figures: self.figures.len(),
            judge_only: judged.iter().sum::<f64>() / judged.len().max(1) as f64,
            pairs: self.pairs(),
            queries: self.queries(),
            unlabelled: self.unlabelled(),
            effective_queries: effective_queries(judged),
            confidence: self.request.confidence,
            rows,
            proposal: self.proposed((place, figure), width)?,
        })
    }

    fn rows(
        &self,
        place: usize,
        figure: &FrameFigure,
        n: Option<usize>,
    ) -> Result<Vec<PlanRow>, SampleError> {
        let of_queries = self.design == SampleDesign::Queries;
        let all = self.units_to_draw();
        let usual: &[usize] = if of_queries { &QUERIES } else { &PAIRS };
        let mut sizes: Vec<usize> = usual.iter().copied().filter(|size| *size < all).collect();
        sizes.extend(n.filter(|n| *n < all));
        sizes.sort_unstable();
        sizes.dedup();
        let strata = self.strata();
        let mut rows = Vec::new();
        for n in sizes {
            rows.extend(self.row((place, figure), &strata, n)?);
        }
        Ok(rows)
    }

    /// The number of queries, or pairs, in the frame.
    pub(super) fn units_to_draw(&self) -> usize {
        if self.design == SampleDesign::Queries { self.queries() } else { self.pairs() }
    }

    /// The widths of a sample of `n`; `None` if that is too few.
    pub(super) fn row(
        &self,
        (place, figure): (usize, &FrameFigure),
        strata: &[FrameStratum],
        n: usize,
    ) -> Result<Option<PlanRow>, SampleError> {
        match self.design {
            SampleDesign::Queries => self.row_of_queries(figure, n),
            _ => self.row_of_pairs(place, figure, strata, n),
        }
    }

    fn row_of_queries(&self, figure: &FrameFigure, n: usize) -> Result<Option<PlanRow>, SampleError> {
        let width = |correlation| planned_queries(&figure.judged, n, correlation, self.request.confidence);
        let Some(with_judge) = width(STRONG_JUDGE)? else { return Ok(None) };
        let labels = (self.pairs() as f64 * n as f64 / self.queries().max(1) as f64).round() as usize;
        Ok(Some(PlanRow { n, labels, width: with_judge, people_alone: width(0.0)? }))
    }

    /// The width from `n` pairs; `None` if strata would get too few.
    fn row_of_pairs(
        &self,
        place: usize,
        figure: &FrameFigure,
        strata: &[FrameStratum],
        n: usize,
    ) -> Result<Option<PlanRow>, SampleError> {
        let labels: Vec<f64> = match self.design {
            SampleDesign::Stratified => match self.allocated(strata, n) {
                Err(SampleError::TooFewForStrata { .. }) => return Ok(None),
                allocated => allocated?.into_iter().map(|labels| labels as f64).collect(),
            },
            _ => {
                let share = n as f64 / self.pairs.len().max(1) as f64;
                strata.iter().map(|stratum| stratum.members.len() as f64 * share).collect()
            }
        };
        let planned: Vec<PlannedStratum> =
            strata.iter().zip(labels).map(|(stratum, labels)| self.planned(place, stratum, labels)).collect();
        let mut grades: Vec<_> = self.pairs.iter().map(|pair| pair.grade).collect();
        grades.sort_unstable();
        grades.dedup();
        let plan = PlannedPairs {
            strata: &planned,
            grades: grades.len(),
            judged: &figure.judged,
            confidence: self.request.confidence,
        };
        let width = planned_pairs(&plan)?;
        Ok(width.map(|width| PlanRow { n, labels: n, width, people_alone: None }))
    }

    fn planned(&self, place: usize, stratum: &FrameStratum, labels: f64) -> PlannedStratum {
        let size = stratum.members.len();
        let (mut squares, mut products) = (0.0, 0.0);
        for pair in stratum.members.iter().filter_map(|at| self.pairs.get(*at)) {
            let weight = pair.weights.get(place).copied().unwrap_or(0.0);
            squares += weight * weight;
            products += weight * weight * self.label_variance(pair);
        }
        let label_variance = if squares > 0.0 { products / squares } else { 0.0 };
        PlannedStratum { size, labels, squared_weight: squares / size.max(1) as f64, label_variance }
    }
}
