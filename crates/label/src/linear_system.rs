//! Small systems of linear equations.

/// Solves a symmetric system of linear equations by elimination with the largest pivot; `None` if it has no solution.
pub(crate) fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-300 {
            return None;
        }
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let (above, below) = rows.split_at_mut(column + 1);
        let pivot = &above[column];
        for (row, at) in below.iter_mut().zip(column + 1..) {
            let factor = row[column] / pivot[column];
            for (value, pivot) in row.iter_mut().zip(pivot).skip(column) {
                *value -= factor * pivot;
            }
            right[at] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|at| rows[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    right.iter().all(|value| value.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_or_has_no_solution() {
        // 2x + y = 5, x + 3y = 10
        assert_eq!(solve(vec![vec![2.0, 1.0], vec![1.0, 3.0]], vec![5.0, 10.0]), Some(vec![1.0, 3.0]));
        assert_eq!(solve(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![1.0, 2.0]), None);
    }
}
