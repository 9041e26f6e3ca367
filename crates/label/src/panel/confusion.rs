//! Confusion matrices of judges: given grades by true grades.

use super::combined::JudgeModel;
use super::grades::PanelGrades;

/// The shares of the grades, and each judge's matrix.
pub(super) struct Confusions {
    levels: usize,
    /// The share of each grade.
    pub(super) prior: Vec<f64>,
    /// By judge, true grade and given grade.
    chances: Vec<f64>,
}

impl Confusions {
    /// Estimates shares from counts, where `weights` has for each pair its weight in each grade. Before that,
    /// `pseudo_count` is added to each count off the diagonal, five times as much to those on the diagonal, and twice
    /// as much to those of the grades. With 0 the result is the maximum of the likelihood.
    pub(super) fn learnt(panel: &PanelGrades, weights: &[f64], pseudo_count: f64) -> Self {
        let levels = panel.levels();
        let mut prior = vec![2.0 * pseudo_count; levels];
        let mut chances = vec![pseudo_count; panel.judges() * levels * levels];
        for (at, chance) in chances.iter_mut().enumerate() {
            if at % (levels * levels) / levels == at % levels {
                *chance = 5.0 * pseudo_count;
            }
        }
        for (pair, weights) in weights.chunks_exact(levels).enumerate() {
            for (sum, weight) in prior.iter_mut().zip(weights) {
                *sum += weight;
            }
            for given in panel.places(pair) {
                let own = given.judge() * levels * levels;
                for (grade, weight) in weights.iter().enumerate() {
                    if let Some(chance) = chances.get_mut(own + grade * levels + given.place()) {
                        *chance += weight;
                    }
                }
            }
        }
        to_shares(&mut prior);
        chances.chunks_exact_mut(levels).for_each(to_shares);
        Self { levels, prior, chances }
    }

    /// The logarithms, with those of a judge's given grade next to each other for all true grades.
    pub(super) fn logarithms(&self) -> Logarithms {
        let (levels, square) = (self.levels, self.levels * self.levels);
        let mut by_said = vec![0.0; self.chances.len()];
        for (at, chance) in self.chances.iter().enumerate() {
            let (judge, grade, said) = (at / square, at % square / levels, at % levels);
            if let Some(place) = by_said.get_mut(judge * square + said * levels + grade) {
                *place = libm::log(*chance);
            }
        }
        Logarithms { levels, by_said }
    }

    pub(super) fn models(&self) -> Vec<JudgeModel> {
        let square = (self.levels * self.levels).max(1);
        let rows = |matrix: &[f64]| matrix.chunks_exact(self.levels).map(<[f64]>::to_vec).collect();
        self.chances.chunks_exact(square).map(|matrix| JudgeModel::Confusion(rows(matrix))).collect()
    }
}

/// Logarithms of the chances of judges' grades.
pub(super) struct Logarithms {
    levels: usize,
    by_said: Vec<f64>,
}

impl Logarithms {
    /// Turns the logarithms of a prior into the probabilities of each grade of a pair; returns the logarithm of the
    /// likelihood of the given grades.
    pub(super) fn posterior(&self, panel: &PanelGrades, pair: usize, sums: &mut [f64]) -> f64 {
        let levels = self.levels;
        for given in panel.places(pair) {
            let from = (given.judge() * levels + given.place()) * levels;
            let said = self.by_said.get(from..from + levels).unwrap_or_default();
            for (sum, log) in sums.iter_mut().zip(said) {
                *sum += log;
            }
        }
        let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut all = 0.0;
        for sum in sums.iter_mut() {
            *sum = libm::exp(*sum - most);
            all += *sum;
        }
        sums.iter_mut().for_each(|sum| *sum /= all);
        most + libm::log(all)
    }
}

/// Divides by the sum, if there is one.
pub(super) fn to_shares(counts: &mut [f64]) {
    let sum: f64 = counts.iter().sum();
    if sum > 0.0 {
        counts.iter_mut().for_each(|count| *count /= sum);
    }
}
