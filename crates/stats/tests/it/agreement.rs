//! Agreement and correlation against scipy, scikit-learn and worked examples.

use llull_core::Grade;
use llull_stats::{ConfusionMatrix, DisagreementWeights, cohen_kappa, kendall_tau_b};
use proptest::prelude::*;

fn paired(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    assert_eq!(x.len(), y.len());
    x.iter().copied().zip(y.iter().copied()).collect()
}

/// scipy 1.17.1: `scipy.stats.kendalltau(x, y).statistic`
#[test]
fn tau_b_is_scipys() {
    let cases: [(&[f64], &[f64], f64); 3] = [
        (&[0.625, 0.897, 0.776, 0.225, 0.3, 0.874], &[0.005, 0.821, 0.797, 0.468, 0.303, 0.278], 0.2),
        (
            &[2., 1., 3., 1., 1., 2., 2., 2., 2., 3., 3., 3.],
            &[2., 2., 1., 3., 1., 0., 3., 0., 3., 2., 0., 0.],
            -0.3406136573728659,
        ),
        (
            &[2., 0., 0., 3., 5., 2., 4., 5., 4., 3., 2., 3., 1., 2., 2., 1., 5., 0., 0., 1.],
            &[5., 4., 5., 1., 4., 2., 2., 0., 3., 4., 3., 0., 3., 1., 5., 5., 1., 3., 5., 5.],
            -0.4554040176258962,
        ),
    ];
    for (x, y, expected) in cases {
        let tau = kendall_tau_b(&paired(x, y)).unwrap();
        assert!((tau - expected).abs() < 1e-14, "{tau}, not {expected}");
    }
}

#[test]
fn tau_b_is_undefined_without_two_orders() {
    assert_eq!(kendall_tau_b(&[]), None);
    assert_eq!(kendall_tau_b(&[(1.0, 1.0)]), None);
    assert_eq!(kendall_tau_b(&[(1.0, 1.0), (1.0, 2.0)]), None);
    assert_eq!(kendall_tau_b(&[(1.0, 1.0), (2.0, f64::NAN)]), None);
    assert_eq!(
        kendall_tau_b(&[(0.0, 1.0), (-0.0, 2.0), (1.0, 3.0)]),
        kendall_tau_b(&[(0.0, 1.0), (0.0, 2.0), (1.0, 3.0)])
    );
}

/// The definition: concordant less discordant pairs over the geometric mean of the pairs not tied on either side.
fn tau_by_definition(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut agreement, mut untied_x, mut untied_y) = (0.0, 0.0, 0.0);
    for (index, (x, y)) in pairs.iter().enumerate() {
        for (other_x, other_y) in &pairs[..index] {
            let sign = |difference: f64| if difference == 0.0 { 0.0 } else { difference.signum() };
            let (dx, dy) = (sign(x - other_x), sign(y - other_y));
            agreement += dx * dy;
            untied_x += dx * dx;
            untied_y += dy * dy;
        }
    }
    (untied_x > 0.0 && untied_y > 0.0).then(|| agreement / f64::sqrt(untied_x * untied_y))
}

proptest! {
    #[test]
    fn tau_b_is_its_definition(pairs in proptest::collection::vec((0u8..8, 0u8..8), 0..60)) {
        let pairs: Vec<(f64, f64)> = pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        match (kendall_tau_b(&pairs), tau_by_definition(&pairs)) {
            (Some(tau), Some(expected)) => prop_assert!((tau - expected).abs() < 1e-12, "{} {}", tau, expected),
            (tau, expected) => prop_assert_eq!(tau, expected),
        }
    }

    #[test]
    fn raters_may_change_places(pairs in proptest::collection::vec((-1i32..4, -1i32..4), 0..60)) {
        let forth: ConfusionMatrix = pairs.iter().copied().collect();
        let back: ConfusionMatrix = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        for weights in [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic] {
            let kappa = cohen_kappa(&forth, weights);
            prop_assert_eq!(kappa.is_some(), cohen_kappa(&back, weights).is_some());
            if let (Some(a), Some(b)) = (kappa, cohen_kappa(&back, weights)) {
                prop_assert!((a - b).abs() < 1e-12 && a <= 1.0, "{} {}", a, b);
            }
        }
        prop_assert_eq!(forth.n(), pairs.len() as u64);
        prop_assert_eq!(forth.rows().iter().flatten().sum::<u64>(), pairs.len() as u64);
    }
}

/// scikit-learn 1.9.1: `cohen_kappa_score(a, b, weights=None | 'linear' | 'quadratic')`
#[test]
fn kappa_is_scikit_learns() {
    let few = [
        (1, 1),
        (3, 3),
        (2, 2),
        (1, 0),
        (0, 0),
        (2, 2),
        (1, 1),
        (2, 1),
        (3, 3),
        (1, 3),
        (3, 2),
        (2, 2),
        (2, 1),
        (3, 3),
        (3, 3),
    ];
    let more = [
        (0, 1),
        (2, 0),
        (0, 0),
        (0, 0),
        (1, 0),
        (2, 0),
        (1, 0),
        (2, 2),
        (0, 0),
        (0, 1),
        (2, 2),
        (2, 2),
        (2, 2),
        (2, 2),
        (1, 1),
        (0, 0),
        (1, 0),
        (1, 1),
        (1, 1),
        (1, 1),
        (0, 2),
        (1, 2),
        (2, 2),
        (0, 0),
        (1, 1),
    ];
    for (pairs, expected) in [
        (&few[..], [0.537037037037037, 0.6341463414634145, 0.7297297297297297]),
        (&more[..], [0.4617224880382774, 0.4661921708185054, 0.47058823529411764]),
    ] {
        let matrix: ConfusionMatrix = pairs.iter().copied().collect();
        for (weights, expected) in
            [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic]
                .into_iter()
                .zip(expected)
        {
            let kappa = cohen_kappa(&matrix, weights).unwrap();
            assert!((kappa - expected).abs() < 1e-14, "{weights:?}: {kappa}, not {expected}");
        }
    }
}

fn from_table<const N: usize>(table: [[u64; N]; N]) -> ConfusionMatrix {
    let mut matrix = ConfusionMatrix::default();
    for (first, row) in table.iter().enumerate() {
        for (second, count) in row.iter().enumerate() {
            (0..*count).for_each(|_| matrix.add(first as Grade, second as Grade));
        }
    }
    matrix
}

/// Cohen 1960, table 1, per 200 cases (88 14 18 | 10 40 10 | 2 6 12): observed .70, expected .41, kappa .492.
#[test]
fn kappa_of_cohens_own_example() {
    let kappa = cohen_kappa(&from_table([[88, 14, 18], [10, 40, 10], [2, 6, 12]]), DisagreementWeights::None)
        .unwrap();
    assert!((kappa - 0.492).abs() < 0.0005, "{kappa}");
}

#[test]
fn one_grade_alone_shows_no_agreement_beyond_chance() {
    let one: ConfusionMatrix = [(2, 2), (2, 2), (2, 2)].into_iter().collect();
    let nothing = ConfusionMatrix::default();
    for weights in [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic] {
        assert_eq!(cohen_kappa(&one, weights), None);
        assert_eq!(cohen_kappa(&nothing, weights), None);
    }
    assert_eq!((one.exact(), nothing.exact()), (Some(1.0), None));
    let constant: ConfusionMatrix = [(0, 1), (1, 1)].into_iter().collect();
    assert_eq!(cohen_kappa(&constant, DisagreementWeights::None), Some(0.0));
}

#[test]
fn the_table_spans_the_grades_of_both() {
    let matrix: ConfusionMatrix = [(0, 3), (0, 3), (-1, 0)].into_iter().collect();
    assert_eq!(matrix.grades(), [-1, 0, 3]);
    assert_eq!(matrix.rows(), [[0, 1, 0], [0, 0, 2], [0, 0, 0]]);
    assert_eq!(matrix.exact(), Some(0.0));
}
