//! Corrects figures by queries with complete human labels.

use super::corrected::{BetweenQueries, Corrected, DivisorVariance, Estimand, Looks, interval};
use crate::descriptive::{mean, variance};
use crate::error::StatsError;

/// How figures of queries are corrected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueriesOptions {
    /// The estimated quantity.
    pub estimand: Estimand,
    /// The confidence of the interval.
    pub confidence: f64,
    /// How often the interval is read.
    pub looks: Looks,
}

/// Corrects the mean of `judged`, a judge's figure for each query, by the human figure for a random sample of the
/// queries: `human` has a value where the query was sampled.
///
/// The estimate is λ·mean(judged) + mean over the sample of (human − λ·judged), with λ = cov(human, judged) /
/// var(judged) held between 0 and 1. The spread of the residuals is s²·(n−1)/(n−2) + 2·S²·max(1/4, (1−λ)²) / (n−1), for
/// their s² and the judge's S²: a few queries often carry a difference, and a sample that misses them would seem too
/// certain. The added terms are the squares of two queries, as expected from the judge's figures. They do not count as
/// queries, otherwise the interval would hold less often than that of human figures alone (a weak judge, 17 of the 43
/// queries of TREC 2019 Deep Learning). The quantile is Student's with n − 2 degrees of freedom; for
/// [`Estimand::QueriesLikeThese`] with Satterthwaite's of the sampled and the other queries' parts.
///
/// # Errors
/// Returns an error if a value is not finite, the lists differ in length, fewer than three queries were sampled, or the
/// confidence is not between 0 and 1.
pub fn correct_sampled_queries(
    judged: &[f64],
    human: &[Option<f64>],
    options: &QueriesOptions,
) -> Result<Corrected, StatsError> {
    let QueriesOptions { estimand, confidence, looks } = *options;
    let sample = Sample::of(judged, human, confidence)?;
    let (n, all) = (sample.human.len() as f64, judged.len() as f64);
    let lambda = sample.lambda(judged);
    let residuals = sample.residuals(lambda);
    let value = lambda * mean(judged) + mean(&residuals);
    let unsampled = 1.0 - n / all;
    let spread_of_judged = variance(judged).unwrap_or(0.0);
    let own = |residuals: &[f64]| variance(residuals).unwrap_or(0.0) * (n - 1.0) / (n - 2.0);
    let missed = 2.0 * spread_of_judged * (1.0 - lambda).powi(2).max(0.25) / (n - 1.0) / n * unsampled;
    let judge_variance = own(&residuals) / n * unsampled + missed;
    let (variance_of_all, degrees) = match estimand {
        Estimand::TheseQueries => (judge_variance, n - 2.0),
        Estimand::QueriesLikeThese => {
            // The sampled queries' judgments are part of mean(judged): the same estimate as a sum of two independent
            // means, with λ(1 − n/N) in place of λ.
            let apart = lambda * unsampled;
            let sampled = own(&sample.residuals(apart)) / n + missed;
            let rest = if unsampled > 0.0 { apart * apart * spread_of_judged / (all - n) } else { 0.0 };
            let shares = sampled.powi(2) / (n - 2.0) + rest.powi(2) / (all - n - 1.0).max(1.0);
            let satterthwaite = (sampled + rest).powi(2) / shares;
            (sampled + rest, if shares > 0.0 { satterthwaite } else { n - 2.0 })
        }
    };
    let query_variance = (variance_of_all - judge_variance).max(0.0);
    let frame = (estimand == Estimand::TheseQueries).then_some(judged.len());
    let stretch = looks.stretch(sample.human.len(), frame, confidence);
    let ends = interval(value, variance_of_all, degrees, confidence, stretch);
    let human_only = {
        let finite = if estimand == Estimand::TheseQueries { unsampled } else { 1.0 };
        let spread = variance(&sample.human).unwrap_or(0.0) / n * finite;
        interval(mean(&sample.human), spread, n - 1.0, confidence, stretch)
    };
    Ok(Corrected {
        value,
        low: ends.low,
        high: ends.high,
        frame: judged.len(),
        labels: sample.human.len(),
        lambda: Some(lambda),
        estimand,
        degrees,
        judge_variance,
        query_variance,
        divisor_variance: DivisorVariance::default(),
        between_queries: BetweenQueries { of_labels: judge_variance, of_queries: query_variance },
        human_only,
        judge_only: mean(judged),
    })
}

/// The sampled queries.
struct Sample {
    human: Vec<f64>,
    judged: Vec<f64>,
}

impl Sample {
    fn of(judged: &[f64], human: &[Option<f64>], confidence: f64) -> Result<Self, StatsError> {
        if judged.len() != human.len() {
            return Err(StatsError::Unpaired { baseline: judged.len(), candidate: human.len() });
        }
        StatsError::unless_finite(judged)?;
        StatsError::unless_confidence(confidence)?;
        let sampled = human.iter().zip(judged).filter_map(|(human, judged)| Some(((*human)?, *judged)));
        let (human, judged): (Vec<f64>, Vec<f64>) = sampled.unzip();
        StatsError::unless_finite(&human)?;
        if human.len() < 3 {
            return Err(StatsError::TooFewLabels { labels: human.len(), needed: 3 });
        }
        Ok(Self { human, judged })
    }

    /// Returns cov(human, judged) of the sample over the variance of all judged figures, held between 0 and 1.
    fn lambda(&self, judged: &[f64]) -> f64 {
        let (human, sampled) = (mean(&self.human), mean(&self.judged));
        let products = self.human.iter().zip(&self.judged).map(|(y, f)| (y - human) * (f - sampled));
        let covariance = products.sum::<f64>() / (self.human.len() - 1) as f64;
        match variance(judged) {
            Some(variance) if variance > 0.0 => (covariance / variance).clamp(0.0, 1.0),
            _ => 0.0,
        }
    }

    fn residuals(&self, lambda: f64) -> Vec<f64> {
        self.human.iter().zip(&self.judged).map(|(y, f)| y - lambda * f).collect()
    }
}

/// Corrects the mean of `judged`, a judge's figure for each query, by the human figure for queries of which each was
/// drawn with a probability of its own: `human` has a value where the query was drawn.
///
/// The estimate is λ·mean(judged) plus the mean over the drawn of (human − λ·judged), each weighing 1/π (Hájek's form
/// of Horvitz and Thompson's estimator, which does not depend on the number drawn); λ is weighed likewise. Its variance
/// is Σ (1 − π)·((e − mean e)/π)² over the square of Σ 1/π, times n/(n − 2): that of draws which are independent, and
/// no less than that of so many drawn together. The squares of two queries, as expected from the judge's figures, are
/// added, as in [`correct_sampled_queries`](super::correct_sampled_queries), where probabilities are equal; and for
/// [`Estimand::QueriesLikeThese`] the variance of human figures over queries, over their number. The quantile is
/// Student's with as many queries as the drawn ones are worth (Kish), less two.
///
/// # Errors
/// Returns an error if a value is not finite, the lists differ in length, a probability is not above 0 and at most 1,
/// the drawn queries are worth fewer than three, or the confidence is not between 0 and 1.
pub fn correct_unequal_queries(
    judged: &[f64],
    human: &[Option<f64>],
    probabilities: &[f64],
    options: &QueriesOptions,
) -> Result<Corrected, StatsError> {
    let QueriesOptions { estimand, confidence, looks } = *options;
    StatsError::unless_finite(judged)?;
    StatsError::unless_confidence(confidence)?;
    for other in [human.len(), probabilities.len()] {
        if other != judged.len() {
            return Err(StatsError::Unpaired { baseline: judged.len(), candidate: other });
        }
    }
    let drawn: Vec<Drawn> = (human.iter().zip(judged).zip(probabilities))
        .filter_map(|((human, judged), probability)| {
            Some(Drawn { human: (*human)?, judged: *judged, probability: *probability })
        })
        .collect();
    StatsError::unless_finite(&drawn.iter().map(|query| query.human).collect::<Vec<_>>())?;
    let worth = worth(&drawn);
    if drawn.len() < 3 || worth.is_nan() || worth < 3.0 {
        return Err(StatsError::TooFewLabels { labels: worth as usize, needed: 3 });
    }
    let (all, spread) = (judged.len() as f64, variance(judged).unwrap_or(0.0));
    let lambda = lambda(&drawn, spread);
    let corrected = Weighted::of(&drawn, |query| query.human - lambda * query.judged);
    let people = Weighted::of(&drawn, |query| query.human);
    let unsampled = (1.0 - worth / all).max(0.0);
    let missed = 2.0 * spread * (1.0 - lambda).powi(2).max(0.25) / (worth - 1.0) / worth * unsampled;
    let judge_variance = corrected.variance_of_draw * worth / (worth - 2.0) + missed;
    let query_variance = match estimand {
        Estimand::TheseQueries => 0.0,
        Estimand::QueriesLikeThese => people.variance * worth / (worth - 1.0) / all,
    };
    let value = lambda * mean(judged) + corrected.mean;
    let frame = (estimand == Estimand::TheseQueries).then_some(judged.len());
    let stretch = looks.stretch(drawn.len(), frame, confidence);
    let ends = interval(value, judge_variance + query_variance, worth - 2.0, confidence, stretch);
    let alone = people.variance_of_draw * worth / (worth - 1.0) + query_variance;
    Ok(Corrected {
        value,
        low: ends.low,
        high: ends.high,
        frame: judged.len(),
        labels: drawn.len(),
        lambda: Some(lambda),
        estimand,
        degrees: worth - 2.0,
        judge_variance,
        query_variance,
        divisor_variance: DivisorVariance::default(),
        between_queries: BetweenQueries { of_labels: judge_variance, of_queries: query_variance },
        human_only: interval(people.mean, alone, worth - 1.0, confidence, stretch),
        judge_only: mean(judged),
    })
}

/// A drawn query.
struct Drawn {
    human: f64,
    judged: f64,
    probability: f64,
}

/// The number of queries of equal weight that the drawn ones are worth; NaN if a probability is invalid.
fn worth(drawn: &[Drawn]) -> f64 {
    if drawn.iter().any(|query| !(query.probability > 0.0 && query.probability <= 1.0)) {
        return f64::NAN;
    }
    let weights = || drawn.iter().map(|query| query.probability.recip());
    weights().sum::<f64>().powi(2) / weights().map(|weight| weight * weight).sum::<f64>()
}

/// A figure's mean over all queries, by the drawn ones.
struct Weighted {
    mean: f64,
    /// Of the mean, by which queries were drawn.
    variance_of_draw: f64,
    /// Of the figure over queries.
    variance: f64,
}

impl Weighted {
    fn of(drawn: &[Drawn], figure: impl Fn(&Drawn) -> f64) -> Self {
        let sum =
            |of: &dyn Fn(&Drawn) -> f64| drawn.iter().map(|query| of(query) / query.probability).sum::<f64>();
        let all = sum(&|_| 1.0);
        let mean = sum(&figure) / all;
        let square = |query: &Drawn| (figure(query) - mean).powi(2);
        let variance_of_draw =
            sum(&|query| (1.0 - query.probability) * square(query) / query.probability) / (all * all);
        Self { mean, variance_of_draw, variance: sum(&square) / all }
    }
}

/// cov(human, judged) over the variance of all judged figures, held between 0 and 1.
fn lambda(drawn: &[Drawn], spread: f64) -> f64 {
    let (human, judged) =
        (Weighted::of(drawn, |query| query.human), Weighted::of(drawn, |query| query.judged));
    let product = |query: &Drawn| (query.human - human.mean) * (query.judged - judged.mean);
    let worth = worth(drawn);
    let covariance = Weighted::of(drawn, product).mean * worth / (worth - 1.0);
    if spread > 0.0 { (covariance / spread).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUMAN: [f64; 8] = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    const JUDGED: [f64; 20] = [
        1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, // sampled
        1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0,
    ];

    const THESE: QueriesOptions =
        QueriesOptions { estimand: Estimand::TheseQueries, confidence: 0.95, looks: Looks::Once };
    const LIKE: QueriesOptions = QueriesOptions { estimand: Estimand::QueriesLikeThese, ..THESE };

    fn sampled() -> Vec<Option<f64>> {
        HUMAN.map(Some).into_iter().chain([None; 12]).collect()
    }

    // From the definition: cov(human, judged) = 1/7 and var(judged) = 4.95/19, so that λ = 19/34.65; then
    // λ·0.55 + 0.5 − λ·0.5. GLIDE, which leaves the sampled out of its mean, has the same estimate.
    #[test]
    fn the_estimate_is_that_of_ppi_with_a_tuned_lambda() {
        let got = correct_sampled_queries(&JUDGED, &sampled(), &THESE).unwrap();
        assert!((got.lambda.unwrap() - 0.5483405483).abs() < 1e-9);
        assert!((got.value - 0.5274170274).abs() < 1e-9);
        assert_eq!((got.labels, got.frame), (8, 20));
        assert!((got.judge_only - 0.55).abs() < 1e-12);
    }

    #[test]
    fn a_complete_sample_leaves_these_queries_no_uncertainty() {
        let human: Vec<Option<f64>> = JUDGED.map(|value| Some(1.0 - value)).into();
        let got = correct_sampled_queries(&JUDGED, &human, &THESE).unwrap();
        assert!((got.value - 0.45).abs() < 1e-12 && got.low == got.value && got.high == got.value);
        let like = correct_sampled_queries(&JUDGED, &human, &LIKE).unwrap();
        assert!(like.low < 0.45 && like.high > 0.45 && like.query_variance > 0.0);
    }

    #[test]
    fn a_judge_without_spread_is_not_used() {
        let got = correct_sampled_queries(&[0.5; 20], &sampled(), &THESE).unwrap();
        assert_eq!((got.lambda, got.value), (Some(0.0), 0.5));
    }

    #[test]
    fn what_cannot_be_estimated_is_an_error() {
        let few = [Some(1.0), None, Some(0.0), None];
        let got = correct_sampled_queries(&[0.1; 4], &few, &THESE);
        assert_eq!(got.unwrap_err(), StatsError::TooFewLabels { labels: 2, needed: 3 });
        assert!(correct_sampled_queries(&[0.1; 3], &few, &THESE).is_err());
        assert!(correct_sampled_queries(&[f64::NAN; 4], &few, &THESE).is_err());
        assert!(
            correct_sampled_queries(&JUDGED, &sampled(), &QueriesOptions { confidence: 1.0, ..THESE })
                .is_err()
        );
    }

    fn study() -> (Vec<f64>, Vec<Option<f64>>) {
        let judged: Vec<f64> = (0..20_i32).map(|at| f64::from(at * 7 % 11) / 10.0).collect();
        let annotator = |(at, f): (usize, &f64)| (at % 2 == 0).then_some(f + 0.1 * f64::from(at as u8 % 3));
        let human = judged.iter().enumerate().map(annotator).collect();
        (judged, human)
    }

    /// Where all are as likely, it is what is known of that.
    #[test]
    fn equal_probabilities_give_what_equal_draws_give() {
        let (judged, human) = study();
        let unequal = correct_unequal_queries(&judged, &human, &[0.5; 20], &THESE).unwrap();
        let equal = correct_sampled_queries(&judged, &human, &THESE).unwrap();
        for (one, other) in [
            (unequal.value, equal.value),
            (unequal.low, equal.low),
            (unequal.lambda.unwrap(), equal.lambda.unwrap()),
            (unequal.human_only.value, equal.human_only.value),
            (unequal.human_only.high, equal.human_only.high),
        ] {
            assert!((one - other).abs() < 1e-12, "{one} {other}");
        }
    }

    /// Python, from the definition: Σ y/π over Σ 1/π, and Σ (1 − π)((y − mean)/π)² over (Σ 1/π)².
    #[test]
    fn people_alone_are_hajeks_estimator() {
        let human = [Some(0.2), Some(0.9), Some(0.4), Some(0.5), None, None];
        let probabilities = [0.25, 0.5, 0.8, 0.5, 0.3, 0.3];
        let got = correct_unequal_queries(&[0.0; 6], &human, &probabilities, &THESE).unwrap();
        assert!((got.human_only.value - 4.1 / 9.25).abs() < 1e-12);
        assert_eq!((got.lambda, got.value), (Some(0.0), got.human_only.value));
    }

    #[test]
    fn what_cannot_be_estimated_is_an_error_unequal_queries() {
        let (judged, human) = study();
        assert!(correct_unequal_queries(&judged, &human, &[0.5; 19], &THESE).is_err());
        assert!(correct_unequal_queries(&judged, &human, &[0.0; 20], &THESE).is_err());
        assert!(correct_unequal_queries(&judged, &[None; 20], &[0.5; 20], &THESE).is_err());
        let mut lopsided = [0.9; 20];
        lopsided[0] = 0.001;
        let refused = correct_unequal_queries(&judged, &human, &lopsided, &THESE);
        assert_eq!(
            refused.unwrap_err(),
            StatsError::TooFewLabels { labels: 1, needed: 3 },
            "one query decides"
        );
    }
}
