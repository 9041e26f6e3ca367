//! The combined result of a panel for every pair.

use llull_core::{Grade, Scale};

use super::grades::PanelGrades;
use super::method::PanelMethod;
use crate::calibration::BetaCurve;

/// The grades of a panel as one: for every pair a grade, a value for the order of documents, and how likely each grade
/// is.
#[derive(Debug, Clone, PartialEq)]
pub struct Combined {
    /// The method that combined them.
    pub method: PanelMethod,
    /// By pair: the grade; `None` where no judge graded the pair.
    pub grades: Vec<Option<Grade>>,
    /// By pair: a number for the order of a query's documents, on the scale of the grades but not of whole numbers.
    pub values: Vec<Option<f64>>,
    /// By judge: the method's model of it.
    pub judges: Vec<JudgeModel>,
    levels: usize,
    /// By pair, the probability of each grade of the scale; zeros where no judge graded the pair.
    probabilities: Vec<f64>,
}

/// A method's model of a judge.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgeModel {
    /// It counts as every other.
    Equal,
    /// It does not count.
    LeftOut,
    /// Its grades count this much.
    Weight(f64),
    /// How it grades: the probability of one grade (column) for a document whose grade is another (row).
    Confusion(Vec<Vec<f64>>),
    /// For each human grade but the lowest, the probability of that grade or a higher one over the judge's scale.
    Curves(Vec<BetaCurve>),
    /// How it reads a hidden scale: it gives one of the first k grades to a document at place x with probability
    /// F(threshold k - slope x), F logistic. The slope measures how well it separates documents: 0 for random grades,
    /// negative for a judge that contradicts the others. The thresholds measure its severity.
    Ordinal {
        /// The slope.
        slope: f64,
        /// Above each grade but the highest; infinite beyond the grades that the judge uses.
        thresholds: Vec<f64>,
        /// The same compared with annotators, if they use the same scale; `None` if not, or if the judge separates
        /// nothing.
        beside_people: Option<RaterSeverity>,
    },
}

/// A judge's severity and noise compared with annotators', in standard deviations of documents on the hidden scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RaterSeverity {
    /// How much higher a document has to be for the judge to give a grade as often as not, the mean over grades: above
    /// 0 the judge is strict.
    pub severity: f64,
    /// By how much the judge's readings of one document differ: the scale of the logistic noise.
    pub spread: f64,
}

impl Combined {
    pub(super) fn new(method: PanelMethod, panel: &PanelGrades, judges: Vec<JudgeModel>) -> Self {
        let (pairs, levels) = (panel.pairs(), panel.levels());
        Self {
            method,
            grades: Vec::with_capacity(pairs),
            values: Vec::with_capacity(pairs),
            judges,
            levels,
            probabilities: Vec::with_capacity(pairs * levels),
        }
    }

    /// Takes one judge's grades with its probability of each grade, pair by pair; `None` without a grade.
    pub fn of_judge(
        panel: &PanelGrades,
        judge: usize,
        chances: impl IntoIterator<Item = Option<Vec<f64>>>,
    ) -> Self {
        let mut combined = Self::new(PanelMethod::Judge(judge), panel, vec![JudgeModel::Equal]);
        for chances in chances.into_iter().take(panel.pairs()) {
            match chances.filter(|chances| chances.len() == panel.levels()) {
                Some(chances) => combined.push_posterior(panel.scale(), &chances),
                None => combined.push_missing(),
            }
        }
        while combined.grades.len() < panel.pairs() {
            combined.push_missing();
        }
        combined
    }

    /// Adds the next pair, with the probabilities of all grades.
    pub(super) fn push(&mut self, grade: Option<Grade>, value: Option<f64>, probabilities: &[f64]) {
        self.grades.push(grade);
        self.values.push(value);
        self.probabilities.extend(probabilities);
    }

    /// Adds the next pair by its probabilities alone: the likeliest grade (the lowest of equals) and the mean.
    pub(super) fn push_posterior(&mut self, scale: Scale, probabilities: &[f64]) {
        let mut best = (0, f64::NEG_INFINITY);
        let mut mean = 0.0;
        for (place, chance) in probabilities.iter().enumerate() {
            mean += place as f64 * chance;
            if *chance > best.1 {
                best = (place, *chance);
            }
        }
        let grade = scale.low().saturating_add(Grade::try_from(best.0).unwrap_or(Grade::MAX));
        self.push(Some(grade), Some(f64::from(scale.low()) + mean), probabilities);
    }

    /// Adds the next pair, which no judge graded.
    pub(super) fn push_missing(&mut self) {
        self.push(None, None, &vec![0.0; self.levels]);
    }

    /// Returns how likely each grade of the scale is for a pair, lowest grade first: they sum to 1, or are all 0 where
    /// no judge graded it.
    pub fn probabilities(&self, pair: usize) -> &[f64] {
        self.probabilities.get(pair * self.levels..(pair + 1) * self.levels).unwrap_or_default()
    }

    /// Returns how undecided the panel is about a pair: the entropy of its probabilities in bits, from 0 to the
    /// logarithm of the number of grades. `None` where no judge graded it.
    pub fn entropy(&self, pair: usize) -> Option<f64> {
        self.grades.get(pair).copied().flatten()?;
        let chances = self.probabilities(pair).iter().filter(|chance| **chance > 0.0);
        let bits: f64 = chances.map(|chance| chance * libm::log2(*chance)).sum();
        // Of one certain grade 0, without a sign.
        Some(0.0 - bits)
    }
}
