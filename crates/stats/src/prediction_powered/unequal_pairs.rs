//! Corrects figures by pairs with unequal probabilities.

use std::collections::BTreeMap;

use super::corrected::{BetweenQueries, Corrected, DivisorVariance, Estimand, interval, over_queries};
use super::frame::{DrawnPair, PairOfFrame, PairsOptions};
use crate::error::StatsError;

/// Corrects a figure that is linear in the labels by human labels of pairs that were drawn with known, unequal
/// probabilities π, each above 0.
///
/// The estimate is Σ w·μ + Σ over the labelled of w·(y − μ)/π, where μ is the mean label of the pair's grade, each
/// label weighted with 1/π. Its variance is Σ over the frame of w²·s²·(1 − π)/π, where s² is that of the labels of the
/// grade with a prior: in strata of grade and sign it is that of
/// [`correct_sampled_pairs`](super::correct_sampled_pairs). `human_only` is the same with one grade for all pairs.
///
/// # Errors
/// Returns an error if a value is not finite, a probability is not above 0 and at most 1, the confidence is not between
/// 0 and 1, there are fewer than two queries for [`Estimand::QueriesLikeThese`], or too few labels.
pub fn correct_unequal_pairs(frame: &[DrawnPair], options: &PairsOptions) -> Result<Corrected, StatsError> {
    corrected(frame, None, options)
}

/// Corrects a difference whose weights are divided by an unknown number for each query, such as the ideal of nDCG. The
/// caller divides them by an estimate; `unlabelled` has the share of each query's labels that the number is guessed
/// from.
///
/// The estimate is that of [`correct_unequal_pairs`]. To its variance are added two terms:
/// .45²·Σ unlabelled·((Σ w·μ)² + Σ w²·s²) over queries, since the estimated numbers scatter by .45 about the true ones,
/// relative to them; and (.1·estimate)², since they are a tenth too high or low together. If every label is known,
/// nothing is added. .45 was chosen among 0, .3 and .45 on TREC 2019 and 2021 Deep Learning.
///
/// # Errors
/// Returns those of [`correct_unequal_pairs`].
pub fn correct_divided_pairs(
    frame: &[DrawnPair],
    unlabelled: &[f64],
    options: &PairsOptions,
) -> Result<Corrected, StatsError> {
    StatsError::unless_finite(unlabelled)?;
    corrected(frame, Some(unlabelled), options)
}

/// A query of a difference whose weights are divided by an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DividedQuery {
    /// Its expected part of the difference, Σ w·μ.
    pub expected: f64,
    /// Σ w²·s².
    pub squares: f64,
    /// The share of its labels that the divisor is guessed from.
    pub unlabelled: f64,
}

/// Returns the variance that unknown divisors add to this difference: see [`correct_divided_pairs`].
pub fn divisor_variance(queries: impl IntoIterator<Item = DividedQuery>, difference: f64) -> DivisorVariance {
    let (mut all, mut guessed, mut is_guessed) = (0.0, 0.0, false);
    for query in queries {
        let square = query.expected.powi(2) + query.squares;
        all += square;
        guessed += query.unlabelled * square;
        is_guessed |= query.unlabelled > 0.0;
    }
    DivisorVariance {
        scatter: SCATTER_OF_DIVISORS.powi(2) * guessed,
        common: if is_guessed { (COMMON_ERROR_OF_DIVISORS * difference).powi(2) } else { 0.0 },
        unlabelled: if all > 0.0 { guessed / all } else { 0.0 },
    }
}

/// The relative scatter of estimated divisors.
const SCATTER_OF_DIVISORS: f64 = 0.45;

/// The relative error that all estimated divisors have in common.
const COMMON_ERROR_OF_DIVISORS: f64 = 0.1;

fn corrected(
    frame: &[DrawnPair],
    unlabelled: Option<&[f64]>,
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
    let total = Total::of(&frame, &Grades::of(&frame, |pair| pair.grade), unlabelled, options)?;
    let alone = Total::of(&frame, &Grades::of(&frame, |_| 0), unlabelled, options)?;
    let stretch = options.looks.stretch(labels, options.finite(frame.len()), options.confidence);
    let ends = |total: &Total| {
        let variance = total.variance() + total.of_divisor.sum();
        interval(total.value, variance, total.degrees, options.confidence, stretch)
    };
    let corrected = ends(&total);
    Ok(Corrected {
        value: total.value,
        low: corrected.low,
        high: corrected.high,
        frame: frame.len(),
        labels,
        lambda: None,
        estimand: options.estimand,
        degrees: total.degrees,
        judge_variance: total.of_labels,
        query_variance: total.variance() - total.of_labels,
        divisor_variance: total.of_divisor,
        between_queries: total.between_queries,
        human_only: ends(&alone),
        judge_only: frame.iter().map(|drawn| drawn.pair.weight * drawn.pair.judged).sum(),
    })
}

/// An estimated total, and its variance.
struct Total {
    value: f64,
    /// The variance that missing labels cause, with a prior.
    of_labels: f64,
    of_divisor: DivisorVariance,
    between_queries: BetweenQueries,
    degrees: f64,
}

impl Total {
    fn of(
        frame: &[&DrawnPair],
        grades: &Grades,
        unlabelled: Option<&[f64]>,
        options: &PairsOptions,
    ) -> Result<Self, StatsError> {
        let labels = frame.iter().filter(|drawn| drawn.pair.human.is_some()).count();
        if labels <= grades.groups.len() {
            return Err(StatsError::TooFewLabels { labels, needed: grades.groups.len() + 1 });
        }
        let prior = options.prior_squares();
        let (mut value, mut of_labels, mut shares) = (0.0, 0.0, vec![0.0; options.queries]);
        let (mut expected, mut squares) = (vec![0.0; options.queries], vec![0.0; options.queries]);
        let mut without_prior = 0.0;
        for drawn in frame {
            let (pair, group) = (&drawn.pair, grades.group(drawn));
            let mean = group.mean();
            let spread = pair.weight.powi(2) * group.spread(prior);
            let correction = pair.human.map_or(0.0, |human| (human - mean) / drawn.probability);
            let missing = (1.0 - drawn.probability) / drawn.probability;
            without_prior += (pair.weight * correction).powi(2) * (1.0 - drawn.probability);
            value += pair.weight * (mean + correction);
            of_labels += spread * missing;
            let queries = shares.len();
            let share =
                shares.get_mut(pair.query).ok_or(StatsError::NoSuchQuery { query: pair.query, queries })?;
            *share += pair.weight * (mean + correction);
            expected[pair.query] += pair.weight * mean;
            squares[pair.query] += spread;
        }
        let of_divisor = unlabelled.map_or_else(DivisorVariance::default, |shares| {
            let of_query = |(unlabelled, (expected, squares)): (&f64, (f64, f64))| DividedQuery {
                expected,
                squares,
                unlabelled: *unlabelled,
            };
            let queries = shares.iter().zip(expected.into_iter().zip(squares));
            divisor_variance(queries.map(of_query), value)
        });
        let (between_queries, degrees) = match options.estimand {
            Estimand::TheseQueries => (BetweenQueries::default(), (labels - grades.groups.len()) as f64),
            Estimand::QueriesLikeThese => {
                let between = BetweenQueries::new(over_queries(&shares)?, without_prior);
                (between, (options.queries - 1) as f64)
            }
        };
        Ok(Self { value, of_labels, of_divisor, between_queries, degrees })
    }

    fn variance(&self) -> f64 {
        self.of_labels.max(self.between_queries.of_labels + self.between_queries.of_queries)
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
    grade: fn(&PairOfFrame) -> i64,
    groups: Vec<LabelledGrades>,
}

impl Grades {
    fn of(frame: &[&DrawnPair], grade: fn(&PairOfFrame) -> i64) -> Self {
        let mut by_grade: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
        for drawn in frame {
            let labels = by_grade.entry(grade(&drawn.pair)).or_default();
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
        Self { grade, groups }
    }

    fn group(&self, drawn: &DrawnPair) -> &LabelledGrades {
        let grade = (self.grade)(&drawn.pair);
        let place = self.groups.partition_point(|group| group.up_to < grade);
        &self.groups[place.min(self.groups.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prediction_powered::{Looks, correct_sampled_pairs};

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
            let unequal = correct_unequal_pairs(&frame, &options).unwrap();
            let stratified = correct_sampled_pairs(&uniform, &options).unwrap();
            prop_assert!((unequal.value - stratified.value).abs() < 1e-9);
            prop_assert!((unequal.judge_variance - stratified.judge_variance).abs() < 1e-9);
        }
    }

    /// Grade, weight and label of the frame of [`correct_sampled_pairs`]'s worked example, in four queries;
    /// probabilities are the labelled shares of grade and sign.
    fn worked_example() -> Vec<DrawnPair> {
        const GRADES: [i64; 12] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
        const WEIGHTS: [f64; 12] = [0.5, 0.3, 0.1, 0.2, -0.5, -0.2, -0.4, 0.4, 0.2, 0.6, -0.3, -0.6];
        const LABELS: [&str; 12] = ["0", "1", "", "", "0", "0", "", "1", "1", "", "1", "0"];
        let probability = |stratum: (i64, bool)| match stratum {
            (0, true) => 0.5,
            (1, false) => 1.0,
            _ => 2.0 / 3.0,
        };
        let pair = |at: usize| DrawnPair {
            pair: PairOfFrame {
                query: at % 4,
                grade: GRADES[at],
                weight: WEIGHTS[at],
                judged: GRADES[at] as f64,
                human: LABELS[at].parse().ok(),
            },
            probability: probability((GRADES[at], WEIGHTS[at] > 0.0)),
            stratum: 0,
        };
        (0..12).map(pair).collect()
    }

    const FOUR: PairsOptions = PairsOptions {
        queries: 4,
        largest_label: 1.0,
        estimand: Estimand::TheseQueries,
        confidence: 0.95,
        looks: Looks::Once,
    };

    // Golden values of numpy and scipy from the definition: Σ² + Σ w²s² of the queries .14783776 .36996071 .16503163
    // .13793061, the variance of the divisors .0730191594, 6 degrees of freedom.
    #[test]
    fn unknown_divisors_widen_the_interval() {
        let frame = worked_example();
        let open = |query: usize| {
            let open = frame.iter().filter(|of| of.pair.query == query && of.pair.human.is_none());
            open.count() as f64 / 3.0
        };
        let unlabelled: Vec<f64> = (0..4).map(open).collect();
        let got = correct_divided_pairs(&frame, &unlabelled, &FOUR).unwrap();
        assert!((got.value - 1.282_857_142_9).abs() < 1e-9, "{got:?}");
        assert!((got.judge_variance - 0.202_859_438_8).abs() < 1e-9, "{got:?}");
        assert!((got.divisor_variance.sum() - 0.073_019_159_4).abs() < 1e-9, "{got:?}");
        assert!((got.divisor_variance.common - (0.1 * got.value).powi(2)).abs() < 1e-12, "{got:?}");
        assert!(((got.high - got.low) / 2.0 - 1.285_219_569_3).abs() < 1e-8, "{got:?}");
        for (query, golden) in
            [0.147_837_76, 0.369_960_71, 0.165_031_63, 0.137_930_61].into_iter().enumerate()
        {
            let mut one = [0.0; 4];
            one[query] = 1.0;
            let got = correct_divided_pairs(&frame, &one, &FOUR).unwrap();
            let scatter = got.divisor_variance.scatter;
            assert!((scatter / 0.45_f64.powi(2) - golden).abs() < 1e-8, "{query}: {scatter}");
        }
        let known = correct_divided_pairs(&frame, &[0.0; 4], &FOUR).unwrap();
        assert_eq!(
            known,
            correct_unequal_pairs(&frame, &FOUR).unwrap(),
            "with all labels nothing is guessed"
        );
        let like = PairsOptions { estimand: Estimand::QueriesLikeThese, ..FOUR };
        let without = correct_unequal_pairs(&frame, &like).unwrap();
        let with = correct_divided_pairs(&frame, &unlabelled, &like).unwrap();
        assert_eq!(without.query_variance, with.query_variance);
        assert_eq!(with.variance_at(1.0, 1.0), without.variance_at(1.0, 1.0));
        let ratio = (with.high - with.low) / (without.high - without.low);
        let variance = without.variance_at(1.0, 1.0);
        assert!((ratio.powi(2) - 1.0 - with.divisor_variance.sum() / variance).abs() < 1e-9);
    }

    /// With twice the queries each weighs half as much.
    #[test]
    fn more_labels_and_queries_leave_the_divisors_what_they_leave() {
        let of = |copies: usize, unlabelled: f64| {
            let size = 1.0 / copies as f64;
            let query = |at: usize| DividedQuery {
                expected: 0.1 * at as f64 * size,
                squares: 0.02 * size * size,
                unlabelled,
            };
            divisor_variance((0..copies).flat_map(|_| (0..4).map(query)), 0.6)
        };
        let few = of(1, 0.8);
        for (more, labels, queries) in
            [(of(2, 0.8), 2.0, 2.0), (of(1, 0.4), 3.0, 1.0), (of(2, 0.9), 1.0, 2.0)]
        {
            let foretold = few.with(labels, queries);
            assert!((more.scatter - foretold.scatter).abs() < 1e-12, "{more:?} {foretold:?}");
            assert!((more.unlabelled - foretold.unlabelled).abs() < 1e-12, "{more:?} {foretold:?}");
            assert!((foretold.common - 0.0036).abs() < 1e-12, "it stays: {foretold:?}");
        }
        assert_eq!(few.with(5.0, 1.0).sum(), 0.0, "every label is known");
        assert_eq!(of(1, 0.0).sum(), 0.0);
    }

    #[test]
    fn as_many_grades_as_labels_are_refused() {
        let mut frame = worked_example();
        frame.iter_mut().skip(1).for_each(|drawn| drawn.pair.human = None);
        let error = correct_divided_pairs(&frame, &[1.0; 4], &FOUR).unwrap_err();
        assert_eq!(error, StatsError::TooFewLabels { labels: 1, needed: 2 });
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
        let error = correct_unequal_pairs(&[drawn], &options).unwrap_err();
        assert_eq!(error, StatsError::Probability { index: 0, value: 0.0 });
    }
}
