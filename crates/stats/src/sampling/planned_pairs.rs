//! Predicts the width of intervals corrected by sampled pairs.

use super::planned_width::{PlannedWidth, variance_of_mean};
use crate::distribution::student;
use crate::error::StatsError;

/// A stratum of pairs, with the expected variance of its labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedStratum {
    /// The number of its pairs.
    pub size: usize,
    /// The number of them that will be labelled: of a uniform sample, the number to expect.
    pub labels: f64,
    /// The mean of the squares of their weights in the figure.
    pub squared_weight: f64,
    /// The expected variance of their labels: see [`guessed_variance`].
    pub label_variance: f64,
}

/// The input of a planned sample of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedPairs<'a> {
    /// The strata.
    pub strata: &'a [PlannedStratum],
    /// The number of different grades of the judge among the pairs.
    pub grades: usize,
    /// The judge's figure for each query, whose variance stands for that of human figures.
    pub judged: &'a [f64],
    /// The confidence of the interval.
    pub confidence: f64,
}

/// Returns the expected variance of human labels of pairs to which the judge gave a grade, from 0, the least of its
/// scale, to 1, the greatest: p(1 − p)·c, for labels from 0 to `largest_label`.
///
/// p is .1, .3, .55 and .85 on a scale of four grades, and in between on others. c is 1 for labels of 0 and 1, and half
/// the square of the largest for grades: for two judges on the TREC 2019 Deep Learning passages, `umbrela.gpt-4o` and
/// `umbrela.llama3.2`, the variance of human grades from 0 to 3 is 3.6 to 7.1 times that of "2 or more".
pub fn guessed_variance(place_on_scale: f64, largest_label: f64) -> f64 {
    const RELEVANT: [f64; 4] = [0.1, 0.3, 0.55, 0.85];
    let place = place_on_scale.clamp(0.0, 1.0) * 3.0;
    let below = (place.floor() as usize).min(2);
    let p = RELEVANT[below] + (place - below as f64) * (RELEVANT[below + 1] - RELEVANT[below]);
    let scale = if largest_label <= 1.0 { 1.0 } else { largest_label * largest_label / 2.0 };
    p * (1.0 - p) * scale
}

/// Returns the expected width: Student's quantile times the root of Σ N²·mean(w²)·s²/n·(1 − n/N), and for queries like
/// these of that and the variance of the judge's mean over queries together. `None` if a stratum gets no label, there
/// are not more labels than grades, or fewer than two queries.
///
/// # Errors
/// Returns an error if a value is not finite, or the confidence is not between 0 and 1.
pub fn planned_pairs(plan: &PlannedPairs<'_>) -> Result<Option<PlannedWidth>, StatsError> {
    StatsError::unless_confidence(plan.confidence)?;
    StatsError::unless_finite(plan.judged)?;
    let labels: f64 = plan.strata.iter().map(|stratum| stratum.labels).sum();
    let without = |stratum: &PlannedStratum| stratum.size > 0 && stratum.labels <= 0.0;
    let queries = plan.judged.len();
    let degrees = labels - plan.grades as f64;
    if degrees < 1.0 || queries < 2 || plan.strata.iter().any(without) {
        return Ok(None);
    }
    let parts = plan.strata.iter().filter(|stratum| stratum.size > 0).map(|stratum| {
        let (size, n) = (stratum.size as f64, stratum.labels);
        size * size * stratum.squared_weight * stratum.label_variance / n * (1.0 - n / size)
    });
    let of_labels: f64 = parts.sum();
    StatsError::unless_finite(&[of_labels])?;
    let of_queries = variance_of_mean(plan.judged);
    let width = |variance: f64, degrees: f64| {
        2.0 * student::critical((1.0 - plan.confidence) / 2.0, degrees) * variance.sqrt()
    };
    let over_queries = (queries - 1) as f64;
    Ok(Some(PlannedWidth {
        these_queries: if of_labels > 0.0 { width(of_labels, degrees) } else { 0.0 },
        queries_like_these: width(of_labels + of_queries, over_queries),
        floor: width(of_queries, over_queries),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Worked by hand: 10²·0.01·0.16/4·(1 − 4/10) + 20²·0.01·0.25/5·(1 − 5/20) = .024 + .15 = .174; of queries
    // s² = .02/3 over 4 = .0016666667. scipy 1.17.1: t.ppf(.975, 7) = 2.3646242510, t.ppf(.975, 3) = 3.1824463053.
    #[test]
    fn the_width_is_that_of_the_formula() {
        let strata = [
            PlannedStratum { size: 10, labels: 4.0, squared_weight: 0.01, label_variance: 0.16 },
            PlannedStratum { size: 20, labels: 5.0, squared_weight: 0.01, label_variance: 0.25 },
        ];
        let plan =
            PlannedPairs { strata: &strata, grades: 2, judged: &[0.1, 0.2, 0.1, 0.0], confidence: 0.95 };
        let width = planned_pairs(&plan).unwrap().unwrap();
        assert!((width.these_queries - 2.0 * 2.364_624_251_0 * 0.174_f64.sqrt()).abs() < 1e-8);
        let like = 2.0 * 3.182_446_305_3 * (0.174_f64 + 0.02 / 12.0).sqrt();
        assert!((width.queries_like_these - like).abs() < 1e-8);
        assert!((width.floor - 2.0 * 3.182_446_305_3 * (0.02_f64 / 12.0).sqrt()).abs() < 1e-8);
    }

    #[test]
    fn labels_of_everything_leave_only_the_queries() {
        let strata = [PlannedStratum { size: 3, labels: 3.0, squared_weight: 1.0, label_variance: 0.2 }];
        let plan = PlannedPairs { strata: &strata, grades: 1, judged: &[0.1, 0.3], confidence: 0.95 };
        let width = planned_pairs(&plan).unwrap().unwrap();
        assert_eq!((width.these_queries, width.queries_like_these), (0.0, width.floor));
        let few = [PlannedStratum { labels: 0.0, ..strata[0] }];
        assert_eq!(planned_pairs(&PlannedPairs { strata: &few, ..plan }).unwrap(), None);
        assert!(planned_pairs(&PlannedPairs { confidence: 1.0, ..plan }).is_err());
    }

    #[test]
    fn variances_are_those_of_the_named_shares() {
        let of = |place: f64, largest| guessed_variance(place, largest);
        for (place, p) in [(0.0, 0.1), (1.0 / 3.0, 0.3), (2.0 / 3.0, 0.55), (1.0, 0.85), (0.5, 0.425)] {
            assert!((of(place, 1.0) - p * (1.0 - p)).abs() < 1e-12, "{place}");
            assert!((of(place, 3.0) - 4.5 * p * (1.0 - p)).abs() < 1e-12, "{place}");
        }
    }
}
