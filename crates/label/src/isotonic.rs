//! Isotonic regression by pooling adjacent violators.

/// A value with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedValue {
    /// The value.
    pub value: f64,
    /// Its weight; positive.
    pub weight: f64,
}

/// Returns the values that never increase and are nearest to these in weighted squared distance: least-squares isotonic
/// regression, decreasing, by the pool-adjacent-violators algorithm (Barlow, Bartholomew, Bremner and Brunk,
/// *Statistical Inference under Order Restrictions*, 1972). One fitted value for each, in linear time.
///
/// ```
/// use llull_label::{WeightedValue, never_increasing};
///
/// let values = [(3.0, 2.0), (1.0, 1.0), (2.0, 3.0), (0.0, 1.0)];
/// let values = values.map(|(value, weight)| WeightedValue { value, weight });
/// assert_eq!(never_increasing(&values), [3.0, 1.75, 1.75, 0.0]);
/// ```
pub fn never_increasing(values: &[WeightedValue]) -> Vec<f64> {
    struct Pool {
        sum: f64,
        weight: f64,
        length: usize,
    }
    let mut pools: Vec<Pool> = Vec::with_capacity(values.len());
    for WeightedValue { value, weight } in values {
        let mut last = Pool { sum: value * weight, weight: *weight, length: 1 };
        while let Some(before) = pools.pop_if(|before| before.sum / before.weight <= last.sum / last.weight) {
            last.sum += before.sum;
            last.weight += before.weight;
            last.length += before.length;
        }
        pools.push(last);
    }
    pools.iter().flat_map(|pool| std::iter::repeat_n(pool.sum / pool.weight, pool.length)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fit(values: &[f64], weights: &[f64]) -> Vec<f64> {
        let weighted = values
            .iter()
            .zip(weights)
            .map(|(value, weight)| WeightedValue { value: *value, weight: *weight });
        never_increasing(&weighted.collect::<Vec<_>>())
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{found:?} is not {expected:?}"
        );
    }

    /// From scikit-learn 1.9.1, `IsotonicRegression(increasing=False).fit_transform(x, y, sample_weight)`, and scipy
    /// 1.17.1, `optimize.isotonic_regression(y, weights, increasing=False)`, which agree to 1e-12.
    #[test]
    fn equals_scikit_learn_and_scipy() {
        near(
            &fit(&[3.76, -0.08, 1.8, 1.05, 2.41, 0.84], &[2.0, 2.0, 1.0, 5.0, 5.0, 4.0]),
            &[3.76, 1.456923076923077, 1.456923076923077, 1.456923076923077, 1.456923076923077, 0.84],
        );
        near(
            &fit(
                &[1.96, 1.58, 2.64, 1.61, 1.52, 1.81, -0.1, -0.69, 0.14],
                &[5.0, 3.0, 2.0, 3.0, 5.0, 4.0, 4.0, 4.0, 5.0],
            ),
            &[
                1.982,
                1.982,
                1.982,
                1.6391666666666669,
                1.6391666666666669,
                1.6391666666666669,
                -0.1,
                -0.22888888888888884,
                -0.22888888888888884,
            ],
        );
        near(
            &fit(
                &[2.55, 3.75, 2.81, 2.04, 1.09, 1.34, 1.47, 2.03, -0.77, -0.67, 1.88, 1.14],
                &[4.0, 4.0, 2.0, 4.0, 1.0, 2.0, 3.0, 5.0, 1.0, 5.0, 4.0, 4.0],
            ),
            &[
                3.15,
                3.15,
                2.81,
                2.04,
                1.6663636363636363,
                1.6663636363636363,
                1.6663636363636363,
                1.6663636363636363,
                0.5685714285714285,
                0.5685714285714285,
                0.5685714285714285,
                0.5685714285714285,
            ],
        );
        assert_eq!(never_increasing(&[]), Vec::<f64>::new());
    }

    fn loss(values: &[(f64, f64)], fitted: &[f64]) -> f64 {
        values.iter().zip(fitted).map(|((value, weight), fit)| weight * (value - fit).powi(2)).sum()
    }

    proptest! {
        /// The optimum of a convex problem is the feasible point that no other one beats.
        #[test]
        fn no_other_falling_sequence_is_nearer(
            values in proptest::collection::vec((-3.0f64..3.0, 0.1f64..5.0), 1..12),
            other in proptest::collection::vec(-3.0f64..3.0, 12),
            step in 0.0f64..1.0,
        ) {
            let (plain, weights): (Vec<f64>, Vec<f64>) = values.iter().copied().unzip();
            let fitted = fit(&plain, &weights);
            prop_assert!(fitted.windows(2).all(|pair| pair[0] >= pair[1]));
            let mut falling = other[..values.len()].to_vec();
            falling.sort_by(|a, b| b.total_cmp(a));
            let between = fitted.iter().zip(&falling).map(|(fit, other)| fit + step * (other - fit));
            let between: Vec<f64> = between.collect();
            prop_assert!(loss(&values, &fitted) <= loss(&values, &between) + 1e-9);
        }

        #[test]
        fn what_never_increases_stays(mut values in proptest::collection::vec(-3.0f64..3.0, 0..12)) {
            values.sort_by(|a, b| b.total_cmp(a));
            let weights: Vec<f64> = (1..=values.len()).map(|n| n as f64).collect();
            near(&fit(&values, &weights), &values);
        }
    }
}
