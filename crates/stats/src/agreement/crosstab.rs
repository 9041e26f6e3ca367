//! The table of two label sets, as what it holds and how often: everything about two raters is a function of it.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Grade;

use super::figures::{Ac2ByWeights, ByLevel, ByWeights, LabelFigures};
use super::pooled::{Level, Pooled};
use super::{ConfusionMatrix, DisagreementWeights};

/// Which grades meet. How often is given apart, a count for each cell, so that a resample is another list of counts.
pub(super) struct Crosstab {
    /// The grades that either gave, ascending.
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
        let number = |grade: Grade| grades.partition_point(|other| *other < grade);
        let cells = pairs.iter().map(|(a, b)| (number(*a), number(*b))).collect();
        Self { places: places(&grades), cells, grades }
    }

    pub(super) fn of(matrix: &ConfusionMatrix) -> (Self, Vec<f64>) {
        let (pairs, counts): (Vec<_>, Vec<_>) =
            matrix.cells().map(|(a, b, count)| ((a, b), count as f64)).unzip();
        (Self::new(&pairs), counts)
    }

    /// The table with so many in each cell.
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

/// Grades on a line that starts at the lowest, so that their squares stay small.
pub(super) fn places(grades: &[Grade]) -> Vec<f64> {
    let lowest = grades.first().copied().map_or(0.0, f64::from);
    grades.iter().map(|grade| f64::from(*grade) - lowest).collect()
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
    /// The sum over all things of what their two grades give.
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

    pub(super) fn pi(&self) -> Option<f64> {
        self.pooled(|pooled| pooled.fleiss())
    }

    /// Two ratings a thing: a pair of ratings in both directions.
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
        let cuts = self.cuts();
        let at = |figure: fn(&Cut) -> Option<f64>| -> BTreeMap<Grade, Option<f64>> {
            cuts.iter().map(|(grade, cut)| (*grade, figure(cut))).collect()
        };
        let (alpha, pi, ac1, ac2) = self.pooled(|pooled| {
            let alpha = ByLevel {
                nominal: pooled.alpha(Level::Nominal),
                ordinal: pooled.alpha(Level::Ordinal),
                interval: pooled.alpha(Level::Interval),
            };
            let ac2 = Ac2ByWeights {
                linear: pooled.gwet(DisagreementWeights::Linear),
                quadratic: pooled.gwet(DisagreementWeights::Quadratic),
            };
            (alpha, pooled.fleiss(), pooled.gwet(DisagreementWeights::None), ac2)
        });
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
            precision_at: at(|cut| share(cut.both, cut.second)),
            recall_at: at(|cut| share(cut.both, cut.first)),
            f1_at: at(|cut| share(2.0 * cut.both, cut.first + cut.second)),
        }
    }

    /// Every grade but the lowest, and what is relevant from there on.
    fn cuts(&self) -> Vec<(Grade, Cut)> {
        let mut both = vec![0.0; self.table.grades.len()];
        for ((a, b), count) in self.table.cells.iter().zip(self.counts) {
            both[*a.min(b)] += count;
        }
        let mut cuts = Vec::new();
        let mut cut = Cut { both: 0.0, first: 0.0, second: 0.0, n: self.n };
        for (number, grade) in self.table.grades.iter().enumerate().skip(1).rev() {
            cut.both += both[number];
            cut.first += self.first[number];
            cut.second += self.second[number];
            cuts.push((*grade, cut));
        }
        cuts
    }
}

/// Relevant and not, on either side.
#[derive(Clone, Copy)]
struct Cut {
    /// Relevant to both raters.
    both: f64,
    /// Relevant to the first.
    first: f64,
    /// Relevant to the second.
    second: f64,
    n: f64,
}

impl Cut {
    fn kappa(&self) -> Option<f64> {
        let Self { both, first, second, n } = *self;
        let expected = first * (n - second) + (n - first) * second;
        (expected > 0.0).then(|| 1.0 - (first + second - 2.0 * both) * n / expected)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
