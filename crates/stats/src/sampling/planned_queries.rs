//! Predicts the width of intervals corrected by sampled queries.

use super::planned_width::{PlannedWidth, variance_of_mean};
use crate::descriptive::variance;
use crate::distribution::student;
use crate::error::StatsError;

/// Returns the expected width if `n` of the queries are labelled, given the judge's figure for each and its correlation
/// with human figures: of the variance S² of the judge's figures, 1 − ρ² is left to the sample and ρ² is known of all
/// queries (Angelopoulos, Duchi and Zrnic, arXiv 2311.01453). To the first the estimator adds the squares of two
/// queries ([`correct_sampled_queries`](crate::correct_sampled_queries)), with ρ for its λ. A correlation of 0 gives
/// the width of human labels alone. `None` for fewer than three.
///
/// # Errors
/// Returns an error if a value is not finite, the correlation is not from -1 to 1, or the confidence is not between 0
/// and 1.
pub fn planned_queries(
    judged: &[f64],
    n: usize,
    correlation: f64,
    confidence: f64,
) -> Result<Option<PlannedWidth>, StatsError> {
    StatsError::unless_confidence(confidence)?;
    StatsError::unless_finite(judged)?;
    if !(-1.0..=1.0).contains(&correlation) {
        return Err(StatsError::Effect(correlation));
    }
    let (all, n) = (judged.len() as f64, n.min(judged.len()) as f64);
    if n < 3.0 {
        return Ok(None);
    }
    let spread = variance(judged).unwrap_or(0.0);
    let missed =
        if correlation == 0.0 { 0.0 } else { 2.0 * (1.0 - correlation).powi(2).max(0.25) / (n - 1.0) };
    let unexplained = (1.0 - correlation * correlation) * (n - 1.0) / (n - 2.0) + missed;
    let unsampled = 1.0 - n / all;
    let width = |variance: f64| {
        2.0 * student::critical((1.0 - confidence) / 2.0, n - 2.0) * (variance * spread).sqrt()
    };
    Ok(Some(PlannedWidth {
        these_queries: width(unexplained / n * unsampled),
        queries_like_these: width(unexplained / n * unsampled + 1.0 / all),
        floor: 2.0
            * student::critical((1.0 - confidence) / 2.0, all - 1.0)
            * variance_of_mean(judged).max(0.0).sqrt(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    // S² of eight figures, four 0 and four 1, is 2/7. scipy 1.17.1: t.ppf(.975, 2) = 4.3026527297.
    #[test]
    fn the_width_is_that_of_the_formula() {
        let judged = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        let at = |n, correlation| planned_queries(&judged, n, correlation, 0.95).unwrap().unwrap();
        let alone = at(4, 0.0);
        let these = 2.0 * 4.302_652_729_7 * (2.0_f64 / 7.0 * 1.5 / 4.0 * 0.5).sqrt();
        assert!((alone.these_queries - these).abs() < 1e-8, "{alone:?}");
        let with = at(4, 0.8);
        // (1 − .64)·3/2 + 2·max(1/4, .2²)/3 is left, where 3/2 was.
        let left = 0.36 * 1.5 + 0.5 / 3.0;
        assert!((with.these_queries / these - (left / 1.5_f64).sqrt()).abs() < 1e-9);
        let like = 2.0 * 4.302_652_729_7 * (2.0_f64 / 7.0 * (left / 4.0 * 0.5 + 0.125)).sqrt();
        assert!((with.queries_like_these - like).abs() < 1e-8);
        assert_eq!(at(8, 0.0).these_queries, 0.0);
        assert_eq!(at(3, 0.5).floor, at(8, 0.5).floor);
    }

    #[test]
    fn two_queries_say_nothing() {
        assert_eq!(planned_queries(&[0.1, 0.2, 0.3], 2, 0.8, 0.95).unwrap(), None);
        assert!(planned_queries(&[0.1, f64::NAN], 3, 0.8, 0.95).is_err());
        assert!(planned_queries(&[0.1, 0.2], 3, 1.5, 0.95).is_err());
    }
}
