//! Predicts the width of intervals before labels are paid for.

use llull_core::SampleDesign;
use llull_stats::{
    DividedQuery, PlannedTotal, PlannedWidth, divisor_variance, effective_queries, planned_queries,
    planned_total, probabilities_by_size,
};
use serde::Serialize;

use super::draw::LEAST_QUERIES;
use super::error::SampleError;
use super::frame::{FrameFigure, FramedPair, SamplingFrame};
use super::frame_strata::FrameStratum;

/// The correlation of a strong judge's figures for queries with those of human labels. On the TREC 2019 Deep Learning
/// queries, the intervals of `umbrela.gpt-4o` are 30% narrower than those of human labels alone.
const STRONG_JUDGE: f64 = 0.8;

/// The numbers of pairs and of queries that a plan shows.
const PAIRS: [usize; 8] = [25, 50, 100, 200, 400, 800, 1600, 3200];
const QUERIES: [usize; 9] = [6, 10, 15, 20, 30, 50, 100, 200, 500];

/// The expected results of numbers of labels.
#[derive(Debug, Clone, Serialize)]
pub struct SamplePlan {
    /// `pairs`, `stratified`, `unequal` or `queries`.
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
    /// The widths of as many human labels alone, which know no judge; null if they are too few.
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

    /// The width from `n` pairs; `None` if strata would get too few, or there are as many grades.
    fn row_of_pairs(
        &self,
        place: usize,
        figure: &FrameFigure,
        strata: &[FrameStratum],
        n: usize,
    ) -> Result<Option<PlanRow>, SampleError> {
        let labels = n as f64;
        let Some(probabilities) = self.probabilities(strata, n)? else { return Ok(None) };
        let planned = (probabilities.as_slice(), labels - self.grades() as f64);
        let width = self.width_of_pairs((place, figure), planned, |pair| self.label_variance(pair))?;
        // Without a judge every label is expected to vary alike.
        let alone = match self.design {
            SampleDesign::Unequal => (probabilities_by_size(&self.sizes(|_| 0.0), n)?, labels - 1.0),
            _ => (vec![labels / self.pairs.len() as f64; self.pairs.len()], labels - 2.0),
        };
        let alone = (alone.0.as_slice(), alone.1);
        let people_alone = self.width_of_pairs((place, figure), alone, self.square_without_judge())?;
        Ok(width.map(|width| PlanRow { n, labels: n, width, people_alone }))
    }

    /// The probability of each pair in a draw of `n`; `None` if strata would get too few.
    fn probabilities(&self, strata: &[FrameStratum], n: usize) -> Result<Option<Vec<f64>>, SampleError> {
        let all = self.pairs.len();
        match self.design {
            SampleDesign::Unequal => {
                Ok(Some(probabilities_by_size(&self.sizes(|pair| self.place_on_scale(pair)), n)?))
            }
            SampleDesign::Stratified => {
                let labels = match self.allocated(strata, n) {
                    Err(SampleError::TooFewForStrata { .. }) => return Ok(None),
                    allocated => allocated?,
                };
                let mut probabilities = vec![1.0; all];
                for (stratum, labels) in strata.iter().zip(labels) {
                    let share = labels as f64 / stratum.members.len().max(1) as f64;
                    stratum.members.iter().for_each(|at| probabilities[*at] = share);
                }
                Ok(Some(probabilities))
            }
            _ => Ok(Some(vec![n as f64 / all.max(1) as f64; all])),
        }
    }

    /// The width if pairs have these probabilities, the interval so many degrees of freedom, and labels vary so much.
    fn width_of_pairs(
        &self,
        (place, figure): (usize, &FrameFigure),
        (probabilities, degrees): (&[f64], f64),
        label_variance: impl Fn(&FramedPair) -> f64,
    ) -> Result<Option<PlannedWidth>, SampleError> {
        let queries = self.queries.len();
        let (mut squares, mut labelled) = (vec![0.0; queries], vec![0.0; queries]);
        let mut of_labels = 0.0;
        for (pair, probability) in self.pairs.iter().zip(probabilities) {
            let weight = pair.weights.get(place).copied().unwrap_or(0.0);
            let square = weight * weight * label_variance(pair);
            of_labels += square * (1.0 - probability) / probability;
            squares[pair.query] += square;
            labelled[pair.query] += probability;
        }
        let expected =
            |query: usize| figure.judged.get(query).copied().unwrap_or(0.0) / queries.max(1) as f64;
        let of_query = |query: usize| DividedQuery {
            expected: expected(query),
            squares: squares[query],
            unlabelled: 1.0 - labelled[query] / self.pools[query].max(1) as f64,
        };
        let value = (0..queries).map(expected).sum();
        let of_divisor =
            if self.divided { divisor_variance((0..queries).map(of_query), value).sum() } else { 0.0 };
        let total = PlannedTotal { of_labels, of_divisor, degrees };
        Ok(planned_total(total, &figure.judged, self.request.confidence)?)
    }
}

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
