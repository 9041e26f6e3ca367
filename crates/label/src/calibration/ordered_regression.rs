//! Regresses an ordered category on one number.
//!
//! It is the cumulative model with a logistic or a normal link.

use super::error::CalibrationError;
use crate::linear_system::solve;

/// How a category's probability follows from the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Proportional odds (McCullagh, Regression models for ordinal data, JRSS B 42(2), 1980).
    Logit,
    /// Thurstone's model of successive categories (1927): thresholds on a scale with normal noise.
    Probit,
}

impl Link {
    /// The probability below `x`, and the density at it.
    fn at(self, x: f64) -> (f64, f64) {
        match self {
            Self::Logit => {
                let tail = libm::exp(-x.abs());
                let low = tail / (1.0 + tail);
                (if x < 0.0 { low } else { 1.0 / (1.0 + tail) }, low / (1.0 + tail))
            }
            Self::Probit => {
                let density = libm::exp(-x * x / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
                (0.5 * libm::erfc(-x / std::f64::consts::SQRT_2), density)
            }
        }
    }
}

/// Things alike: a number, the place of their category, and how much they count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderedCell {
    /// The number.
    pub x: f64,
    /// The category's place, from 0.
    pub category: usize,
    /// The number of these things, or the sum of their weights.
    pub weight: f64,
}

/// A fitted model: the probability of a category up to place k at x is F(thresholds\[k\] - slope x).
#[derive(Debug, Clone, PartialEq)]
pub struct OrderedFit {
    /// The link.
    pub link: Link,
    /// The thresholds between categories, rising.
    pub thresholds: Vec<f64>,
    /// The slope.
    pub slope: f64,
    /// The logarithm of the likelihood.
    pub log_likelihood: f64,
}

/// So many steps are made at most.
const STEPS: usize = 200;
/// The fit has settled where no derivative of the mean log-likelihood is above this.
const SETTLED: f64 = 1e-10;
/// A slope or a threshold beyond this is on its way to infinity.
const FURTHEST: f64 = 100.0;
/// A mean log-likelihood above this leaves no doubt: its maximum is at infinity.
const NO_DOUBT: f64 = -1e-6;

/// Fits the model by maximum likelihood: Newton's method, with steps halved until the likelihood rises and the
/// thresholds do. Every category must occur.
///
/// # Errors
/// Returns [`CalibrationError::NoFit`] if the likelihood has no finite maximum or it was not found.
pub fn fit_ordered(
    link: Link,
    cells: &[OrderedCell],
    categories: usize,
) -> Result<OrderedFit, CalibrationError> {
    let total: f64 = cells.iter().map(|cell| cell.weight).sum();
    let model = Model { link, cells, total };
    let mut at = model.start(categories);
    let (mut likelihood, mut gradient) = model.evaluate(&at).ok_or(CalibrationError::NoFit)?;
    for _ in 0..STEPS {
        if gradient.iter().all(|derivative| derivative.abs() < SETTLED) {
            let slope = at.pop().unwrap_or_default();
            return Ok(OrderedFit { link, thresholds: at, slope, log_likelihood: likelihood * total });
        }
        let step = model.newton_step(&at, &gradient).ok_or(CalibrationError::NoFit)?;
        let mut length = 1.0;
        let next = loop {
            let tried: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + length * step).collect();
            match model.evaluate(&tried) {
                // Near the maximum rounding decides whether the likelihood rises.
                Some(found) if found.0 >= likelihood - 1e-14 => break Some((tried, found)),
                _ if length < 1e-10 => break None,
                _ => length /= 2.0,
            }
        };
        let Some((tried, found)) = next else { return Err(CalibrationError::NoFit) };
        at = tried;
        (likelihood, gradient) = found;
        if likelihood > NO_DOUBT || at.iter().any(|value| value.abs() > FURTHEST) {
            return Err(CalibrationError::NoFit);
        }
    }
    Err(CalibrationError::NoFit)
}

struct Model<'a> {
    link: Link,
    cells: &'a [OrderedCell],
    total: f64,
}

impl Model<'_> {
    /// No slope, and the thresholds where the categories' shares put them, by the logistic link.
    fn start(&self, categories: usize) -> Vec<f64> {
        let mut below = 0.0;
        let mut at: Vec<f64> = (0..categories.saturating_sub(1))
            .map(|place| {
                let of_place = self.cells.iter().filter(|cell| cell.category == place);
                below += of_place.map(|cell| cell.weight).sum::<f64>();
                let share = below / self.total;
                libm::log(share / (1.0 - share))
            })
            .collect();
        at.push(0.0);
        at
    }

    /// The mean log-likelihood and its derivatives by each threshold and the slope; `None` where it is not finite.
    fn evaluate(&self, at: &[f64]) -> Option<(f64, Vec<f64>)> {
        let (slope, thresholds) = at.split_last()?;
        let (mut likelihood, mut gradient) = (0.0, vec![0.0; at.len()]);
        for cell in self.cells {
            let end = |place: Option<usize>| {
                place.and_then(|place| thresholds.get(place)).map(|end| self.link.at(end - slope * cell.x))
            };
            let below = cell.category.checked_sub(1);
            let (upper, density_upper) = end(Some(cell.category)).unwrap_or((1.0, 0.0));
            let (lower, density_lower) = end(below).unwrap_or((0.0, 0.0));
            let chance = upper - lower;
            if !(chance > 0.0 && chance.is_finite()) {
                return None;
            }
            let share = cell.weight / self.total;
            likelihood += share * libm::log(chance);
            if let Some(derivative) = gradient.get_mut(cell.category).filter(|_| density_upper > 0.0) {
                *derivative += share * density_upper / chance;
            }
            if let Some(derivative) = below.and_then(|place| gradient.get_mut(place)) {
                *derivative -= share * density_lower / chance;
            }
            if let Some(derivative) = gradient.last_mut() {
                *derivative -= share * cell.x * (density_upper - density_lower) / chance;
            }
        }
        Some((likelihood, gradient))
    }

    /// Newton's step, with second derivatives from central differences of the first.
    fn newton_step(&self, at: &[f64], gradient: &[f64]) -> Option<Vec<f64>> {
        const APART: f64 = 1e-5;
        let mut columns = Vec::with_capacity(at.len());
        for place in 0..at.len() {
            let moved = |by: f64| {
                let mut moved = at.to_vec();
                if let Some(value) = moved.get_mut(place) {
                    *value += by;
                }
                self.evaluate(&moved)
            };
            let (above, below) = (moved(APART)?.1, moved(-APART)?.1);
            columns
                .push(above.iter().zip(&below).map(|(a, b)| (b - a) / (2.0 * APART)).collect::<Vec<f64>>());
        }
        solve(columns, gradient.to_vec())
    }
}

impl OrderedFit {
    /// The probability of each category at `x`.
    pub fn chances(&self, x: f64) -> Vec<f64> {
        let up_to = self.thresholds.iter().map(|end| self.link.at(end - self.slope * x).0).chain([1.0]);
        let mut before = 0.0;
        up_to.map(|up_to| up_to - std::mem::replace(&mut before, up_to)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Human grades (rows) by those of GPT-4o under the UMBRELA prompt (columns) on TREC Deep Learning 2019.
    const DL19: [[f64; 4]; 4] = [
        [3523.0, 1391.0, 201.0, 43.0],
        [330.0, 960.0, 235.0, 76.0],
        [147.0, 625.0, 645.0, 387.0],
        [136.0, 161.0, 166.0, 234.0],
    ];

    fn cells(of_people: bool) -> Vec<OrderedCell> {
        let cell = |(human, judge): (usize, usize)| match of_people {
            true => OrderedCell { x: judge as f64, category: human, weight: DL19[human][judge] },
            false => OrderedCell { x: human as f64, category: judge, weight: DL19[human][judge] },
        };
        (0..16).map(|at| cell((at / 4, at % 4))).collect()
    }

    fn near(found: &[f64], expected: &[f64], within: f64) {
        assert_eq!(found.len(), expected.len());
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < within),
            "{found:?} is not {expected:?}"
        );
    }

    /// statsmodels 0.15.0, `OrderedModel(human, judge, distr="logit").fit(method="bfgs")`.
    #[test]
    fn proportional_odds_equal_statsmodels() {
        let fit = fit_ordered(Link::Logit, &cells(true), 4).unwrap();
        near(&[fit.slope], &[1.489_645_175_3], 1e-6);
        near(&fit.thresholds, &[1.495_583_630_3, 2.642_624_772_6, 4.696_993_317_2], 1e-6);
        near(&[fit.log_likelihood], &[-8_644.329_312_50], 1e-5);
        near(&fit.chances(2.0), &[0.184_868_193_8, 0.231_751_480_9, 0.431_213_052_6, 0.152_167_272_7], 1e-6);
    }

    /// statsmodels 0.15.0, `OrderedModel(judge, human, distr="probit").fit(method="bfgs")`.
    #[test]
    fn thresholds_with_normal_noise_equal_statsmodels() {
        let fit = fit_ordered(Link::Probit, &cells(false), 4).unwrap();
        near(&[fit.slope], &[0.754_670_481_3], 1e-6);
        near(&fit.thresholds, &[0.379_238_944_3, 1.594_434_503_7, 2.420_538_825_2], 1e-6);
        near(&[fit.log_likelihood], &[-9_276.372_153_28], 1e-5);
    }

    #[test]
    fn what_leaves_no_doubt_has_no_fit() {
        let cells = [0usize, 1, 2].map(|at| OrderedCell { x: at as f64, category: at, weight: 10.0 });
        for link in [Link::Logit, Link::Probit] {
            assert_eq!(fit_ordered(link, &cells, 3), Err(CalibrationError::NoFit));
        }
    }
}
