//! Predicts the width of corrected intervals.

use crate::descriptive::variance;
use crate::distribution::student;
use crate::error::StatsError;

/// The width of an interval, from end to end, that is expected of a sample.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct PlannedWidth {
    /// For the figure of complete human labels of this pool: 0 if all is labelled.
    pub these_queries: f64,
    /// Of the mean over queries like these. No number of labels makes it narrower than [`floor`](Self::floor).
    pub queries_like_these: f64,
    /// The part of the second that more labels cannot reduce, since the number of queries is limited.
    pub floor: f64,
}

/// Returns the variance of the mean over queries like these.
fn variance_of_mean(judged: &[f64]) -> f64 {
    variance(judged).unwrap_or(0.0) / judged.len() as f64
}

/// Returns the expected variance of human labels of pairs to which the judge gave a grade, from 0, the least of its
/// scale, to 1, the greatest: p(1 − p)·c, for labels from 0 to `largest_label`.
///
/// p is .1, .3, .55 and .85 on a scale of four grades, and in between on others. c is 1 for labels of 0 and 1, and half
/// the square of the largest for grades: for two judges on the TREC 2019 Deep Learning passages, `umbrela.gpt-4o` and
/// `umbrela.llama3.2`, the variance of human grades from 0 to 3 is 3.6 to 7.1 times that of "2 or more".
pub fn guessed_variance(place_on_scale: f64, largest_label: f64) -> f64 {
    guessed_square(place_on_scale, guessed_share(place_on_scale), largest_label)
}

/// Returns p, the expected share of relevant ones, in [`guessed_variance`].
pub fn guessed_share(place_on_scale: f64) -> f64 {
    by_place(place_on_scale, &[0.1, 0.3, 0.55, 0.85])
}

/// Returns the expected mean square of such labels about the mean of others, of which this share is relevant:
/// (p(1 − p) + (p − share)²)·c.
pub fn guessed_square(place_on_scale: f64, share: f64, largest_label: f64) -> f64 {
    let p = guessed_share(place_on_scale);
    let scale = if largest_label <= 1.0 { 1.0 } else { largest_label * largest_label / 2.0 };
    (p * (1.0 - p) + (p - share).powi(2)) * scale
}

/// Interpolates between values of equally spaced places on a scale, from 0 to 1.
pub fn by_place(place_on_scale: f64, values: &[f64; 4]) -> f64 {
    let place = place_on_scale.clamp(0.0, 1.0) * 3.0;
    let below = (place.floor() as usize).min(2);
    values[below] + (place - below as f64) * (values[below + 1] - values[below])
}

/// The variances of an estimated sum over pairs that are still to be labelled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedTotal {
    /// The variance that missing labels will cause.
    pub of_labels: f64,
    /// The variance that unknown divisors will add: see [`divisor_variance`](crate::divisor_variance).
    pub of_divisor: f64,
    /// The degrees of freedom of the interval for these queries.
    pub degrees: f64,
}

/// Returns the expected width of an interval for such a sum. `judged` is the judge's figure for each query, whose
/// variance stands for that of human figures. `None` for less than one degree of freedom, or fewer than two queries.
///
/// # Errors
/// Returns an error if a value is not finite, or the confidence is not between 0 and 1.
pub fn planned_total(
    total: PlannedTotal,
    judged: &[f64],
    confidence: f64,
) -> Result<Option<PlannedWidth>, StatsError> {
    StatsError::unless_confidence(confidence)?;
    StatsError::unless_finite(judged)?;
    StatsError::unless_finite(&[total.of_labels, total.of_divisor])?;
    if total.degrees < 1.0 || judged.len() < 2 {
        return Ok(None);
    }
    let of_queries = variance_of_mean(judged);
    let of_sample = total.of_labels + total.of_divisor;
    let width = |variance: f64, degrees: f64| {
        2.0 * student::critical((1.0 - confidence) / 2.0, degrees) * variance.sqrt()
    };
    let over_queries = (judged.len() - 1) as f64;
    Ok(Some(PlannedWidth {
        these_queries: if of_sample > 0.0 { width(of_sample, total.degrees) } else { 0.0 },
        queries_like_these: width(of_sample + of_queries, over_queries),
        floor: width(of_queries, over_queries),
    }))
}

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

    // By hand: the variance of labels and divisors is .174; of queries s² = .02/3 over 4 = .0016666667. scipy 1.17.1:
    // t.ppf(.975, 7) = 2.3646242510, t.ppf(.975, 3) = 3.1824463053.
    #[test]
    fn the_width_is_that_of_the_formula() {
        let total = PlannedTotal { of_labels: 0.15, of_divisor: 0.024, degrees: 7.0 };
        let width = planned_total(total, &[0.1, 0.2, 0.1, 0.0], 0.95).unwrap().unwrap();
        assert!((width.these_queries - 2.0 * 2.364_624_251_0 * 0.174_f64.sqrt()).abs() < 1e-8);
        let like = 2.0 * 3.182_446_305_3 * (0.174_f64 + 0.02 / 12.0).sqrt();
        assert!((width.queries_like_these - like).abs() < 1e-8);
        assert!((width.floor - 2.0 * 3.182_446_305_3 * (0.02_f64 / 12.0).sqrt()).abs() < 1e-8);
    }

    #[test]
    fn labels_of_everything_leave_only_the_queries() {
        let total = PlannedTotal { of_labels: 0.0, of_divisor: 0.0, degrees: 2.0 };
        let width = planned_total(total, &[0.1, 0.3], 0.95).unwrap().unwrap();
        assert_eq!((width.these_queries, width.queries_like_these), (0.0, width.floor));
        let few = PlannedTotal { degrees: 0.0, ..total };
        assert_eq!(planned_total(few, &[0.1, 0.3], 0.95).unwrap(), None);
        assert!(planned_total(total, &[0.1, 0.3], 1.0).is_err());
    }

    #[test]
    fn variances_are_those_of_the_named_shares() {
        let of = |place: f64, largest| guessed_variance(place, largest);
        for (place, p) in [(0.0, 0.1), (1.0 / 3.0, 0.3), (2.0 / 3.0, 0.55), (1.0, 0.85), (0.5, 0.425)] {
            assert!((of(place, 1.0) - p * (1.0 - p)).abs() < 1e-12, "{place}");
            assert!((of(place, 3.0) - 4.5 * p * (1.0 - p)).abs() < 1e-12, "{place}");
        }
    }

    // S² of eight figures, four 0 and four 1, is 2/7. scipy 1.17.1: t.ppf(.975, 2) = 4.3026527297.
    #[test]
    fn the_width_is_that_of_the_formula_planned_queries() {
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
