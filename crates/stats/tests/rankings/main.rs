//! Correlations of rankings, against scipy, TREC AutoJudge, rbo and the definitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

mod golden;
mod systems;

use llull_stats::{kendall_tau_b, pearson, rank_biased_overlap, spearman, tau_ap, tau_ap_b};
use proptest::prelude::*;

/// Two lists of figures, with the correlations of other tools.
pub(crate) struct Case {
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) pearson: f64,
    pub(crate) spearman: f64,
    pub(crate) tau_b: f64,
    pub(crate) tau_ap: Option<f64>,
    pub(crate) tau_ap_b: f64,
    pub(crate) rbo: [(f64, f64); 3],
}

fn close(name: &str, figure: Option<f64>, expected: f64) {
    let figure = figure.unwrap_or_else(|| panic!("{name} is undefined"));
    assert!((figure - expected).abs() < 1e-12, "{name}: {figure}, not {expected}");
}

#[test]
fn all_are_other_tools() {
    for case in golden::CASES {
        let list = |text: &str| -> Vec<f64> { text.split(' ').map(|f| f.parse().unwrap()).collect() };
        let pairs: Vec<(f64, f64)> = list(case.x).into_iter().zip(list(case.y)).collect();
        close("pearson", pearson(&pairs), case.pearson);
        close("spearman", spearman(&pairs), case.spearman);
        close("tau-b", kendall_tau_b(&pairs), case.tau_b);
        if let Some(expected) = case.tau_ap {
            close("tau_ap", tau_ap(&pairs), expected);
        }
        close("tau_ap_b", tau_ap_b(&pairs), case.tau_ap_b);
        for (p, expected) in case.rbo {
            close("rbo", rank_biased_overlap(&pairs, p), expected);
        }
    }
}

type Correlation = fn(&[(f64, f64)]) -> Option<f64>;

fn rbo(pairs: &[(f64, f64)]) -> Option<f64> {
    rank_biased_overlap(pairs, 0.9)
}

#[test]
fn undefined_is_none() {
    for correlation in [pearson, spearman, kendall_tau_b, tau_ap, tau_ap_b] as [Correlation; 5] {
        assert_eq!(correlation(&[]), None);
        assert_eq!(correlation(&[(1.0, 2.0)]), None);
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 2.0)]), None);
        assert_eq!(correlation(&[(1.0, 2.0), (f64::NAN, 3.0)]), None);
    }
    let zeros = |other| kendall_tau_b(&[(0.0, 1.0), (other, 2.0), (1.0, 3.0)]);
    assert_eq!(zeros(-0.0), zeros(0.0));
    // Three equal figures whose mean is not equal to them.
    assert_eq!(pearson(&[(0.1, 1.0), (0.1, 2.0), (0.1, 4.0)]), None);
    assert_eq!(pearson(&[(1.0, 2.0), (f64::INFINITY, 3.0)]), None);
    assert_eq!((rbo(&[]), rbo(&[(1.0, f64::NAN)])), (None, None));
    for p in [0.0, 1.0, -0.5, f64::NAN] {
        assert_eq!(rank_biased_overlap(&[(1.0, 1.0)], p), None);
    }
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

/// Every pair of an item not in the first group of the estimate with one of a higher group: Urbano and Marrero 2017.
fn tau_ap_by_definition(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut sum, mut items) = (0.0, 0);
    for (truth, estimate) in pairs {
        let above: Vec<_> = pairs.iter().filter(|other| other.1 > *estimate).collect();
        if !above.is_empty() {
            items += 1;
            sum += above.iter().filter(|other| other.0 > *truth).count() as f64 / above.len() as f64;
        }
    }
    (items > 0).then(|| 2.0 * sum / f64::from(items) - 1.0)
}

/// Overlap of the sets by depth, down to a depth where the rest no longer matters.
fn rbo_by_definition(pairs: &[(f64, f64)], p: f64) -> f64 {
    let within = |figure: f64, all: &[f64], depth: usize| all.iter().filter(|f| **f > figure).count() < depth;
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let mut rbo = 0.0;
    for (power, depth) in (0..2000).zip(1..) {
        let a = pairs.iter().filter(|(f, _)| within(*f, &x, depth)).count();
        let b = pairs.iter().filter(|(_, f)| within(*f, &y, depth)).count();
        let both = pairs.iter().filter(|(f, g)| within(*f, &x, depth) && within(*g, &y, depth)).count();
        rbo += (1.0 - p) * p.powi(power) * 2.0 * both as f64 / (a + b) as f64;
    }
    rbo
}

fn figures() -> impl Strategy<Value = Vec<(f64, f64)>> {
    proptest::collection::vec((-3i8..4, -3i8..4), 1..12)
        .prop_map(|pairs| pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect())
}

proptest! {
    #[test]
    fn tau_b_is_its_definition(pairs in figures()) {
        match (kendall_tau_b(&pairs), tau_by_definition(&pairs)) {
            (Some(tau), Some(expected)) => prop_assert!((tau - expected).abs() < 1e-12, "{tau} {expected}"),
            (tau, expected) => prop_assert_eq!(tau, expected),
        }
    }

    #[test]
    fn tau_ap_is_its_definition(pairs in figures()) {
        match (tau_ap(&pairs), tau_ap_by_definition(&pairs)) {
            (Some(tau), Some(expected)) => prop_assert!((tau - expected).abs() < 1e-12, "{tau} {expected}"),
            (tau, expected) => prop_assert_eq!(tau, expected),
        }
    }

    #[test]
    fn rbo_is_its_definition(pairs in figures(), p in 0.1f64..0.97) {
        let found = rank_biased_overlap(&pairs, p).unwrap();
        let expected = rbo_by_definition(&pairs, p);
        prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn ranges_and_symmetry(pairs in figures()) {
        let back: Vec<_> = pairs.iter().map(|(x, y)| (*y, *x)).collect();
        let negated: Vec<_> = pairs.iter().map(|(x, y)| (*x, -*y)).collect();
        for correlation in [pearson, spearman, kendall_tau_b] as [Correlation; 3] {
            let Some(figure) = correlation(&pairs) else { continue };
            prop_assert!((-1.0..=1.0).contains(&figure));
            prop_assert!((correlation(&back).unwrap() - figure).abs() < 1e-12);
            prop_assert!((correlation(&negated).unwrap() + figure).abs() < 1e-12);
        }
        for correlation in [tau_ap_b, rbo] as [Correlation; 2] {
            if let Some(figure) = correlation(&pairs) {
                prop_assert!((-1.0..=1.0 + 1e-12).contains(&figure));
                prop_assert!((correlation(&back).unwrap() - figure).abs() < 1e-12);
            }
        }
        let (copies, reversed): (Vec<_>, Vec<_>) =
            (0..pairs.len()).map(|n| n as f64).map(|n| ((n, n), (n, -n))).unzip();
        for correlation in [pearson, spearman, kendall_tau_b, tau_ap, tau_ap_b, rbo] as [Correlation; 6] {
            if let Some(figure) = correlation(&copies) {
                prop_assert!((figure - 1.0).abs() < 1e-12, "{figure}");
            }
        }
        for correlation in [pearson, spearman, kendall_tau_b, tau_ap, tau_ap_b] as [Correlation; 5] {
            if let Some(figure) = correlation(&reversed) {
                prop_assert!((figure + 1.0).abs() < 1e-12, "{figure}");
            }
        }
    }
}
