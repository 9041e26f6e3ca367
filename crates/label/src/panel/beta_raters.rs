//! Reads each judge's grades on the human scale by Beta curves.

use super::combine_error::CombineError;
use super::combined::{Combined, JudgeModel};
use super::grades::PanelGrades;
use super::method::PanelMethod;
use super::weights::weighted_middle;
use crate::calibration::{BetaCell, BetaCurve, fit_beta, middle};

/// Learns for each judge, from human labels, the probability of each human grade at each of its grades, and takes the
/// mean over the judges that graded a pair (the linear pool: Stone, The opinion pool, Annals of Mathematical Statistics
/// 32(4), 1961).
///
/// For each human grade but the lowest, Beta calibration ([`BetaCurve`]) has the probability of that grade or a higher
/// one; a higher grade is never likelier than a lower one. A judge that repeats the sample's grades has no finite fit,
/// so human labels count as in Platt's calibration (Probabilistic outputs for support vector machines, 1999): of n
/// that reach the grade, each has (n + 1)/(n + 2), and of m that do not, 1/(m + 2). Where grades do not rise with the
/// human ones, the probability is the same at all of them. A judge for which this is so throughout is left out.
///
/// `truth` has, by pair, the place of the human grade on the panel's scale, if there is one. A pair's grade is the
/// lower middle of its probabilities.
pub(super) fn beta_raters(panel: &PanelGrades, truth: &[Option<usize>]) -> Result<Combined, CombineError> {
    let levels = panel.levels();
    // By judge and its grade: how many pairs have each human grade.
    let mut counts = vec![vec![vec![0.0; levels]; levels]; panel.judges()];
    for (pair, human) in truth.iter().enumerate().filter_map(|(pair, human)| Some((pair, (*human)?))) {
        for given in panel.places(pair) {
            counts[given.judge()][given.place()][human] += 1.0;
        }
    }
    let curves: Vec<Vec<BetaCurve>> = counts
        .iter()
        .map(|counts| {
            (1..levels).map(|least| curve(counts, least)).collect::<Option<_>>().unwrap_or_default()
        })
        .collect();
    let rises = |curves: &[BetaCurve]| curves.iter().any(|curve| curve.a + curve.b > 0.0);
    if !curves.iter().any(|curves| rises(curves)) {
        return Err(CombineError::NothingToLearn);
    }
    let shares: Vec<Option<Vec<Vec<f64>>>> =
        curves.iter().map(|curves| rises(curves).then(|| shares(curves, levels))).collect();
    let models = curves.into_iter().map(|curves| match rises(&curves) {
        true => JudgeModel::Curves(curves),
        false => JudgeModel::LeftOut,
    });
    let mut combined = Combined::new(PanelMethod::Beta, panel, models.collect());
    for pair in 0..panel.pairs() {
        let mut pooled = vec![0.0; levels];
        for given in panel.places(pair) {
            let own = shares[given.judge()].as_ref().map(|own| &own[given.place()]);
            pooled.iter_mut().zip(own.into_iter().flatten()).for_each(|(sum, share)| *sum += share);
        }
        if pooled.iter().sum::<f64>() == 0.0 {
            combined.push_missing();
            continue;
        }
        super::confusion::to_shares(&mut pooled);
        let mean: f64 = pooled.iter().enumerate().map(|(place, share)| place as f64 * share).sum();
        let grade = weighted_middle(&pooled).map(|place| panel.grade(place));
        combined.push(grade, Some(f64::from(panel.scale().low()) + mean), &pooled);
    }
    Ok(combined)
}

/// The curve of one human grade or a higher one, from the counts by the judge's grade; `None` without a label.
fn curve(counts: &[Vec<f64>], least: usize) -> Option<BetaCurve> {
    let of = |counts: &Vec<f64>| (counts.iter().skip(least).sum::<f64>(), counts.iter().sum::<f64>());
    let reached: f64 = counts.iter().map(|counts| of(counts).0).sum();
    let all: f64 = counts.iter().map(|counts| of(counts).1).sum();
    let (yes, no) = ((reached + 1.0) / (reached + 2.0), 1.0 / (all - reached + 2.0));
    let cells: Vec<BetaCell> = (counts.iter().enumerate())
        .map(|(place, counts)| {
            let (reached, all) = of(counts);
            let reached = reached * yes + (all - reached) * no;
            BetaCell { place: middle(place as f64, counts.len() as f64), reached, all }
        })
        .collect();
    let share = cells.iter().map(|cell| cell.reached).sum::<f64>() / all;
    let flat = BetaCurve { a: 0.0, b: 0.0, c: libm::log(share / (1.0 - share)) };
    let differ = reached > 0.0 && reached < all;
    (all > 0.0).then(|| if differ { fit_beta(&cells).unwrap_or(flat) } else { flat })
}

/// By the judge's grade, the probability of each human grade.
fn shares(curves: &[BetaCurve], levels: usize) -> Vec<Vec<f64>> {
    let at = |place: usize| {
        let mut before = 1.0;
        let mut shares: Vec<f64> = Vec::with_capacity(levels);
        for curve in curves {
            let reached = curve.chance(middle(place as f64, levels as f64)).min(before);
            shares.push(before - reached);
            before = reached;
        }
        shares.push(before);
        shares
    };
    (0..levels).map(at).collect()
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;

    fn panel<const N: usize>(judges: [fn(i32, i32) -> i32; N]) -> (PanelGrades, Vec<Option<usize>>) {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), N);
        let mut truth = Vec::new();
        for at in 0..180 {
            let human = [0, 0, 0, 1, 1, 2, 2, 3][at as usize % 8];
            panel.push(0, judges.iter().map(|judge| judge(at, human)).enumerate()).unwrap();
            truth.push((at < 160).then_some(human as usize));
        }
        (panel, truth)
    }

    /// A judge with errors in both directions.
    fn near(at: i32, human: i32) -> i32 {
        (human + i32::from(at * 5 % 17 < 4) - i32::from(at * 11 % 17 < 3)).clamp(0, 3)
    }

    /// scipy 1.17.1: the likelihood by `scipy.optimize.minimize(method="trust-exact", options={"gtol": 1e-12})`, fitted
    /// again without a parameter below 0; for the judge of two grades without b.
    #[test]
    fn curves_and_their_pool_equal_those_of_scipy() {
        let two = |at: i32, human: i32| if human + at * 3 % 13 / 4 >= 3 { 3 } else { 0 };
        let (panel, truth) = panel([near, two, |_, human| 3 - human]);
        let found = beta_raters(&panel, &truth).unwrap();
        let golden = [
            [
                [4.016_335_13, 0.057_364_22, 5.684_918_05],
                [1.353_663_5, 6.049_475_36, -3.770_050_16],
                [0.0, 3.770_532_22, -6.754_781_1],
            ],
            [
                [1.546_183_68, 0.0, 2.824_965_05],
                [1.326_520_16, 0.0, 0.991_806_44],
                [2.082_721_16, 0.0, -0.617_862_98],
            ],
        ];
        for (model, expected) in found.judges.iter().zip(golden) {
            let JudgeModel::Curves(curves) = model else { panic!("{model:?}") };
            for (curve, expected) in curves.iter().zip(expected) {
                for (found, expected) in [curve.a, curve.b, curve.c].into_iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-6, "{curve:?}, not {expected:?}");
                }
            }
        }
        assert_eq!(found.judges[2], JudgeModel::LeftOut);
        for (pair, grade, value, shares) in [
            (160, 1, 1.435_786_17, [0.106_591_93, 0.499_374_19, 0.245_689_66, 0.148_344_22]),
            (161, 0, 0.313_553_19, [0.765_456, 0.160_018_05, 0.070_042_7, 0.004_483_25]),
            (165, 1, 1.201_219_1, [0.308_552_08, 0.207_666, 0.457_792_66, 0.025_989_26]),
            (167, 3, 2.326_182_17, [0.036_542_59, 0.119_469_07, 0.325_251_91, 0.518_736_43]),
        ] {
            assert_eq!(found.grades[pair], Some(grade));
            assert!((found.values[pair].unwrap() - value).abs() < 1e-6, "{:?}", found.values[pair]);
            for (found, expected) in found.probabilities(pair).iter().zip(shares) {
                assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
            }
        }
    }

    /// Without Platt's counts its likelihood has no finite maximum.
    #[test]
    fn a_judge_that_repeats_the_sample_counts() {
        let (panel, truth) = panel([|_, human| human, near]);
        let found = beta_raters(&panel, &truth).unwrap();
        let JudgeModel::Curves(curves) = &found.judges[0] else { panic!("{:?}", found.judges) };
        // scipy, as above.
        for (found, expected) in curves.iter().flat_map(|curve| [curve.a, curve.b, curve.c]).zip([
            6.612_247_72,
            0.0,
            9.923_146_46,
            0.0,
            11.565_040_24,
            -8.402_821_8,
            0.0,
            5.510_490_83,
            -8.804_307_73,
        ]) {
            assert!((found - expected).abs() < 1e-6, "{curves:?}");
        }
    }

    #[test]
    fn judges_of_one_grade_and_contrary_ones_teach_nothing() {
        let (panel, truth) = panel([|_, _| 2, |_, human| 3 - human]);
        assert_eq!(beta_raters(&panel, &truth), Err(CombineError::NothingToLearn));
    }
}
