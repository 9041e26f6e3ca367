//! The number of independent judges that a panel is worth.

use crate::correlation::pearson;

/// Returns the number of judges with independent errors that would do as well as these: K / (1 + (K - 1) r), where r is
/// the mean correlation of the errors of two judges (Kish, Survey Sampling, 1965: the effective size of a cluster).
/// From 1 for judges that err as one to K for independent ones; above K if their errors cancel.
///
/// `errors` has a list for each judge: its error on every item, in one order; NaN where it has none. Two judges are
/// compared on the items that both have. `None` for fewer than two judges, or if no two of them have errors that vary.
///
/// ```
/// use llull_stats::independent_votes;
///
/// let one = vec![0.0, 1.0, 0.0, -1.0, 2.0];
/// assert_eq!(independent_votes(&[one.clone(), one.clone(), one]), Some(1.0));
/// let apart = [vec![1.0, -1.0, 1.0, -1.0], vec![1.0, 1.0, -1.0, -1.0]];
/// assert_eq!(independent_votes(&apart), Some(2.0));
/// ```
pub fn independent_votes(errors: &[Vec<f64>]) -> Option<f64> {
    let judges = errors.len() as f64;
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (at, one) in errors.iter().enumerate() {
        for other in errors.iter().skip(at + 1) {
            let both: Vec<(f64, f64)> = (one.iter().zip(other))
                .map(|(one, other)| (*one, *other))
                .filter(|(one, other)| !one.is_nan() && !other.is_nan())
                .collect();
            if let Some(correlation) = pearson(&both) {
                sum += correlation;
                pairs += 1.0;
            }
        }
    }
    let together = 1.0 + (judges - 1.0) * (sum / pairs);
    (pairs > 0.0 && together > 0.0).then(|| judges / together)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judges_without_errors_that_vary_say_nothing() {
        assert_eq!(independent_votes(&[]), None);
        assert_eq!(independent_votes(&[vec![1.0, 2.0]]), None);
        assert_eq!(independent_votes(&[vec![0.0, 0.0], vec![1.0, 2.0]]), None);
        assert_eq!(independent_votes(&[vec![f64::NAN, 1.0], vec![1.0, f64::NAN]]), None);
    }

    /// r of (1, 2, 3) and (1, 3, 2) is 1/2, so two of them are worth 2 / 1.5; the gap is left out.
    #[test]
    fn only_items_that_both_have_count() {
        let errors = [vec![1.0, 2.0, 3.0, 9.0], vec![1.0, 3.0, 2.0, f64::NAN]];
        assert!((independent_votes(&errors).unwrap() - 4.0 / 3.0).abs() < 1e-12);
    }
}
