//! One rater on a hidden scale: cumulative logits with a slope.

use super::combined::{JudgeModel, RaterSeverity};
use crate::linear_system::solve;

/// Slopes are expected to lie within this of 0.
const SPREAD: f64 = 3.0;
/// Below this slope, a rater separates so little that its thresholds have no place on the scale.
const LEAST_SLOPE: f64 = 0.1;

/// A rater gives one of the first k grades that it uses to a document at place x with probability F(threshold k -
/// slope x), F logistic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RaterCurve {
    levels: usize,
    /// The places of the grades that it uses, rising.
    used: Vec<usize>,
    slope: f64,
    /// Between the used grades, rising.
    thresholds: Vec<f64>,
}

fn logistic(x: f64) -> f64 {
    let tail = libm::exp(-x.abs());
    if x < 0.0 { tail / (1.0 + tail) } else { 1.0 / (1.0 + tail) }
}

impl RaterCurve {
    /// The start for a rater with these counts: slope 1, thresholds by the shares.
    pub(super) fn start(counts: &[f64]) -> Self {
        let used: Vec<usize> = (0..counts.len()).filter(|place| counts[*place] > 0.0).collect();
        let all: f64 = counts.iter().sum();
        let mut below = 0.0;
        let mut thresholds = Vec::new();
        for place in used.iter().take(used.len().saturating_sub(1)) {
            below += counts[*place];
            thresholds.push(libm::log(below / (all - below)));
        }
        Self { levels: counts.len(), used, slope: 1.0, thresholds }
    }

    /// Returns whether it has given a grade.
    pub(super) fn has_graded(&self) -> bool {
        !self.used.is_empty()
    }

    /// The penalty of the slope.
    pub(super) fn penalty(&self) -> f64 {
        if self.thresholds.is_empty() { 0.0 } else { self.slope * self.slope / (2.0 * SPREAD * SPREAD) }
    }

    pub(super) fn model(&self) -> JudgeModel {
        // Of a grade that is never given: as little room as between two equal thresholds, or none at the ends.
        let thresholds = (0..self.levels.saturating_sub(1)).map(|place| {
            let below = self.used.iter().filter(|used| **used <= place).count();
            match below {
                0 => f64::NEG_INFINITY,
                _ => self.thresholds.get(below - 1).copied().unwrap_or(f64::INFINITY),
            }
        });
        let slope = if self.thresholds.is_empty() { 0.0 } else { self.slope };
        JudgeModel::Ordinal { slope, thresholds: thresholds.collect(), beside_people: None }
    }

    /// The same compared with annotators.
    pub(super) fn model_beside(&self, annotators: &Self) -> JudgeModel {
        let mut model = self.model();
        let places = |model: &JudgeModel| match model {
            JudgeModel::Ordinal { slope, thresholds, .. } if *slope > LEAST_SLOPE => {
                thresholds.iter().map(|end| end / slope).collect()
            }
            _ => Vec::new(),
        };
        let (own, theirs): (Vec<f64>, Vec<f64>) = (places(&model), places(&annotators.model()));
        let apart: Vec<f64> =
            own.iter().zip(&theirs).map(|(own, theirs)| own - theirs).filter(|d| d.is_finite()).collect();
        if let JudgeModel::Ordinal { beside_people, .. } = &mut model
            && !apart.is_empty()
        {
            let severity = apart.iter().sum::<f64>() / apart.len() as f64;
            *beside_people = Some(RaterSeverity { severity, spread: 1.0 / self.slope });
        }
        model
    }

    /// The probability of each used grade at a place.
    fn used_chances(&self, x: f64) -> Vec<f64> {
        let up_to = self.thresholds.iter().map(|end| logistic(end - self.slope * x)).chain([1.0]);
        let mut before = 0.0;
        up_to.map(|up_to| (up_to - std::mem::replace(&mut before, up_to)).max(1e-300)).collect()
    }

    /// The probability of each grade, side by side for each node.
    pub(super) fn chances(&self, nodes: &[f64]) -> Vec<f64> {
        let mut chances = vec![0.0; nodes.len() * self.levels];
        for (x, own) in nodes.iter().zip(chances.chunks_exact_mut(self.levels)) {
            for (place, chance) in self.used.iter().zip(self.used_chances(*x)) {
                own[*place] = chance;
            }
        }
        chances
    }

    /// The logarithms of the same, next to each other for each grade. For a grade that it never gave the logarithm is
    /// 0, which is not used.
    pub(super) fn logarithms(&self, nodes: &[f64]) -> Vec<f64> {
        let mut logarithms = vec![0.0; nodes.len() * self.levels];
        for (at, x) in nodes.iter().enumerate() {
            for (place, chance) in self.used.iter().zip(self.used_chances(*x)) {
                logarithms[place * nodes.len() + at] = libm::log(chance);
            }
        }
        logarithms
    }

    /// Takes one step of Fisher's scoring towards these counts (by grade and node), halved until the likelihood does
    /// not fall; returns the size of the step.
    pub(super) fn step(&mut self, nodes: &[f64], counts: &[f64]) -> f64 {
        if self.thresholds.is_empty() {
            return 0.0;
        }
        let before = self.likelihood(nodes, counts);
        let (gradient, information) = self.derivatives(nodes, counts);
        let Some(step) = solve(information, gradient) else { return 0.0 };
        let mut length = 1.0;
        while length > 1e-6 {
            let tried = self.moved(&step, length);
            let rising = tried.thresholds.iter().zip(tried.thresholds.iter().skip(1)).all(|(a, b)| a < b);
            if rising && tried.likelihood(nodes, counts) >= before - 1e-9 {
                *self = tried;
                return step.iter().fold(0.0, |most: f64, value| most.max((value * length).abs()));
            }
            length /= 2.0;
        }
        0.0
    }

    fn moved(&self, step: &[f64], length: f64) -> Self {
        let mut moved = self.clone();
        for (value, step) in moved.thresholds.iter_mut().chain([&mut moved.slope]).zip(step) {
            *value += length * step;
        }
        moved
    }

    fn likelihood(&self, nodes: &[f64], counts: &[f64]) -> f64 {
        let logarithms = self.logarithms(nodes);
        let sum: f64 = logarithms.iter().zip(counts).map(|(log, count)| log * count).sum();
        sum - self.penalty()
    }

    /// The derivatives of the likelihood by each threshold and the slope, and the information about them.
    fn derivatives(&self, nodes: &[f64], counts: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.thresholds.len() + 1;
        let (mut gradient, mut information) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        for (at, x) in nodes.iter().enumerate() {
            let chances = self.used_chances(*x);
            let density = |end: &f64| {
                let up_to = logistic(end - self.slope * x);
                up_to * (1.0 - up_to)
            };
            let densities: Vec<f64> = self.thresholds.iter().map(density).collect();
            let of_grade = |grade: usize| counts[self.used[grade] * nodes.len() + at];
            let all: f64 = (0..chances.len()).map(of_grade).sum();
            for (grade, chance) in chances.iter().enumerate() {
                let mut own = vec![0.0; size];
                let upper = densities.get(grade).copied().unwrap_or_default();
                let lower = grade.checked_sub(1).map_or(0.0, |below| densities[below]);
                if grade < densities.len() {
                    own[grade] = upper;
                }
                if let Some(below) = grade.checked_sub(1) {
                    own[below] = -lower;
                }
                own[size - 1] = -x * (upper - lower);
                for (row, one) in own.iter().enumerate().filter(|(_, one)| **one != 0.0) {
                    gradient[row] += of_grade(grade) * one / chance;
                    for (value, other) in information[row].iter_mut().zip(&own) {
                        *value += all * one * other / chance;
                    }
                }
            }
        }
        gradient[size - 1] -= self.slope / (SPREAD * SPREAD);
        information[size - 1][size - 1] += 1.0 / (SPREAD * SPREAD);
        // A threshold far from every document has hardly any information of its own.
        information.iter_mut().enumerate().for_each(|(at, row)| row[at] += 1e-9);
        (gradient, information)
    }
}
