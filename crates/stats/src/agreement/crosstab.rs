//! The cross table of two label sets.
//!
//! All figures of two raters are computed from it.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Grade;

use super::confusion_matrix::ConfusionMatrix;
use super::figures::{ByWeights, LabelFigures};
use super::grade_numbers::{number, places};
use super::pooled::Pooled;
use super::relevance_cuts::{Cut, cuts};
use super::weights::DisagreementWeights;

/// The pairs of grades that occur. Their counts are separate, one for each cell, so that a resample is another list of
/// counts.
pub(super) struct Crosstab {
    /// The grades on either side, ascending.
    pub(super) grades: Vec<Grade>,
    places: Vec<f64>,
    /// The first rater's grade and the second's, by their numbers in `grades`.
    cells: Vec<(usize, usize)>,
}

impl Crosstab {
    /// Of the pairs of grades that occur, each once.
    pub(super) fn new(pairs: &[(Grade, Grade)]) -> Self {
        let grades: BTreeSet<Grade> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let grades: Vec<Grade> = grades.into_iter().collect();
        let cells = pairs.iter().map(|(a, b)| (number(&grades, *a), number(&grades, *b))).collect();
        Self { places: places(&grades), cells, grades }
    }

    /// Of a matrix, with the counts of its cells.
    pub(super) fn of(matrix: &ConfusionMatrix) -> (Self, Vec<f64>) {
        let (pairs, counts): (Vec<_>, Vec<_>) =
            matrix.cells().map(|(a, b, count)| ((a, b), count as f64)).unzip();
        (Self::new(&pairs), counts)
    }

    /// Returns the table with these counts of its cells.
    pub(super) fn with<'a>(&'a self, counts: &'a [f64]) -> Counted<'a> {
        let mut counted = Counted {
            table: self,
            counts,
            first: vec![0.0; self.grades.len()],
            second: vec![0.0; self.grades.len()],
            n: counts.iter().sum(),
        };
        for ((a, b), count) in self.cells.iter().zip(counts) {
            counted.first[*a] += count;
            counted.second[*b] += count;
        }
        counted
    }

    pub(super) fn rows(&self, counts: &[f64]) -> Vec<Vec<u64>> {
        let mut rows = vec![vec![0; self.grades.len()]; self.grades.len()];
        for ((a, b), count) in self.cells.iter().zip(counts) {
            rows[*a][*b] += *count as u64;
        }
        rows
    }
}

/// A table with its counts and their margins.
pub(super) struct Counted<'a> {
    table: &'a Crosstab,
    counts: &'a [f64],
    first: Vec<f64>,
    second: Vec<f64>,
    n: f64,
}

impl Counted<'_> {
    /// The sum over all things of a function of their two grades.
    fn sum(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        let places = &self.table.places;
        self.table.cells.iter().zip(self.counts).map(|((a, b), n)| n * of(places[*a], places[*b])).sum()
    }

    fn mean(&self, of: impl Fn(f64, f64) -> f64) -> Option<f64> {
        (self.n > 0.0).then(|| self.sum(of) / self.n)
    }

    pub(super) fn kappa(&self, weights: DisagreementWeights) -> Option<f64> {
        let expected = weights.total(&self.table.places, &self.first, &self.second);
        (expected > 0.0).then(|| 1.0 - self.sum(|a, b| weights.between(a, b)) * self.n / expected)
    }

    /// Passes on the table as ratings of units that have two each.
    fn pooled<T>(&self, of: impl FnOnce(&Pooled<'_>) -> T) -> T {
        let coincidences: Vec<f64> = self.counts.iter().map(|count| 2.0 * count).collect();
        let ratings: Vec<f64> = self.first.iter().zip(&self.second).map(|(a, b)| (a + b) / 2.0).collect();
        of(&Pooled {
            places: &self.table.places,
            cells: &self.table.cells,
            coincidences: &coincidences,
            shares: self.counts,
            ratings: &ratings,
            units: self.n,
            paired: self.n,
        })
    }

    pub(super) fn figures(&self) -> LabelFigures<Option<f64>> {
        let Self { table, counts, first, second, n } = self;
        let cuts = cuts(&table.grades, table.cells.iter().zip(*counts), first, second, *n);
        let at = |figure: fn(&Cut) -> Option<f64>| -> BTreeMap<Grade, Option<f64>> {
            cuts.iter().map(|(grade, cut)| (*grade, figure(cut))).collect()
        };
        let (alpha, pi, ac1, ac2) =
            self.pooled(|pooled| (pooled.alpha_by_level(), pooled.fleiss(), pooled.ac1(), pooled.ac2()));
        LabelFigures {
            kappa: ByWeights {
                plain: self.kappa(DisagreementWeights::None),
                linear: self.kappa(DisagreementWeights::Linear),
                quadratic: self.kappa(DisagreementWeights::Quadratic),
            },
            kappa_at: at(Cut::kappa),
            alpha,
            pi,
            ac1,
            ac2,
            exact: self.mean(|a, b| f64::from(u8::from(a == b))),
            within_one: self.mean(|a, b| f64::from(u8::from((a - b).abs() <= 1.0))),
            bias: self.mean(|a, b| b - a),
            precision_at: at(Cut::precision),
            recall_at: at(Cut::recall),
            f1_at: at(Cut::f1),
        }
    }
}
