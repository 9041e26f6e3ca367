//! Corrects figures by queries with complete human labels.

use super::corrected::{BetweenQueries, Corrected, DivisorVariance, interval};
use super::estimand::Estimand;
use super::looks::Looks;
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
}
