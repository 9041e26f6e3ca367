//! A few features as a table of cells.
//!
//! Each combination of answers is a cell; a combination and its mirror image are one. A full tree over so few features
//! predicts the majority of its cell, so no tree is grown. Pairs are counted by fold, and the counts of all folds but
//! one are the total less that fold's.

use llull_core::PairChoice;

use crate::tree::leaf_score;

/// The most features of a subset.
pub(crate) const MOST: usize = 5;

/// Each row as the codes of its answers, with its fold.
pub(crate) struct CodedRows {
    /// By feature, by row.
    pub(crate) codes: Vec<Vec<u8>>,
    pub(crate) lhs: Vec<bool>,
    pub(crate) folds: Vec<usize>,
    pub(crate) fold_count: usize,
}

/// The place of a cell's counts: its number, and whether it counts as its mirror image. `None` for a cell that is its
/// own mirror image, which cannot predict a side.
type Folded = Option<(usize, bool)>;

/// The cells of so many features.
pub(crate) struct Cells {
    folded: Vec<Folded>,
    /// How many numbers there are.
    numbers: usize,
}

impl Cells {
    /// Returns the cells of `size` features.
    pub(crate) fn of(size: usize) -> Self {
        let cells = 4_usize.pow(size as u32);
        let mirrored = |cell: usize| {
            (0..size).fold(0, |sum, at| {
                let code = cell >> (2 * at) & 3;
                sum | (PairChoice::ALL[code].mirrored().code() << (2 * at))
            })
        };
        let mut numbers = 0;
        let mut folded: Vec<Folded> = Vec::with_capacity(cells);
        for cell in 0..cells {
            let image = mirrored(cell);
            folded.push(match cell.cmp(&image) {
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Less => {
                    numbers += 1;
                    Some((numbers - 1, false))
                }
                std::cmp::Ordering::Greater => folded[image].map(|(number, _)| (number, true)),
            });
        }
        Self { folded, numbers }
    }
}

/// Pairs of a cell, and how many of them have the better side on the left.
#[derive(Debug, Clone, Copy, Default)]
struct CellCount {
    n: u32,
    lhs: u32,
}

impl CellCount {
    fn without(self, other: Self) -> Self {
        Self { n: self.n - other.n, lhs: self.lhs - other.lhs }
    }
}

/// Counts of pairs that are decided, and decided rightly.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Decided {
    pub(crate) n: f64,
    pub(crate) right: f64,
}

impl Decided {
    pub(crate) fn precision(self) -> Option<f64> {
        (self.n > 0.0).then(|| self.right / self.n)
    }

    fn add(&mut self, other: Self) {
        self.n += other.n;
        self.right += other.right;
    }
}

pub(crate) struct SubsetCounts<'a> {
    cells: &'a Cells,
    folds: usize,
    /// By number, by fold.
    by_fold: Vec<CellCount>,
    total: Vec<CellCount>,
    /// All rows of each fold.
    rows: &'a [usize],
    order: Vec<(f64, usize)>,
}

impl<'a> SubsetCounts<'a> {
    /// `rows` is how many rows each fold has.
    pub(crate) fn new(cells: &'a Cells, rows: &'a [usize]) -> Self {
        let folds = rows.len();
        let by_fold = vec![CellCount::default(); cells.numbers * folds];
        let total = vec![CellCount::default(); cells.numbers];
        Self { cells, folds, by_fold, total, rows, order: Vec::new() }
    }

    /// Counts the rows by the cells of these features.
    pub(crate) fn count(&mut self, coded: &CodedRows, features: &[usize]) {
        self.by_fold.fill(CellCount::default());
        for row in 0..coded.lhs.len() {
            let Some((number, mirrored)) = self.cells.folded[cell_of(coded, features, row)] else { continue };
            let count = &mut self.by_fold[number * self.folds + coded.folds[row]];
            count.n += 1;
            count.lhs += u32::from(coded.lhs[row] != mirrored);
        }
        for (total, folds) in self.total.iter_mut().zip(self.by_fold.chunks_exact(self.folds)) {
            *total = CellCount::default();
            for fold in folds {
                total.n += fold.n;
                total.lhs += fold.lhs;
            }
        }
    }

    /// The cells with a side, by the folds besides `held` and `left`, the surest first: score and number.
    fn ordered(&mut self, held: usize, left: Option<usize>) {
        self.order.clear();
        for number in 0..self.cells.numbers {
            let known = self.known(number, held, left);
            let score = leaf_score(known.lhs, known.n);
            if score != 0.0 {
                self.order.push((score, number));
            }
        }
        self.order.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    }

    fn known(&self, number: usize, held: usize, left: Option<usize>) -> CellCount {
        let folds = &self.by_fold[number * self.folds..(number + 1) * self.folds];
        let known = self.total[number].without(folds[held]);
        left.map_or(known, |left| known.without(folds[left]))
    }

    /// Counts right decisions in fold `held` by the folds besides `held` and `left`, with the surest cells first, up
    /// to `coverage` of their own pairs. `None` if they decide fewer. Without `coverage` they decide all they can.
    pub(crate) fn decided(
        &mut self,
        coverage: Option<f64>,
        held: usize,
        left: Option<usize>,
    ) -> Option<Decided> {
        let mut sum = Decided::default();
        let enough = self.weigh(coverage, held, left, |weight, score, count| {
            let right = if score > 0.0 { count.lhs } else { count.n - count.lhs };
            sum.add(Decided { n: weight * f64::from(count.n), right: weight * f64::from(right) });
        });
        enough.then_some(sum)
    }

    /// Calls `each` with the weight, the score and the held fold's counts of every cell that is decided.
    fn weigh(
        &mut self,
        coverage: Option<f64>,
        held: usize,
        left: Option<usize>,
        mut each: impl FnMut(f64, f64, CellCount),
    ) -> bool {
        self.ordered(held, left);
        let rows: usize = (0..self.folds)
            .filter(|fold| *fold != held && Some(*fold) != left)
            .map(|fold| self.rows[fold])
            .sum();
        let wanted = coverage.map(|coverage| coverage * rows as f64);
        let mut taken = 0.0;
        for (score, number) in &self.order {
            let mass = f64::from(self.known(*number, held, left).n);
            let weight = wanted.map_or(1.0, |wanted| ((wanted - taken) / mass).clamp(0.0, 1.0));
            if weight == 0.0 {
                break;
            }
            each(weight, *score, self.by_fold[number * self.folds + held]);
            taken += weight * mass;
        }
        wanted.is_none_or(|wanted| taken >= wanted - 1e-9)
    }

    /// The decisions in all folds, each by the others; `None` if one of them cannot decide so many.
    pub(crate) fn everywhere(&mut self, coverage: Option<f64>, left: Option<usize>) -> Option<Decided> {
        let mut sum = Decided::default();
        for held in (0..self.folds).filter(|fold| Some(*fold) != left) {
            sum.add(self.decided(coverage, held, left)?);
        }
        Some(sum)
    }

    /// By query `[right, decided]`, each fold by its others; only the fold `only`, if one is named.
    pub(crate) fn by_group(
        &mut self,
        coded: &CodedRows,
        features: &[usize],
        groups: &[usize],
        coverage: Option<f64>,
        only: Option<usize>,
        sums: &mut [[f64; 2]],
    ) {
        let mut weights = vec![(0.0, 0.0); self.cells.numbers * self.folds];
        for held in (0..self.folds).filter(|fold| only.is_none_or(|only| only == *fold)) {
            self.order_weights(coverage, held, &mut weights);
        }
        for row in 0..coded.lhs.len() {
            let Some((number, mirrored)) = self.cells.folded[cell_of(coded, features, row)] else { continue };
            let (weight, score) = weights[number * self.folds + coded.folds[row]];
            let right = (score > 0.0) == (coded.lhs[row] != mirrored);
            sums[groups[row]][0] += if right { weight } else { 0.0 };
            sums[groups[row]][1] += weight;
        }
    }

    fn order_weights(&mut self, coverage: Option<f64>, held: usize, weights: &mut [(f64, f64)]) {
        let mut found = Vec::new();
        self.weigh(coverage, held, None, |weight, score, _| found.push((weight, score)));
        for ((_, number), known) in self.order.iter().zip(found) {
            weights[number * self.folds + held] = known;
        }
    }
}

fn cell_of(coded: &CodedRows, features: &[usize], row: usize) -> usize {
    features
        .iter()
        .enumerate()
        .fold(0, |cell, (at, feature)| cell | (usize::from(coded.codes[*feature][row]) << (2 * at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_and_its_image_are_one() {
        let cells = Cells::of(2);
        let cell = |a: PairChoice, b: PairChoice| a.code() | b.code() << 2;
        use PairChoice::{Lhs, Missing, Neither, Rhs};
        let (number, mirrored) = cells.folded[cell(Lhs, Rhs)].unwrap();
        assert_eq!(cells.folded[cell(Rhs, Lhs)], Some((number, !mirrored)));
        assert_eq!(cells.folded[cell(Neither, Missing)], None);
        assert_ne!(cells.folded[cell(Lhs, Missing)], cells.folded[cell(Lhs, Neither)], "missing is apart");
        // 16 cells, 4 of them without a side.
        assert_eq!(cells.numbers, 6);
    }
}
