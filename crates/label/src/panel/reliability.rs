//! Weights of judges by how often they agree with the others, without labels of people.

use super::combined::{Combined, JudgeModel};
use super::grades::PanelGrades;
use super::method::PanelMethod;
use super::votes::by_votes;

/// No weight and no error is below this.
const LEAST: f64 = 1e-6;

/// Weighs judges by their agreement with the others beside what the most frequent grade would have.
///
/// Goh, Tkachenko and Mueller, CROWDLAB: supervised learning to infer consensus labels and quality scores for data with
/// multiple annotators (2022), without a model beside the judges. A judge's weight is 1 less its rate of disagreement
/// with each other judge over that of one who always gives the grade that the majority gives most often, and at least
/// a millionth. Every judge's grade has the mean share of votes of the majority's grade for itself, and the rest for
/// the other grades alike. A judge that no other is beside on any pair has the mean agreement of the others.
///
/// It rewards agreement: judges that share their mistakes win.
pub(super) fn by_reliability(panel: &PanelGrades) -> Combined {
    let levels = panel.levels();
    let (likelihood, error) = of_majority(panel);
    let weights: Vec<f64> =
        agreements(panel).iter().map(|agreement| (1.0 - (1.0 - agreement) / error).max(LEAST)).collect();
    let models = weights.iter().map(|weight| JudgeModel::Weight(*weight)).collect();
    let mut combined = Combined::new(PanelMethod::Reliability, panel, models);
    let other = (1.0 - likelihood) / (levels.max(2) - 1) as f64;
    for pair in 0..panel.pairs() {
        let given = panel.places(pair);
        if given.is_empty() {
            combined.push_missing();
            continue;
        }
        let mut shares = vec![0.0; levels];
        for given in given {
            let weight = weights.get(given.judge).copied().unwrap_or_default();
            for (place, share) in shares.iter_mut().enumerate() {
                *share += weight * if place == given.place { likelihood } else { other };
            }
        }
        super::confusion::to_shares(&mut shares);
        combined.push_posterior(panel.scale(), &shares);
    }
    combined
}

/// Over pairs of several grades: the mean share of the votes that the majority's grade has, and how often that is not
/// the most frequent one.
fn of_majority(panel: &PanelGrades) -> (f64, f64) {
    let majority = by_votes(panel, PanelMethod::Majority, &vec![true; panel.judges()]);
    let (mut shares, mut pairs, mut counts) = (0.0, 0.0, vec![0.0; panel.levels()]);
    for pair in (0..panel.pairs()).filter(|pair| panel.places(*pair).len() > 1) {
        let place = majority.grades.get(pair).copied().flatten().and_then(|grade| panel.place_of(grade));
        if let Some(place) = place {
            shares += majority.probabilities(pair).get(place).copied().unwrap_or_default();
            pairs += 1.0;
            counts.get_mut(place).into_iter().for_each(|count| *count += 1.0);
        }
    }
    if pairs == 0.0 {
        return (1.0, LEAST);
    }
    let most = counts.iter().copied().fold(0.0, f64::max);
    (shares / pairs, (1.0 - most / pairs).max(LEAST))
}

/// How often each judge says what another says of the same pair.
fn agreements(panel: &PanelGrades) -> Vec<f64> {
    let (mut same, mut all) = (vec![0.0; panel.judges()], vec![0.0; panel.judges()]);
    for pair in 0..panel.pairs() {
        let given = panel.places(pair);
        for one in given {
            for other in given.iter().filter(|other| other.judge != one.judge) {
                if let (Some(same), Some(all)) = (same.get_mut(one.judge), all.get_mut(one.judge)) {
                    *same += f64::from(u8::from(other.place == one.place));
                    *all += 1.0;
                }
            }
        }
    }
    let own: Vec<Option<f64>> =
        same.iter().zip(&all).map(|(same, all)| (*all > 0.0).then(|| same / all)).collect();
    let known: Vec<f64> = own.iter().flatten().copied().collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    own.into_iter().map(|own| own.unwrap_or(mean)).collect()
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;
    use crate::panel::dawid_skene::TABLE;

    /// cleanlab 2.9.0, `multiannotator._get_post_pred_probs_and_weights(quality_method="crowdlab")`: the weights of
    /// annotators, and probabilities beside a model that is always wrong and so weighs 2e-6.
    #[test]
    fn weights_are_those_of_crowdlab() {
        let mut panel = PanelGrades::new(Scale::new(0, 2).unwrap(), 5);
        for row in TABLE.split_whitespace() {
            let given = row.bytes().enumerate().filter(|(_, byte)| *byte != b'-');
            panel.push(0, given.map(|(judge, byte)| (judge, i32::from(byte - b'0')))).unwrap();
        }
        let found = by_reliability(&panel);
        let near = |found: &[f64], expected: &[f64], within: f64| {
            let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(found.len() == expected.len() && apart < within, "{found:?} is not {expected:?}");
        };
        let weight = |model: &JudgeModel| match model {
            JudgeModel::Weight(weight) => *weight,
            other => panic!("{other:?}"),
        };
        let weights: Vec<f64> = found.judges.iter().map(weight).collect();
        let expected = [0.454_141_542_4, 0.467_878_001_3, 0.339_892_097_7, 0.316_770_186_3, 0.155_639_571_5];
        near(&weights, &expected, 1e-9);
        near(found.probabilities(0), &[0.111_874_786_0, 0.499_828_135_8, 0.388_297_078_1], 3e-6);
        near(found.probabilities(1), &[0.597_941_914_0, 0.111_876_508_1, 0.290_181_577_9], 3e-6);
        near(found.probabilities(3), &[0.776_249_037_4, 0.111_876_111_8, 0.111_874_861_3], 3e-6);
    }

    #[test]
    fn a_judge_beside_nobody_has_the_mean_of_the_others() {
        let mut panel = PanelGrades::new(Scale::new(0, 1).unwrap(), 3);
        for grade in [0, 1, 0, 1] {
            panel.push(0, [(0, grade), (1, grade)]).unwrap();
        }
        panel.push(0, [(2, 1)]).unwrap();
        assert_eq!(agreements(&panel), [1.0, 1.0, 1.0]);
        assert_eq!(by_reliability(&panel).grades, [Some(0), Some(1), Some(0), Some(1), Some(1)]);
    }
}
