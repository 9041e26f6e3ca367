//! Dense symmetric positive definite matrices.

/// A symmetric matrix. Its lower triangle is stored, row by row.
#[derive(Debug, Clone)]
pub(super) struct Symmetric {
    size: usize,
    /// Row `i` has `i + 1` entries and starts at `i (i + 1) / 2`.
    lower: Vec<f64>,
}

impl Symmetric {
    pub(super) fn zeros(size: usize) -> Self {
        Self { size, lower: vec![0.0; size * (size + 1) / 2] }
    }

    /// Adds to an entry, and so to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let at = place(row, column);
        self.lower[at] += value;
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.lower[place(row, column)]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.lower[place(row, 0)..place(row + 1, 0)]
    }

    /// Returns the lower triangular L with L L^T = the matrix, or `None` if the matrix is not positive definite.
    pub(super) fn cholesky(mut self) -> Option<Factor> {
        self.factor()?;
        Some(Factor(self))
    }

    /// Returns the inverse, by way of Cholesky's factor, or `None` if the matrix is not positive definite.
    pub(super) fn inverse(self) -> Option<Self> {
        self.cholesky().map(|factor| factor.inverse())
    }

    /// Replaces the matrix by the lower triangular L with L L^T = the matrix.
    fn factor(&mut self) -> Option<()> {
        for i in 0..self.size {
            let (above, rest) = self.lower.split_at_mut(place(i, 0));
            let row = &mut rest[..=i];
            for j in 0..i {
                let other = &above[place(j, 0)..=place(j, j)];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let left = row[i] - dot(&row[..i], &row[..i]);
            // The rest of a singular matrix is rounding error.
            if left.is_nan() || left <= row[i] * 1e-15 * (i + 1) as f64 {
                return None;
            }
            row[i] = left.sqrt();
        }
        Some(())
    }

    /// Replaces a lower triangular L by its inverse.
    fn invert_factor(&mut self) {
        for i in 0..self.size {
            let (above, rest) = self.lower.split_at_mut(place(i, 0));
            let row = &mut rest[..=i];
            let pivot = 1.0 / row[i];
            // Row i of the inverse is -(L_i0 inverse_0 + ... ) / L_ii, and 1 / L_ii at the end.
            let mut inverse = vec![0.0; i + 1];
            for (k, &factor) in row[..i].iter().enumerate() {
                for (sum, &term) in inverse.iter_mut().zip(&above[place(k, 0)..=place(k, k)]) {
                    *sum -= factor * term;
                }
            }
            for (entry, sum) in row.iter_mut().zip(&inverse) {
                *entry = sum * pivot;
            }
            row[i] = pivot;
        }
    }

    /// Returns X^T X of a lower triangular X.
    fn square(&self) -> Self {
        let mut product = Self::zeros(self.size);
        for k in 0..self.size {
            let row = self.row(k);
            for (i, &factor) in row.iter().enumerate() {
                let start = place(i, 0);
                for (sum, &term) in product.lower[start..=start + i].iter_mut().zip(row) {
                    *sum += factor * term;
                }
            }
        }
        product
    }
}

/// The lower triangular factor L of a matrix L L^T.
#[derive(Debug, Clone)]
pub(super) struct Factor(Symmetric);

impl Factor {
    /// Returns the logarithm of the determinant of the matrix.
    pub(super) fn log_determinant(&self) -> f64 {
        (0..self.0.size).map(|at| 2.0 * libm::log(self.0.get(at, at))).sum()
    }

    /// Replaces y by the x with L^T x = y. If y is standard normal, x has the inverse of the matrix as covariance.
    pub(super) fn solve_transposed(&self, y: &mut [f64]) {
        for at in (0..self.0.size).rev() {
            let row = self.0.row(at);
            let (rest, last) = y.split_at_mut(at);
            let x = last[0] / row[at];
            last[0] = x;
            for (entry, factor) in rest.iter_mut().zip(row) {
                *entry -= factor * x;
            }
        }
    }

    /// Returns the inverse of the matrix.
    pub(super) fn inverse(&self) -> Symmetric {
        let mut factor = self.0.clone();
        factor.invert_factor();
        factor.square()
    }
}

fn place(row: usize, column: usize) -> usize {
    let (row, column) = (row.max(column), row.min(column));
    row * (row + 1) / 2 + column
}

/// Keeps four sums, which the processor adds at the same time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_blocks, b_blocks) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_blocks.zip(b_blocks) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + tail
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_inverse_undoes_the_matrix(
            size in 1_usize..12, entries in proptest::collection::vec(-2.0_f64..2.0, 144),
        ) {
            // A A^T + I is positive definite.
            let entry = |i: usize, j: usize| {
                (0..size).map(|k| entries[i * 12 + k] * entries[j * 12 + k]).sum::<f64>() + f64::from(u8::from(i == j))
            };
            let mut matrix = Symmetric::zeros(size);
            for i in 0..size {
                for j in 0..=i {
                    matrix.add(j, i, entry(i, j));
                }
            }
            let inverse = matrix.inverse().unwrap();
            for i in 0..size {
                for j in 0..size {
                    let product: f64 = (0..size).map(|k| entry(i, k) * inverse.get(k, j)).sum();
                    prop_assert!((product - f64::from(u8::from(i == j))).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_none() {
        let mut matrix = Symmetric::zeros(2);
        for (row, column) in [(0, 0), (1, 0), (1, 1)] {
            matrix.add(row, column, 1.0);
        }
        assert!(matrix.inverse().is_none());
    }
}
