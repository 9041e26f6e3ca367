//! Beta calibration: the probability of a human grade over the judge's scale.

use serde::Serialize;

use super::error::CalibrationError;
use crate::linear_system::solve;

/// A curve of Beta calibration (Kull, Silva Filho and Flach, Beta calibration: a well-founded and easily implemented
/// improvement on logistic calibration for binary classifiers, AISTATS 2017): the logit of the probability at `s` is
/// `a ln s - b ln(1 - s) + c`. It never falls, as neither `a` nor `b` is below 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BetaCurve {
    /// How steeply it rises from the lower end.
    pub a: f64,
    /// How steeply it rises to the upper end.
    pub b: f64,
    /// Where it lies.
    pub c: f64,
}

/// A place on the judge's scale, above 0 and below 1, and the weights of the pairs there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BetaCell {
    pub(crate) place: f64,
    /// The weight of pairs whose human grade is the tested one or higher.
    pub(crate) reached: f64,
    /// All.
    pub(crate) all: f64,
}

/// So many steps are made at most.
const STEPS: usize = 100;
/// The fit has settled where no derivative of the mean log-likelihood is above this.
const SETTLED: f64 = 1e-11;
/// A parameter beyond this is on its way to infinity.
const FURTHEST: f64 = 100.0;

impl BetaCurve {
    /// Returns the probability at a place on the judge's scale, above 0 and below 1.
    pub fn chance(&self, place: f64) -> f64 {
        let [low, high] = features(place);
        logistic(self.a * low + self.b * high + self.c)
    }
}

/// Returns the middle of a grade's share of the judge's scale: its place there, from 0 to 1.
pub(crate) fn middle(grade: f64, levels: f64) -> f64 {
    (grade + 0.5) / levels
}

/// Fits the curve by maximum likelihood. If a parameter would be below 0, it is 0, and the rest is fitted again, as in
/// the authors' package. At two places any two parameters fit alike, so that `b` is 0.
///
/// # Errors
/// [`CalibrationError::NoFit`] if the likelihood has no finite maximum, and [`CalibrationError::NotRising`] if neither
/// parameter is above 0.
pub(crate) fn fit_beta(cells: &[BetaCell]) -> Result<BetaCurve, CalibrationError> {
    let places = cells.iter().filter(|cell| cell.all > 0.0).count();
    if places < 2 {
        return Err(CalibrationError::NoFit);
    }
    let both = fit(cells, [true, places > 2])?;
    let rising = match (both.a < 0.0, both.b < 0.0) {
        (false, false) => both,
        (true, _) => fit(cells, [false, true])?,
        (false, true) => fit(cells, [true, false])?,
    };
    if rising.a < 0.0 || rising.b < 0.0 || rising.a + rising.b == 0.0 {
        return Err(CalibrationError::NotRising);
    }
    Ok(rising)
}

fn features(place: f64) -> [f64; 2] {
    [libm::log(place), -libm::log(1.0 - place)]
}

fn logistic(x: f64) -> f64 {
    let tail = libm::exp(-x.abs());
    if x < 0.0 { tail / (1.0 + tail) } else { 1.0 / (1.0 + tail) }
}

/// Logistic regression on the features that are named: Newton's method, with steps halved until the likelihood rises.
fn fit(cells: &[BetaCell], named: [bool; 2]) -> Result<BetaCurve, CalibrationError> {
    let total: f64 = cells.iter().map(|cell| cell.all).sum();
    let rows: Vec<(Vec<f64>, BetaCell)> = (cells.iter().filter(|cell| cell.all > 0.0))
        .map(|cell| {
            let kept = features(cell.place).into_iter().zip(named).filter(|(_, named)| *named);
            (kept.map(|(feature, _)| feature).chain([1.0]).collect(), *cell)
        })
        .collect();
    let width = named.iter().filter(|named| **named).count() + 1;
    let at =
        |parameters: &[f64], row: &[f64]| -> f64 { parameters.iter().zip(row).map(|(p, x)| p * x).sum() };
    let likelihood = |parameters: &[f64]| -> f64 {
        let of = |(row, cell): &(Vec<f64>, BetaCell)| {
            let x = at(parameters, row);
            // ln(1 + e^x) without overflow.
            cell.reached * x - cell.all * (x.max(0.0) + libm::log1p(libm::exp(-x.abs())))
        };
        rows.iter().map(of).sum::<f64>() / total
    };
    let mut parameters = vec![0.0; width];
    let mut best = likelihood(&parameters);
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; width];
        let mut curvature = vec![vec![0.0; width]; width];
        for (row, cell) in &rows {
            let chance = logistic(at(&parameters, row));
            for (i, x) in row.iter().enumerate() {
                gradient[i] += x * (cell.reached - cell.all * chance) / total;
                for (j, y) in row.iter().enumerate() {
                    curvature[i][j] += x * y * cell.all * chance * (1.0 - chance) / total;
                }
            }
        }
        if gradient.iter().all(|derivative| derivative.abs() < SETTLED) {
            let mut found = parameters.into_iter();
            let mut next = |named: bool| if named { found.next().unwrap_or_default() } else { 0.0 };
            let [a, b] = named.map(&mut next);
            return Ok(BetaCurve { a, b, c: next(true) });
        }
        let step = solve(curvature, gradient).ok_or(CalibrationError::NoFit)?;
        let mut length = 1.0;
        let next = loop {
            let tried: Vec<f64> = parameters.iter().zip(&step).map(|(p, step)| p + length * step).collect();
            let found = likelihood(&tried);
            if found >= best - 1e-14 {
                break Some((tried, found));
            }
            if length < 1e-10 {
                break None;
            }
            length /= 2.0;
        };
        (parameters, best) = next.ok_or(CalibrationError::NoFit)?;
        if parameters.iter().any(|parameter| parameter.abs() > FURTHEST) {
            return Err(CalibrationError::NoFit);
        }
    }
    Err(CalibrationError::NoFit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of four grades, and how many pairs of each people grade 1, 2 or 3 and above: GPT-4o under the UMBRELA
    /// prompt on TREC Deep Learning 2019.
    fn dl19(reached: [f64; 4]) -> Vec<BetaCell> {
        let all = [4136.0, 3137.0, 1247.0, 740.0];
        let places = [0.125, 0.375, 0.625, 0.875];
        (0..4).map(|at| BetaCell { place: places[at], reached: reached[at], all: all[at] }).collect()
    }

    /// betacal 1.1.0 with scikit-learn 1.9.1, `BetaCalibration("abm").fit(...)`, whose regression is made to settle:
    /// `LogisticRegression(solver="newton-cholesky", tol=1e-13)`. As the package has it, it stops .002 before that.
    #[test]
    fn curves_equal_those_of_betacal() {
        let golden = [
            (
                [613.0, 1746.0, 1046.0, 697.0],
                [1.580_957_610_3, 0.849_769_615_5, 1.412_204_38],
                [0.146_560_84, 0.564_869_74, 0.817_966_03, 0.951_114_01],
            ),
            (
                [283.0, 786.0, 811.0, 621.0],
                [1.279_181_035_7, 1.111_708_377_8, -0.202_331_95],
                [0.062_160_09, 0.282_016_06, 0.571_223_42, 0.874_197_14],
            ),
            (
                [136.0, 161.0, 166.0, 234.0],
                [0.260_764_583_3, 1.127_148_761_2, -3.040_059_9],
                [0.031_316_44, 0.059_185_94, 0.113_338_97, 0.324_966_5],
            ),
        ];
        for (reached, parameters, chances) in golden {
            let curve = fit_beta(&dl19(reached)).unwrap();
            for (found, expected) in [curve.a, curve.b, curve.c].into_iter().zip(parameters) {
                assert!((found - expected).abs() < 1e-7, "{curve:?}, not {parameters:?}");
            }
            for (cell, expected) in dl19(reached).iter().zip(chances) {
                let found = curve.chance(cell.place);
                assert!((found - expected).abs() < 1e-7, "{found}, not {expected}");
            }
        }
    }

    /// With places at which the chance falls first, `a` would be below 0.
    #[test]
    fn a_curve_never_falls() {
        let bent = fit_beta(&dl19([900.0, 600.0, 300.0, 600.0])).unwrap();
        assert_eq!(bent.a, 0.0);
        assert!(bent.b > 0.0);
        let chances: Vec<f64> = [0.01, 0.2, 0.5, 0.99].iter().map(|place| bent.chance(*place)).collect();
        assert!(chances.is_sorted());
        assert_eq!(fit_beta(&dl19([4000.0, 2000.0, 500.0, 50.0])), Err(CalibrationError::NotRising));
        assert_eq!(fit_beta(&dl19([0.0, 0.0, 1247.0, 740.0])), Err(CalibrationError::NoFit));
    }
}
