//! Logistic regression with a ridge penalty and without an intercept.

use llull_core::PairChoice;
use serde::{Deserialize, Serialize};

use crate::table::TrainingTable;

/// The most steps of Newton's method; the penalised likelihood is strictly concave, and a few do.
const STEPS: usize = 50;

/// A weight for each feature: P(left-hand side is better) = 1 / (1 + exp(-sum of weight x vote)), where a vote is +1,
/// -1 or 0. Neither and missing are both 0: their mirror images are themselves, so an antisymmetric sum cannot use
/// them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogisticPairs {
    /// The weights, in the order of the features.
    pub weights: Vec<f64>,
}

impl LogisticPairs {
    /// Maximises the log-likelihood minus `ridge` / 2 times the sum of squared weights, by Newton's method with halved
    /// steps. `ridge` is above 0.
    pub(crate) fn fit(table: &TrainingTable, rows: &[usize], ridge: f64) -> Self {
        let features = table.table().features().len();
        // Every pair is turned so that its left-hand side is the better one; each fit also uses its mirror image, so
        // the result is the same.
        let votes: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let sign = if table.lhs()[*row] { 1.0 } else { -1.0 };
                (0..features).map(|at| sign * f64::from(table.table().column(at)[*row].vote())).collect()
            })
            .collect();
        let mut weights = vec![0.0; features];
        let mut value = objective(&votes, &weights, ridge);
        for _ in 0..STEPS {
            let step = newton_step(&votes, &weights, ridge);
            let mut size = 1.0;
            let (next, reached) = loop {
                let next: Vec<f64> = weights.iter().zip(&step).map(|(at, by)| at + size * by).collect();
                let reached = objective(&votes, &next, ridge);
                if reached >= value || size < 1e-10 {
                    break (next, reached);
                }
                size /= 2.0;
            };
            let gained = reached - value;
            if gained > 0.0 {
                (weights, value) = (next, reached);
            }
            if gained <= 1e-12 * value.abs() {
                break;
            }
        }
        Self { weights }
    }

    /// Returns 2 P - 1, from -1 to 1.
    pub(crate) fn score(&self, answer: impl Fn(usize) -> PairChoice) -> f64 {
        let votes = self.weights.iter().enumerate();
        let sum: f64 = votes.map(|(feature, weight)| weight * f64::from(answer(feature).vote())).sum();
        libm::tanh(sum / 2.0)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn objective(votes: &[Vec<f64>], weights: &[f64], ridge: f64) -> f64 {
    let likelihood: f64 = votes.iter().map(|row| -softplus(-dot(row, weights))).sum();
    likelihood - ridge / 2.0 * dot(weights, weights)
}

/// log(1 + exp(x)) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Solves (X'WX + ridge) step = gradient by Cholesky's decomposition: the matrix is positive definite.
fn newton_step(votes: &[Vec<f64>], weights: &[f64], ridge: f64) -> Vec<f64> {
    let size = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -ridge * weight).collect();
    let mut matrix = vec![0.0; size * size];
    for row in votes {
        let wrong = 1.0 / (1.0 + libm::exp(dot(row, weights)));
        let spread = wrong * (1.0 - wrong);
        for (at, vote) in row.iter().enumerate().filter(|(_, vote)| **vote != 0.0) {
            gradient[at] += wrong * vote;
            let scaled = spread * vote;
            for (cell, other) in matrix[at * size..=at * size + at].iter_mut().zip(row) {
                *cell += scaled * other;
            }
        }
    }
    for at in 0..size {
        matrix[at * size + at] += ridge;
    }
    solve(&mut matrix, gradient)
}

/// Solves a symmetric positive definite system whose lower half is given.
pub(crate) fn solve(matrix: &mut [f64], mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let known =
                dot(&matrix[row * size..row * size + column], &matrix[column * size..column * size + column]);
            let rest = matrix[row * size + column] - known;
            matrix[row * size + column] =
                if row == column { rest.max(0.0).sqrt() } else { rest / matrix[column * size + column] };
        }
    }
    for row in 0..size {
        let known = dot(&matrix[row * size..row * size + row], &right[..row]);
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{FeatureTable, PairFeature};

    /// scikit-learn 1.9.1: LogisticRegression(C=1/ridge, fit_intercept=False, tol=1e-14).fit(X, y).coef_
    #[test]
    fn weights_are_those_of_scikit_learn() {
        let votes = [
            ([1, 1, 0], true),
            ([1, -1, 1], true),
            ([-1, -1, 0], false),
            ([1, 0, -1], true),
            ([-1, 1, 1], false),
            ([0, 1, 1], true),
            ([-1, -1, -1], false),
            ([1, 1, -1], false),
            ([0, -1, 1], false),
            ([-1, 0, 0], true),
        ];
        let answer = |vote: i32| match vote {
            1 => PairChoice::Lhs,
            0 => PairChoice::Neither,
            _ => PairChoice::Rhs,
        };
        let columns = (0..3).map(|at| votes.iter().map(|(row, _)| answer(row[at])).collect()).collect();
        let features = (0..3).map(|at| PairFeature { name: at.to_string(), calls: 1 }).collect();
        let table = FeatureTable::new(features, columns).unwrap();
        let lhs = votes.iter().map(|(_, lhs)| *lhs).collect();
        let table = TrainingTable::new(table, lhs, (0..10).collect()).unwrap();
        let rows: Vec<usize> = (0..10).collect();
        for (ridge, expected) in [
            (1.0, [0.673_902_315_830_333_9, 0.241_161_113_010_477_2, 0.254_298_905_429_900_6]),
            (10.0, [0.164_553_003_323_390_07, 0.076_577_935_686_223_52, 0.046_087_288_600_421_1]),
        ] {
            let fitted = LogisticPairs::fit(&table, &rows, ridge);
            for (weight, expected) in fitted.weights.iter().zip(expected) {
                assert!((weight - expected).abs() < 1e-6, "{:?}", fitted.weights);
            }
        }
    }
}
