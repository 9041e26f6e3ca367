//! How clear a verdict is, and whether other judges would give it.
//!
//! Judges share errors, so the variance between them is not divided by their number. A prior weighs the variance of few
//! judges: 0.02 is the deviation between GPT-4 judges of nDCG@10 on TREC Deep Learning 2019, and it counts like four
//! degrees of freedom.

use crate::descriptive::{mean, variance};
use crate::distribution::student;

/// A mean difference against the half-width of its interval by Student's t, at 95% confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerdictMargin {
    /// The size of the mean difference beyond the threshold, in standard errors: `|mean| / SE - t[n - 1]`. It is above
    /// 0 if the interval excludes 0.
    pub x: f64,
    /// The same in units of the differences: the distance from 0 of the nearer end of the interval.
    pub margin: f64,
}

impl VerdictMargin {
    /// Returns the margin of these differences; `None` for fewer than two, or if all are equal.
    ///
    /// ```
    /// use llull_stats::VerdictMargin;
    ///
    /// let margin = VerdictMargin::of(&[0.1, 0.3, 0.2, 0.2]).unwrap();
    /// assert!((margin.x - (24f64.sqrt() - 3.1824463)).abs() < 1e-6);
    /// assert_eq!(VerdictMargin::of(&[0.1, 0.1]), None);
    /// ```
    pub fn of(differences: &[f64]) -> Option<Self> {
        let n = differences.len() as f64;
        // Rounding would leave equal differences a tiny deviation.
        let equal = differences.windows(2).all(|two| two[0] == two[1]);
        let error = (variance(differences)? / n).sqrt();
        let threshold = student::critical(0.025, n - 1.0);
        let size = mean(differences).abs();
        (!equal && error > 0.0 && size.is_finite())
            .then(|| Self { x: size / error - threshold, margin: size - threshold * error })
    }
}

/// The deviation between judges before any is seen, in units of nDCG.
const PRIOR_DEVIATION: f64 = 0.02;

/// How many degrees of freedom the prior is worth.
const PRIOR_WEIGHT: f64 = 4.0;

/// A panel's mean difference, with an interval over judges and queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherJudges {
    /// The mean over judges of their mean differences.
    pub mean: f64,
    /// The half-width of the interval over judges and queries, at 95% confidence.
    pub half: f64,
    /// The standard deviation between judges, with the prior.
    pub deviation: f64,
}

impl OtherJudges {
    /// Returns the interval of judges with these differences by query, one list for each judge. `None` for fewer than
    /// two judges or queries, or if the judges' queries differ in number.
    pub fn of(judges: &[Vec<f64>]) -> Option<Self> {
        let queries = judges.first()?.len();
        if judges.iter().any(|judge| judge.len() != queries) {
            return None;
        }
        let of_panel = |query: usize| {
            let values: Option<Vec<f64>> = judges.iter().map(|judge| judge.get(query).copied()).collect();
            Some(mean(&values?))
        };
        let differences: Vec<f64> = (0..queries).filter_map(of_panel).collect();
        let error = (variance(&differences)? / queries as f64).sqrt();
        let means: Vec<f64> = judges.iter().map(|judge| mean(judge)).collect();
        let (deviation, half) = half_width(&means, error, queries)?;
        let mean = mean(&means);
        (mean.is_finite() && half.is_finite()).then_some(Self { mean, half, deviation })
    }
}

/// Returns the deviation between judges with these mean differences, and the half-width. `error` is the standard error
/// of the panel's mean difference over `queries`.
fn half_width(means: &[f64], error: f64, queries: usize) -> Option<(f64, f64)> {
    let (judges, between) = (means.len() as f64, variance(means)?);
    let prior = PRIOR_WEIGHT * PRIOR_DEVIATION * PRIOR_DEVIATION;
    let degrees = judges - 1.0 + PRIOR_WEIGHT;
    let between = ((judges - 1.0) * between + prior) / degrees;
    let over_queries = student::critical(0.025, queries as f64 - 1.0) * error;
    let over_judges = student::critical(0.025, degrees);
    let half = (over_queries * over_queries + over_judges * over_judges * between).sqrt();
    Some((between.sqrt(), half))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_direction_does_not_matter() {
        let up = [0.1, 0.3, 0.2, -0.05];
        assert_eq!(VerdictMargin::of(&up), VerdictMargin::of(&up.map(|value| -value)));
    }

    #[test]
    fn equal_or_few_or_infinite_differences_have_none() {
        for values in [&[][..], &[1.0], &[0.2, 0.2, 0.2], &[f64::INFINITY, 0.0], &[f64::NAN, 0.0]] {
            assert_eq!(VerdictMargin::of(values), None, "{values:?}");
        }
    }

    /// `experiments/ndcg_from_pairs/golden.py` (numpy and scipy): panel .05 .02 .09, SE .02, Q 43.
    #[test]
    fn the_worked_example() {
        let (deviation, half) = half_width(&[0.05, 0.02, 0.09], 0.02, 43).unwrap();
        assert!((deviation * deviation - 0.000_677_777_8).abs() < 1e-9, "{deviation}");
        assert!((half - 0.075_413_347_6).abs() < 1e-9, "{half}");
    }

    #[test]
    fn one_judge_or_one_query_is_not_enough() {
        for judges in
            [vec![], vec![vec![0.1, 0.2]], vec![vec![0.1], vec![0.2]], vec![vec![0.1, 0.2], vec![0.1]]]
        {
            assert_eq!(OtherJudges::of(&judges), None, "{judges:?}");
        }
    }

    proptest! {
        /// Repeats of one judge remove nothing: the deviation has a floor, which is not divided by their number.
        #[test]
        fn the_interval_holds_the_one_over_queries(
            differences in proptest::collection::vec(-1.0..1.0_f64, 2..30), judges in 2..6_usize,
        ) {
            let found = OtherJudges::of(&vec![differences.clone(); judges]).unwrap();
            let n = differences.len() as f64;
            let over_queries =
                student::critical(0.025, n - 1.0) * (variance(&differences).unwrap() / n).sqrt();
            prop_assert!(found.half > over_queries && found.deviation > 0.0);
            prop_assert!((found.mean - mean(&differences)).abs() < 1e-12);
        }
    }
}
