//! Dawid and Skene's model: learns confusion matrices and grades together.
//!
//! It uses no human labels.

use super::combined::Combined;
use super::confusion::Confusions;
use super::grades::PanelGrades;
use super::method::PanelMethod;

/// The warning that every label of Dawid and Skene's model needs.
pub const DAWID_SKENE_WARNING: &str = "\
dawid-skene takes judges as independent, and models share their mistakes: where several do it is confidently wrong \
(20 published judges: kappa .178 with people, their median .256)";

/// The fitted model, and the convergence of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct DawidSkene {
    /// The grades of the panel as one, with each judge's confusion matrix.
    pub combined: Combined,
    /// The share of each grade, lowest first.
    pub prior: Vec<f64>,
    /// The logarithm of the likelihood of all grades.
    pub log_likelihood: f64,
    /// Whether the fit settled.
    pub settled: bool,
}

/// So many rounds are made at most.
const ROUNDS: usize = 1000;
/// The fit has settled where no probability of a pair's grade moves by more than this.
const SETTLED: f64 = 1e-7;

/// Learns each judge's confusion matrix and each pair's grade together, by expectation and maximisation from the shares
/// of the votes. `pseudo_count` is added to each count of a judge's grades before shares are taken of it, five times as
/// much to those on the diagonal.
///
/// Dawid and Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied Statistics
/// 28(1), 1979; that is a pseudo-count of 0. It assumes that judges are independent, which language models are not:
/// where several share a mistake it is confidently wrong.
pub fn dawid_skene(panel: &PanelGrades, pseudo_count: f64) -> DawidSkene {
    let levels = panel.levels();
    let mut chances = first_guess(panel);
    let mut sums = vec![0.0; levels];
    let (mut settled, mut log_likelihood, mut rounds) = (false, f64::NEG_INFINITY, 0);
    let learnt = loop {
        let learnt = Confusions::learnt(panel, &chances, pseudo_count);
        if settled || rounds == ROUNDS {
            break learnt;
        }
        let logarithms = learnt.logarithms();
        let prior: Vec<f64> = learnt.prior.iter().map(|share| libm::log(*share)).collect();
        let mut furthest: f64 = 0.0;
        log_likelihood = 0.0;
        for (pair, chances) in chances.chunks_exact_mut(levels).enumerate() {
            if panel.places(pair).is_empty() {
                continue;
            }
            sums.copy_from_slice(&prior);
            log_likelihood += logarithms.posterior(panel, pair, &mut sums);
            for (chance, now) in chances.iter_mut().zip(&sums) {
                furthest = furthest.max((*chance - now).abs());
                *chance = *now;
            }
        }
        settled = furthest < SETTLED;
        rounds += 1;
    };
    let mut combined = Combined::new(PanelMethod::DawidSkene, panel, learnt.models());
    for (pair, chances) in chances.chunks_exact(levels).enumerate() {
        if panel.places(pair).is_empty() {
            combined.push_missing();
        } else {
            combined.push_posterior(panel.scale(), chances);
        }
    }
    DawidSkene { combined, prior: learnt.prior, log_likelihood, settled }
}

/// The share of the votes that each grade has.
fn first_guess(panel: &PanelGrades) -> Vec<f64> {
    let mut chances = Vec::with_capacity(panel.pairs() * panel.levels());
    for pair in 0..panel.pairs() {
        let mut counts = panel.counts(pair);
        super::confusion::to_shares(&mut counts);
        chances.extend(counts);
    }
    chances
}

#[cfg(test)]
/// 40 documents by five judges, ever less careful; - where a judge gave nothing.
pub(super) const TABLE: &str = "\
    -211- 0-200 21021 00000 00021 22220 22222 11121 00200 00220 00000 11111 10122 110-- 10001 00001 \
    22222 2-021 -0000 00002 11012 11021 22222 11101 11111 111-0 11120 11111 00001 -2222 21222 22-20 \
    22221 0000- 0-112 11-11 11111 22202 2--11 02011";

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;
    use crate::panel::JudgeModel;

    /// crowd-kit 1.4.2, `DawidSkene(n_iter=5000, tol=1e-14)`: `priors_`, `errors_` of the first and the last worker,
    /// and the likelihood that follows from them.
    #[test]
    fn the_fit_is_that_of_crowd_kit() {
        let mut panel = PanelGrades::new(Scale::new(0, 2).unwrap(), 5);
        for row in TABLE.split_whitespace() {
            let given = row.bytes().enumerate().filter(|(_, byte)| *byte != b'-');
            panel.push(0, given.map(|(judge, byte)| (judge, i32::from(byte - b'0')))).unwrap();
        }
        let found = dawid_skene(&panel, 0.0);
        let near = |found: &[f64], expected: &[f64]| {
            let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(found.len() == expected.len() && apart < 1e-6, "{found:?} is not {expected:?}");
        };
        assert!(found.settled);
        near(&found.prior, &[0.297_747_544_5, 0.477_511_735_4, 0.224_740_720_1]);
        near(&[found.log_likelihood], &[-144.147_129_5]);
        let rows = |judge: usize| match &found.combined.judges[judge] {
            JudgeModel::Confusion(rows) => rows.concat(),
            other => panic!("{other:?}"),
        };
        near(
            &rows(0),
            &[
                0.913_834_865_0,
                0.086_165_135_0,
                0.0,
                0.112_123_624_2,
                0.721_554_260_7,
                0.166_322_115_0,
                0.0,
                0.0,
                1.0,
            ],
        );
        near(
            &rows(4),
            &[
                0.549_841_124_0,
                0.358_586_070_5,
                0.091_572_805_5,
                0.117_625_662_0,
                0.706_882_699_8,
                0.175_491_638_2,
                0.221_324_912_1,
                0.111_239_298_3,
                0.667_435_789_6,
            ],
        );
        near(found.combined.probabilities(3), &[0.999_898_743_0, 0.000_101_257_0, 0.0]);
    }
}
