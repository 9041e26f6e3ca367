//! The number of queries that carry a difference.

/// Returns (Σ f²)² / Σ f⁴ of the judge's difference for each query: the number of queries that carry the comparison.
/// It is known before a label is bought. `None` if the judge sees no difference on any query.
///
/// Below 4, intervals from sampled queries are far too narrow: a sample easily misses the queries that matter. From 7
/// on they hold (simulated with the TREC 2019 Deep Learning runs).
pub fn effective_queries(differences: &[f64]) -> Option<f64> {
    let largest = differences.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    // Scaled, so that no fourth power overflows or vanishes.
    let squares = differences.iter().map(|value| (value / largest).powi(2));
    let (squares, fourths) = squares.fold((0.0, 0.0), |(sum, of_squares), x| (sum + x, of_squares + x * x));
    Some(squares * squares / fourths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_differences_all_count_and_one_large_one_counts_alone() {
        assert_eq!(effective_queries(&[0.2, -0.2, 0.2, 0.2]), Some(4.0));
        assert!(effective_queries(&[1.0, 0.01, 0.01, -0.01]).is_some_and(|n| (n - 1.0).abs() < 0.001));
        assert_eq!(effective_queries(&[0.0, 0.0]), None);
        assert_eq!(effective_queries(&[]), None);
        assert_eq!(effective_queries(&[1e-200, 1e-200]), Some(2.0));
    }
}
