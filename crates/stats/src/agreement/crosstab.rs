//! The cross table of two raters: Cohen's kappa, and relevance at each cut.
//!
//! All figures of two raters are computed from it. At each cut of the scale these are precision, recall, F1 and kappa
//! of the second rater against the first.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Grade;

use super::chance_corrected::Pooled;
use super::figures::{ByWeights, LabelFigures};
use super::grades::{DisagreementWeights, number, places};

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

/// How often one rater's grade met another's, over the pairs that both graded.
///
/// ```
/// use llull_stats::ConfusionMatrix;
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 1), (2, 2), (0, 2)].into_iter().collect();
/// assert_eq!(matrix.grades(), [0, 1, 2]);
/// assert_eq!(matrix.count(0, 1), 1);
/// assert_eq!(matrix.exact(), Some(0.5));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfusionMatrix {
    counts: BTreeMap<(Grade, Grade), u64>,
    n: u64,
}

impl ConfusionMatrix {
    /// Counts one thing that the first rater graded `first` and the second `second`.
    pub fn add(&mut self, first: Grade, second: Grade) {
        *self.counts.entry((first, second)).or_default() += 1;
        self.n += 1;
    }

    /// Returns the number of things that both graded.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the grades that either gave, ascending: the rows and columns of the table.
    pub fn grades(&self) -> Vec<Grade> {
        let grades: BTreeSet<Grade> =
            self.counts.keys().flat_map(|(first, second)| [*first, *second]).collect();
        grades.into_iter().collect()
    }

    /// Returns how many things the first rater graded `first` and the second `second`.
    pub fn count(&self, first: Grade, second: Grade) -> u64 {
        self.counts.get(&(first, second)).copied().unwrap_or(0)
    }

    /// Returns the whole table over [`grades`](Self::grades): a row for each grade of the first rater, a column for
    /// each of the second.
    pub fn rows(&self) -> Vec<Vec<u64>> {
        let grades = self.grades();
        grades.iter().map(|first| grades.iter().map(|second| self.count(*first, *second)).collect()).collect()
    }

    /// Returns the cells that are not 0, as first grade, second grade, count.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Grade, Grade, u64)> {
        self.counts.iter().map(|((first, second), count)| (*first, *second, *count))
    }

    /// Returns the share of things with equal grades, from 0 to 1; `None` if nothing is graded.
    pub fn exact(&self) -> Option<f64> {
        let alike: u64 = self.cells().filter(|(a, b, _)| a == b).map(|(_, _, count)| count).sum();
        (self.n > 0).then(|| alike as f64 / self.n as f64)
    }
}

impl FromIterator<(Grade, Grade)> for ConfusionMatrix {
    fn from_iter<I: IntoIterator<Item = (Grade, Grade)>>(pairs: I) -> Self {
        let mut matrix = Self::default();
        for (first, second) in pairs {
            matrix.add(first, second);
        }
        matrix
    }
}

/// Returns Cohen's kappa: 1 for full agreement, 0 for that of chance, below 0 for less.
///
/// 1 - observed / expected disagreement, where chance preserves the frequency of each grade of each rater. Cohen, A
/// coefficient of agreement for nominal scales, Educational and Psychological Measurement 20(1), 1960; weighted:
/// Psychological Bulletin 70(4), 1968. Distances are between the grades themselves, so a grade that nobody gave still
/// takes its place on the scale (scikit-learn counts places among the given grades; the two differ only if a grade is
/// skipped).
///
/// `None` if it is undefined: nothing is graded, or both raters gave one and the same grade throughout, so that chance
/// alone would agree fully.
///
/// ```
/// use llull_stats::{ConfusionMatrix, DisagreementWeights, cohen_kappa};
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 0), (1, 1), (1, 0)].into_iter().collect();
/// assert_eq!(cohen_kappa(&matrix, DisagreementWeights::None), Some(0.5));
/// ```
pub fn cohen_kappa(matrix: &ConfusionMatrix, weights: DisagreementWeights) -> Option<f64> {
    let (table, counts) = Crosstab::of(matrix);
    table.with(&counts).kappa(weights)
}

/// How many things are relevant to either rater from one grade on.
#[derive(Clone, Copy)]
struct Cut {
    /// Relevant to both raters.
    both: f64,
    /// Relevant to the first.
    first: f64,
    /// Relevant to the second.
    second: f64,
    /// All things.
    n: f64,
}

impl Cut {
    pub(super) fn kappa(&self) -> Option<f64> {
        let Self { both, first, second, n } = *self;
        let expected = first * (n - second) + (n - first) * second;
        (expected > 0.0).then(|| 1.0 - (first + second - 2.0 * both) * n / expected)
    }

    pub(super) fn precision(&self) -> Option<f64> {
        share(self.both, self.second)
    }

    pub(super) fn recall(&self) -> Option<f64> {
        share(self.both, self.first)
    }

    fn f1(&self) -> Option<f64> {
        share(2.0 * self.both, self.first + self.second)
    }
}

/// Returns a cut for every grade except the lowest. `cells` are the numbers of two grades that meet, with their count;
/// `first` and `second` count how often either rater gave each grade, and `n` is the number of things.
fn cuts<'a>(
    grades: &[Grade],
    cells: impl Iterator<Item = (&'a (usize, usize), &'a f64)>,
    first: &[f64],
    second: &[f64],
    n: f64,
) -> Vec<(Grade, Cut)> {
    let mut both = vec![0.0; grades.len()];
    for ((a, b), count) in cells {
        both[*a.min(b)] += count;
    }
    let mut cuts = Vec::new();
    let mut cut = Cut { both: 0.0, first: 0.0, second: 0.0, n };
    for (number, grade) in grades.iter().enumerate().skip(1).rev() {
        cut.both += both[number];
        cut.first += first[number];
        cut.second += second[number];
        cuts.push((*grade, cut));
    }
    cuts
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
