//! A model of judges as raters of one hidden scale.

use std::collections::BTreeMap;

use super::combined::Combined;
use super::grades::PanelGrades;
use super::method::PanelMethod;
use super::rater_curve::RaterCurve;

/// The fitted models of the judges, and the convergence of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct OrdinalRaters {
    /// The grades of the panel as one.
    pub combined: Combined,
    /// The logarithm of the likelihood of all grades, less the penalty.
    pub log_likelihood: f64,
    /// Whether the fit settled.
    pub settled: bool,
}

/// So many rounds are made at most.
const ROUNDS: usize = 400;
/// The fit has settled where a round moves no slope and no threshold by more than this.
const SETTLED: f64 = 1e-4;
/// The hidden scale is summed over so many places,
const NODES: usize = 31;
/// which reach this far from its mean, in its standard deviations.
const REACH: f64 = 4.5;

/// Learns each judge's slope and thresholds on a hidden scale, by maximum likelihood over the pairs' places on it.
///
/// Samejima's graded response model (Estimation of latent ability using a response pattern of graded scores,
/// Psychometrika monograph 17, 1969) with judges as its items: a judge gives a grade up to the k-th to a document at
/// place x with probability F(threshold k - slope x), F logistic; documents are normal on the scale. The marginal
/// likelihood is maximised by expectation and maximisation (Bock and Aitkin, Psychometrika 46(4), 1981), slopes
/// penalised as if normal with a standard deviation of 3. A grade that a judge never gave has no probability for it.
///
/// A pair's probabilities are those of the grade of a random judge of the panel for a document at its place, and its
/// grade is their lower middle. Judges are assumed independent apart from the hidden scale, so an error that several
/// share counts as the scale.
pub fn ordinal_raters(panel: &PanelGrades) -> OrdinalRaters {
    let mut fit = Fit::new(panel, &[]);
    let settled = fit.settle();
    let models = fit.curves.iter().map(RaterCurve::model).collect();
    let said = typical(&fit.curves, &fit.nodes, panel.levels());
    let combined = put_together(panel, &fit, &said, Combined::new(PanelMethod::Ordinal, panel, models));
    OrdinalRaters { combined, log_likelihood: fit.log_likelihood(), settled }
}

/// Learns each judge's severity and spread compared with annotators, who are one more rater of the same hidden scale.
/// The model and the likelihood are those of [`ordinal_raters`], with the human grades of labelled pairs. So judges
/// are learnt from all their grades, and the annotators' place from their sample (Linacre's many-facet Rasch model,
/// 1989, with a slope for each rater).
///
/// A pair's probabilities are those of the human grade for a document at the place that the judges' grades give it,
/// and its grade is their lower middle. The human grade of the pair itself affects only the fit. `human_labels` has, by
/// pair, the place of the human grade on the panel's scale, if there is one.
pub fn raters_beside_human_labels(panel: &PanelGrades, human_labels: &[Option<usize>]) -> OrdinalRaters {
    let mut fit = Fit::new(panel, human_labels);
    let settled = fit.settle();
    let (judges, theirs) = fit.curves.split_at(panel.judges());
    let models = judges.iter().map(|curve| match theirs {
        [annotators] => curve.model_beside(annotators),
        _ => curve.model(),
    });
    let combined = Combined::new(PanelMethod::Severity, panel, models.collect());
    let said = typical(theirs, &fit.nodes, panel.levels());
    let combined = put_together(panel, &fit, &said, combined);
    OrdinalRaters { combined, log_likelihood: fit.log_likelihood(), settled }
}

/// Places every pair by its judges' grades, and reads the grade there from `said`, the probabilities at each node.
fn put_together(panel: &PanelGrades, fit: &Fit, said: &[f64], mut combined: Combined) -> Combined {
    let tables: Vec<Vec<f64>> = fit.curves.iter().map(|curve| curve.logarithms(&fit.nodes)).collect();
    let (levels, low) = (panel.levels(), f64::from(panel.scale().low()));
    let mut at = vec![0.0; NODES];
    for pair in 0..panel.pairs() {
        let given = panel.places(pair);
        if given.is_empty() {
            combined.push_missing();
            continue;
        }
        let given = given.iter().map(|given| (given.judge(), given.place()));
        posterior(&tables, &fit.prior, given, &mut at);
        let mut shares = vec![0.0; levels];
        for (weight, said) in at.iter().zip(said.chunks_exact(levels)) {
            shares.iter_mut().zip(said).for_each(|(share, chance)| *share += weight * chance);
        }
        super::confusion::to_shares(&mut shares);
        let mean: f64 = shares.iter().enumerate().map(|(place, share)| place as f64 * share).sum();
        let middle = super::weights::weighted_middle(&shares).map(|place| panel.grade(place));
        combined.push(middle, Some(low + mean), &shares);
    }
    combined
}

/// The grade of a random rater at each node.
fn typical(judges: &[RaterCurve], nodes: &[f64], levels: usize) -> Vec<f64> {
    let mut sums = vec![0.0; nodes.len() * levels];
    for judge in judges.iter().filter(|judge| judge.has_graded()) {
        sums.iter_mut().zip(judge.chances(nodes)).for_each(|(sum, chance)| *sum += chance);
    }
    sums
}

/// Turns grades into the probability of each node; returns the logarithm of the likelihood of the grades.
fn posterior(
    tables: &[Vec<f64>],
    prior: &[f64],
    given: impl Iterator<Item = (usize, usize)>,
    at: &mut [f64],
) -> f64 {
    at.copy_from_slice(prior);
    for (judge, place) in given {
        let own = tables.get(judge).and_then(|table| table.get(place * NODES..(place + 1) * NODES));
        at.iter_mut().zip(own.unwrap_or_default()).for_each(|(sum, log)| *sum += log);
    }
    let most = at.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut all = 0.0;
    for value in at.iter_mut() {
        *value = libm::exp(*value - most);
        all += *value;
    }
    at.iter_mut().for_each(|value| *value /= all);
    most + libm::log(all)
}

/// The grades of a pair: judge and place.
type Pattern = Vec<(usize, usize)>;

/// A fit on its way.
struct Fit {
    levels: usize,
    nodes: Vec<f64>,
    /// The logarithm of the share of documents at each node.
    prior: Vec<f64>,
    /// The combinations of grades, each with its number of pairs.
    patterns: Vec<(Pattern, f64)>,
    curves: Vec<RaterCurve>,
}

impl Fit {
    /// Annotators, if there are any, are the last rater.
    fn new(panel: &PanelGrades, human_labels: &[Option<usize>]) -> Self {
        let mut counts: BTreeMap<Pattern, f64> = BTreeMap::new();
        for pair in 0..panel.pairs() {
            let given = panel.places(pair).iter().map(|given| (given.judge(), given.place()));
            let mut pattern: Pattern = given.collect();
            if !pattern.is_empty() {
                let human = human_labels.get(pair).copied().flatten();
                pattern.extend(human.map(|place| (panel.judges(), place)));
                pattern.sort_unstable();
                *counts.entry(pattern).or_default() += 1.0;
            }
        }
        let levels = panel.levels();
        let mut said = vec![vec![0.0; levels]; panel.judges() + usize::from(!human_labels.is_empty())];
        for (pattern, count) in &counts {
            for (judge, place) in pattern {
                if let Some(sum) = said.get_mut(*judge).and_then(|own| own.get_mut(*place)) {
                    *sum += count;
                }
            }
        }
        let step = 2.0 * REACH / (NODES - 1) as f64;
        let nodes: Vec<f64> = (0..NODES).map(|at| at as f64 * step - REACH).collect();
        let density: f64 = nodes.iter().map(|x| libm::exp(-x * x / 2.0)).sum();
        let prior = nodes.iter().map(|x| -x * x / 2.0 - libm::log(density)).collect();
        let curves = said.iter().map(|counts| RaterCurve::start(counts)).collect();
        Self { levels, nodes, prior, patterns: counts.into_iter().collect(), curves }
    }

    /// Learns until hardly anything moves; returns whether it came to that.
    fn settle(&mut self) -> bool {
        (0..ROUNDS).any(|_| self.round() < SETTLED)
    }

    /// Places the pairs and learns the judges again; returns the largest change of a slope or threshold.
    fn round(&mut self) -> f64 {
        let tables: Vec<Vec<f64>> = self.curves.iter().map(|curve| curve.logarithms(&self.nodes)).collect();
        let mut counts = vec![vec![0.0; self.levels * NODES]; self.curves.len()];
        let mut at = vec![0.0; NODES];
        for (pattern, count) in &self.patterns {
            posterior(&tables, &self.prior, pattern.iter().copied(), &mut at);
            at.iter_mut().for_each(|share| *share *= count);
            for (judge, place) in pattern {
                let own = counts.get_mut(*judge);
                if let Some(own) = own.and_then(|own| own.get_mut(place * NODES..(place + 1) * NODES)) {
                    own.iter_mut().zip(&at).for_each(|(sum, share)| *sum += share);
                }
            }
        }
        let moved = self.curves.iter_mut().zip(&counts).map(|(curve, own)| curve.step(&self.nodes, own));
        moved.fold(0.0, f64::max)
    }

    fn log_likelihood(&self) -> f64 {
        let tables: Vec<Vec<f64>> = self.curves.iter().map(|curve| curve.logarithms(&self.nodes)).collect();
        let mut at = vec![0.0; NODES];
        let of_pattern = |(pattern, count): &(Pattern, f64)| {
            count * posterior(&tables, &self.prior, pattern.iter().copied(), &mut at)
        };
        let sum: f64 = self.patterns.iter().map(of_pattern).sum();
        sum - self.curves.iter().map(RaterCurve::penalty).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;
    use crate::panel::JudgeModel;
    use crate::panel::dawid_skene::TABLE;

    /// scipy 1.17, `minimize(method="BFGS")` of the same marginal likelihood on the same 31 nodes, from three starts.
    #[test]
    fn the_fit_is_the_optimum_of_scipy() {
        let mut panel = PanelGrades::new(Scale::new(0, 2).unwrap(), 5);
        for row in TABLE.split_whitespace() {
            let given = row.bytes().enumerate().filter(|(_, byte)| *byte != b'-');
            panel.push(0, given.map(|(judge, byte)| (judge, i32::from(byte - b'0')))).unwrap();
        }
        let found = ordinal_raters(&panel);
        assert!(found.settled && (found.log_likelihood + 170.334_125_625).abs() < 1e-5, "{found:?}");
        let expected = [
            [4.525_865, -2.267_761, 2.366_426],
            [3.511_004, -1.656_618, 2.392_354],
            [1.477_964, -0.590_036, 1.137_218],
            [1.811_683, -1.177_024, 0.553_040],
            [0.830_247, -1.134_479, 1.141_018],
        ];
        for (model, [slope, first, second]) in found.combined.judges.iter().zip(expected) {
            let JudgeModel::Ordinal { slope: own, thresholds, .. } = model else { panic!("{model:?}") };
            assert!((own - slope).abs() < 5e-3, "{model:?}");
            assert!(
                (thresholds[0] - first).abs() < 5e-3 && (thresholds[1] - second).abs() < 5e-3,
                "{model:?}"
            );
        }
    }

    /// scipy 1.17.1, likewise: the fifth observer as the annotators, with labels of every second pair.
    #[test]
    fn people_are_a_rater_of_the_same_scale() {
        let mut panel = PanelGrades::new(Scale::new(0, 2).unwrap(), 4);
        let mut human_labels = Vec::new();
        for (at, row) in TABLE.split_whitespace().enumerate() {
            let given = row.bytes().enumerate().filter(|(judge, byte)| *judge < 4 && *byte != b'-');
            panel.push(0, given.map(|(judge, byte)| (judge, i32::from(byte - b'0')))).unwrap();
            let theirs = row.bytes().last().filter(|byte| *byte != b'-' && at % 2 == 0);
            human_labels.push(theirs.map(|byte| usize::from(byte - b'0')));
        }
        let found = raters_beside_human_labels(&panel, &human_labels);
        assert!(found.settled && (found.log_likelihood + 150.419_937_769).abs() < 1e-5, "{found:?}");
        let expected = [
            [0.377_677_291, 0.232_229_158],
            [0.463_693_184, 0.290_356_856],
            [0.538_805_035, 0.652_192_565],
            [0.191_045_738, 0.522_124_873],
        ];
        for (model, [severity, spread]) in found.combined.judges.iter().zip(expected) {
            let JudgeModel::Ordinal { beside_people: Some(own), .. } = model else { panic!("{model:?}") };
            assert!((own.severity - severity).abs() < 2e-3 && (own.spread - spread).abs() < 2e-3, "{own:?}");
        }
        for (pair, expected) in [
            (0, [0.084_811_12, 0.425_313_43, 0.489_875_45]),
            (4, [0.360_712_77, 0.503_106_13, 0.136_181_09]),
            (5, [0.030_367_26, 0.237_568, 0.732_064_74]),
        ] {
            for (own, expected) in found.combined.probabilities(pair).iter().zip(expected) {
                assert!((own - expected).abs() < 1e-3, "{:?}", found.combined.probabilities(pair));
            }
        }
        assert_eq!([0, 4, 5].map(|pair| found.combined.grades[pair]), [Some(1), Some(1), Some(2)]);
    }

    /// Annotators label a tenth of 600 pairs; one judge grades too high by one, another too low by one, and a third at
    /// random.
    #[test]
    fn a_strict_and_a_lenient_judge_are_brought_together() {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), 3);
        let (mut human_labels, mut truth) = (Vec::new(), Vec::new());
        for at in 0..600_i32 {
            let noise = |salt: i32| (at + salt).wrapping_mul(2_654_435).rem_euclid(97);
            let grade = noise(0) % 4;
            let near = |by: i32, salt| (grade + by + i32::from(noise(salt) < 15)).clamp(0, 3);
            panel.push(0, [(0, near(1, 11)), (1, near(-1, 23)), (2, noise(57) % 4)]).unwrap();
            human_labels.push((at % 10 == 0).then_some(grade as usize));
            truth.push(grade);
        }
        let found = raters_beside_human_labels(&panel, &human_labels).combined;
        let right = |grades: &[Option<i32>]| {
            grades.iter().zip(&truth).filter(|(own, truth)| **own == Some(**truth)).count()
        };
        let median = crate::panel::combine(&panel, PanelMethod::Median, None).unwrap();
        assert!(right(&found.grades) > right(&median.grades) + 100, "{}", right(&found.grades));
        let of = |judge: usize| match &found.judges[judge] {
            JudgeModel::Ordinal { beside_people, .. } => beside_people.map(|own| own.severity),
            other => panic!("{other:?}"),
        };
        assert!(of(0).unwrap() < -0.2 && of(1).unwrap() > 0.2, "{:?}", found.judges);
    }

    #[test]
    fn a_coin_has_no_slope_and_a_reversed_judge_a_negative_one() {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), 5);
        for at in 0..400_i32 {
            let (grade, coin) = (at % 4, at.wrapping_mul(2_654_435).rem_euclid(97) % 4);
            let near = |every: i32| (grade + i32::from(at % every == 0)).min(3);
            panel.push(0, [(0, near(3)), (1, near(5)), (2, near(7)), (3, coin), (4, 3 - near(4))]).unwrap();
        }
        let found = ordinal_raters(&panel);
        let slopes: Vec<f64> = found
            .combined
            .judges
            .iter()
            .map(|model| match model {
                JudgeModel::Ordinal { slope, .. } => *slope,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(slopes[..3].iter().all(|slope| *slope > 2.0), "{slopes:?}");
        assert!(slopes[3].abs() < 0.3 && slopes[4] < -2.0, "{slopes:?}");
    }

    #[test]
    fn judges_of_one_grade_leave_a_fit() {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), 3);
        (0..6).for_each(|_| panel.push(0, [(0, 2), (1, 2)]).unwrap());
        let found = ordinal_raters(&panel);
        assert!(found.settled);
        assert_eq!((found.combined.grades[0], found.combined.probabilities(0)[2]), (Some(2), 1.0));
    }
}
