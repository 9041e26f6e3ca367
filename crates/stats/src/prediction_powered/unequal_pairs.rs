//! Corrects figures by pairs with unequal probabilities.

use std::collections::BTreeMap;

use super::corrected::{BetweenQueries, Corrected, PlainEstimate, interval};
use super::estimand::Estimand;
use super::frame::{DrawSize, DrawnPair};
use super::pairs_options::PairsOptions;
use super::variance_over_queries::over_queries;
use crate::error::StatsError;

/// Corrects a figure that is linear in the labels by human labels of pairs that were drawn with known, unequal
/// probabilities π, each above 0.
///
/// The estimate is Σ w·μ + Σ over the labelled of w·(y − μ)/π, where μ is the mean label of the pair's grade, each
/// label weighted with 1/π. Its variance is Σ over the frame of w²·s²·(1 − π)/π, where s² is that of the labels of the
/// grade with a prior: in strata of grade and sign it is that of
/// [`correct_sampled_pairs`](super::correct_sampled_pairs).
/// `human_only` is the Horvitz-Thompson total; its variance is Deville's for a size that was fixed (Deville and Tillé,
/// Variance approximation under balanced sampling, JSPI 128, 2005), stratum by stratum, and Σ (1 − π)(x/π)² for draws
/// that were independent.
///
/// # Errors
/// Returns an error if a value is not finite, a probability is not above 0 and at most 1, the confidence is not between
/// 0 and 1, there are fewer than two queries for [`Estimand::QueriesLikeThese`], or too few labels.
pub fn correct_unequal_pairs(
    frame: &[DrawnPair],
    size: DrawSize,
    options: &PairsOptions,
) -> Result<Corrected, StatsError> {
    StatsError::unless_confidence(options.confidence)?;
    for (index, drawn) in frame.iter().enumerate() {
        let pair = &drawn.pair;
        StatsError::unless_finite(&[pair.weight, pair.judged, pair.human.unwrap_or(0.0)])?;
        if !(drawn.probability > 0.0 && drawn.probability <= 1.0) {
            return Err(StatsError::Probability { index, value: drawn.probability });
        }
    }
    let frame: Vec<&DrawnPair> = frame.iter().filter(|drawn| drawn.pair.weight != 0.0).collect();
    let labels = frame.iter().filter(|drawn| drawn.pair.human.is_some()).count();
    let grades = Grades::of(&frame);
    if labels <= grades.groups.len() {
        return Err(StatsError::TooFewLabels { labels, needed: grades.groups.len() + 1 });
    }
    let prior = options.prior_squares();
    let (mut value, mut of_labels, mut shares) = (0.0, 0.0, vec![0.0; options.queries]);
    let mut without_prior = 0.0;
    for drawn in &frame {
        let (pair, group) = (&drawn.pair, grades.group(drawn.pair.grade));
        let mean = group.mean();
        let correction = pair.human.map_or(0.0, |human| (human - mean) / drawn.probability);
        let corrected = mean + correction;
        without_prior += (pair.weight * correction).powi(2) * (1.0 - drawn.probability);
        value += pair.weight * corrected;
        of_labels +=
            pair.weight.powi(2) * group.spread(prior) * (1.0 - drawn.probability) / drawn.probability;
        let queries = shares.len();
        let share =
            shares.get_mut(pair.query).ok_or(StatsError::NoSuchQuery { query: pair.query, queries })?;
        *share += pair.weight * corrected;
    }
    let (variance, degrees, between_queries) = match options.estimand {
        Estimand::TheseQueries => {
            (of_labels, (labels - grades.groups.len()) as f64, BetweenQueries::default())
        }
        Estimand::QueriesLikeThese => {
            let over_queries = over_queries(&shares)?;
            let between = BetweenQueries::new(over_queries, without_prior);
            (of_labels.max(over_queries), (options.queries - 1) as f64, between)
        }
    };
    let stretch = options.looks.stretch(labels, options.finite(frame.len()), options.confidence);
    let ends = interval(value, variance, degrees, options.confidence, stretch);
    Ok(Corrected {
        value,
        low: ends.low,
        high: ends.high,
        frame: frame.len(),
        labels,
        lambda: None,
        estimand: options.estimand,
        degrees,
        judge_variance: of_labels,
        query_variance: variance - of_labels,
        between_queries,
        human_only: horvitz_thompson(&frame, labels, size, options)?,
        judge_only: frame.iter().map(|drawn| drawn.pair.weight * drawn.pair.judged).sum(),
    })
}

fn horvitz_thompson(
    frame: &[&DrawnPair],
    labels: usize,
    size: DrawSize,
    options: &PairsOptions,
) -> Result<PlainEstimate, StatsError> {
    let mut strata: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    let mut shares = vec![0.0; options.queries];
    for drawn in frame {
        let Some(human) = drawn.pair.human else { continue };
        let term = drawn.pair.weight * human;
        strata.entry(drawn.stratum).or_default().push((term, drawn.probability));
        if let Some(share) = shares.get_mut(drawn.pair.query) {
            *share += term / drawn.probability;
        }
    }
    let of_labels: f64 = strata.values().map(|terms| total_variance(terms, size)).sum();
    let (variance, degrees) = match options.estimand {
        Estimand::TheseQueries => (of_labels, labels.saturating_sub(strata.len()).max(1) as f64),
        Estimand::QueriesLikeThese => (of_labels.max(over_queries(&shares)?), (options.queries - 1) as f64),
    };
    let stretch = options.looks.stretch(labels, options.finite(frame.len()), options.confidence);
    Ok(interval(shares.iter().sum(), variance, degrees, options.confidence, stretch))
}

/// Returns the variance of Σ x/π over the terms (x, π) of one stratum.
fn total_variance(terms: &[(f64, f64)], size: DrawSize) -> f64 {
    match size {
        DrawSize::Random => terms.iter().map(|(x, p)| (1.0 - p) * (x / p).powi(2)).sum(),
        DrawSize::Fixed if terms.len() < 2 => terms.iter().map(|(x, p)| (1.0 - p) * (x / p).powi(2)).sum(),
        DrawSize::Fixed => {
            let m = terms.len() as f64;
            let weight = |p: f64| (1.0 - p) * m / (m - 1.0);
            let all: f64 = terms.iter().map(|(_, p)| weight(*p)).sum();
            if all <= 0.0 {
                return 0.0;
            }
            let centre = terms.iter().map(|(x, p)| weight(*p) * x / p).sum::<f64>() / all;
            terms.iter().map(|(x, p)| weight(*p) * (x / p - centre).powi(2)).sum()
        }
    }
}

/// The labels of one grade, or of neighbouring grades that were joined since one alone had fewer than two.
struct LabelledGrades {
    up_to: i64,
    /// Label and probability.
    labels: Vec<(f64, f64)>,
}

impl LabelledGrades {
    /// Returns the mean label, each weighted with one over its probability.
    fn mean(&self) -> f64 {
        let weights: f64 = self.labels.iter().map(|(_, probability)| 1.0 / probability).sum();
        let sum: f64 = self.labels.iter().map(|(human, probability)| human / probability).sum();
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    fn spread(&self, prior_squares: f64) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.labels.iter().map(|(human, _)| (human - mean).powi(2)).sum();
        (squares + prior_squares) / self.labels.len().max(1) as f64
    }
}

struct Grades {
    groups: Vec<LabelledGrades>,
}

impl Grades {
    fn of(frame: &[&DrawnPair]) -> Self {
        let mut by_grade: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
        for drawn in frame {
            let labels = by_grade.entry(drawn.pair.grade).or_default();
            labels.extend(drawn.pair.human.map(|human| (human, drawn.probability)));
        }
        let mut groups: Vec<LabelledGrades> =
            by_grade.into_iter().map(|(up_to, labels)| LabelledGrades { up_to, labels }).collect();
        while let Some(place) = groups.iter().position(|group| group.labels.len() < 2) {
            if groups.len() == 1 {
                break;
            }
            let labels = |at: Option<usize>| at.and_then(|at| groups.get(at)).map(|group| group.labels.len());
            let below = labels(place.checked_sub(1)).unwrap_or(usize::MAX);
            let first =
                if below <= labels(Some(place + 1)).unwrap_or(usize::MAX) { place - 1 } else { place };
            let above = groups.remove(first + 1);
            groups[first].up_to = above.up_to;
            groups[first].labels.extend(above.labels);
        }
        Self { groups }
    }

    fn group(&self, grade: i64) -> &LabelledGrades {
        let place = self.groups.partition_point(|group| group.up_to < grade);
        &self.groups[place.min(self.groups.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prediction_powered::{Looks, PairOfFrame, correct_sampled_pairs};

    // (x, π) = (.2, .2) (−.1, .4) (.4, .5): the total 1.55 and its variance .8658552632, worked through with numpy from
    // Deville's formula.
    #[test]
    fn a_total_has_devilles_variance() {
        let terms = [(0.2, 0.2), (-0.1, 0.4), (0.4, 0.5)];
        assert!((total_variance(&terms, DrawSize::Fixed) - 0.865_855_263_2).abs() < 1e-9);
        let frame = terms.map(|(weight, probability)| DrawnPair {
            pair: PairOfFrame { query: 0, grade: 0, weight, judged: 0.0, human: Some(1.0) },
            probability,
            stratum: 0,
        });
        let options = PairsOptions {
            queries: 1,
            largest_label: 1.0,
            estimand: Estimand::TheseQueries,
            confidence: 0.95,
            looks: Looks::Once,
        };
        let got = correct_unequal_pairs(&frame, DrawSize::Fixed, &options).unwrap();
        assert!((got.human_only.value - 1.55).abs() < 1e-12, "{got:?}");
    }

    fn strata() -> impl Strategy<Value = Vec<DrawnPair>> {
        let pair = (0i64..3, any::<bool>(), 0.1f64..1.0, any::<bool>());
        proptest::collection::vec(pair, 24..60).prop_map(|pairs| {
            let mut frame: Vec<DrawnPair> = Vec::new();
            for (grade, plus, size, human) in pairs {
                let stratum = grade as usize * 2 + usize::from(plus);
                let place = frame.iter().filter(|other| other.stratum == stratum).count();
                frame.push(DrawnPair {
                    pair: PairOfFrame {
                        query: 0,
                        grade,
                        weight: if plus { size } else { -size },
                        judged: grade as f64,
                        human: (place % 3 != 2).then(|| f64::from(u8::from(human))),
                    },
                    probability: 1.0,
                    stratum,
                });
            }
            let shares: Vec<f64> = (0..6)
                .map(|stratum| {
                    let of = frame.iter().filter(|drawn| drawn.stratum == stratum);
                    of.clone().filter(|drawn| drawn.pair.human.is_some()).count() as f64 / of.count() as f64
                })
                .collect();
            frame.iter_mut().for_each(|drawn| drawn.probability = shares[drawn.stratum]);
            frame
        })
    }

    proptest! {
        #[test]
        fn in_strata_of_grade_and_sign_it_is_the_estimate_of_sampled_pairs(frame in strata()) {
            let options = PairsOptions {
                queries: 1,
                largest_label: 1.0,
                estimand: Estimand::TheseQueries,
                confidence: 0.95,
                looks: Looks::Once,
            };
            let uniform: Vec<PairOfFrame> = frame.iter().map(|drawn| drawn.pair).collect();
            let few = |drawn: &DrawnPair| {
                let of = frame.iter().filter(|other| other.stratum == drawn.stratum);
                of.filter(|other| other.pair.human.is_some()).count() < 2
            };
            prop_assume!(!frame.iter().any(few));
            let unequal = correct_unequal_pairs(&frame, DrawSize::Fixed, &options).unwrap();
            let stratified = correct_sampled_pairs(&uniform, &options).unwrap();
            prop_assert!((unequal.value - stratified.value).abs() < 1e-9);
            prop_assert!((unequal.judge_variance - stratified.judge_variance).abs() < 1e-9);
        }
    }

    #[test]
    fn a_rule_is_no_probability() {
        let pair = PairOfFrame { query: 0, grade: 0, weight: 1.0, judged: 0.0, human: None };
        let options = PairsOptions {
            queries: 1,
            largest_label: 1.0,
            estimand: Estimand::TheseQueries,
            confidence: 0.95,
            looks: Looks::Once,
        };
        let drawn = DrawnPair { pair, probability: 0.0, stratum: 0 };
        let error = correct_unequal_pairs(&[drawn], DrawSize::Fixed, &options).unwrap_err();
        assert_eq!(error, StatsError::Probability { index: 0, value: 0.0 });
    }
}
