//! Relevant or not, at each cut of the scale.
//!
//! The figures are precision, recall, F1 and kappa of the second rater against the first.

use llull_core::Grade;

/// How many things are relevant to either rater from one grade on.
#[derive(Clone, Copy)]
pub(super) struct Cut {
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

    pub(super) fn f1(&self) -> Option<f64> {
        share(2.0 * self.both, self.first + self.second)
    }
}

/// Returns a cut for every grade except the lowest. `cells` are the numbers of two grades that meet, with their count;
/// `first` and `second` count how often either rater gave each grade, and `n` is the number of things.
pub(super) fn cuts<'a>(
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
