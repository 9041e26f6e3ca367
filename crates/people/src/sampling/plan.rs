//! How wide an interval so many labels give, before one is bought.

use llull_core::SampleDesign;
use llull_stats::{
    PlannedPairs, PlannedStratum, PlannedWidth, effective_queries, planned_pairs, planned_queries,
};
use serde::Serialize;

use super::error::SampleError;
use super::frame::{FrameFigure, SamplingFrame};
use super::frame_strata::FrameStratum;
use super::proposal::SampleProposal;

/// The correlation of a strong judge's figures for queries with people's: on the TREC 2019 Deep Learning queries, the
/// intervals of `umbrela.gpt-4o` are 30% narrower than those of people's labels alone.
const STRONG_JUDGE: f64 = 0.8;

/// The numbers of pairs and of queries that a plan shows.
const PAIRS: [usize; 8] = [25, 50, 100, 200, 400, 800, 1600, 3200];
const QUERIES: [usize; 9] = [6, 10, 15, 20, 30, 50, 100, 200, 500];

/// What so many labels are expected to give.
#[derive(Debug, Clone, Serialize)]
pub struct SamplePlan {
    /// `pairs`, `stratified` or `queries`.
    pub design: &'static str,
    /// The measure.
    pub measure: String,
    /// The figure that the widths are of: of several, the one with the widest interval.
    pub figure: String,
    /// How many figures a sample corrects.
    pub figures: usize,
    /// What the judge alone says of the figure.
    pub judge_only: f64,
    /// The number of pairs that could be drawn.
    pub pairs: usize,
    /// The number of queries that they belong to.
    pub queries: usize,
    /// How many of the pairs the judge has not labelled.
    pub unlabelled: usize,
    /// How many queries carry the figure; null if the judge sees nothing in it.
    pub effective_queries: Option<f64>,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// For each number of labels, the widths to expect.
    pub rows: Vec<PlanRow>,
    /// How many to draw; null if no number gives an interval.
    pub proposal: Option<SampleProposal>,
}

/// The widths to expect of one sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlanRow {
    /// How many pairs, or queries, are drawn.
    pub n: usize,
    /// How many labels that takes: of queries, the number to expect.
    pub labels: usize,
    /// The widths with the judge.
    pub width: PlannedWidth,
    /// The widths of people's labels alone; null where pairs are drawn.
    pub people_alone: Option<PlannedWidth>,
}

impl SamplingFrame {
    /// Returns how wide an interval is to be expected at some numbers of labels, and at `n` if it is given; and
    /// proposes how many labels to draw for an interval of this `width`, or of one that may decide.
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

    /// How many queries, or pairs, there are to draw from.
    pub(super) fn units_to_draw(&self) -> usize {
        if self.design == SampleDesign::Queries { self.queries() } else { self.pairs() }
    }

    /// The widths of a sample of `n`; `None` where that is too few.
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

    /// The width from `n` pairs; `None` where strata would go with too few.
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
