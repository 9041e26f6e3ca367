//! Gates: reading, printing, holding.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

use llull_core::Seed;
use llull_stats::{BootstrapOptions, Bound, Comparator, Gate, GateError, PairedDifference, paired_bootstrap};
use proptest::prelude::*;

fn gate(text: &str) -> Gate {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A mean difference of about 0.03 in an interval from below to above 0.
fn unclear() -> PairedDifference {
    let candidate = [0.3, -0.2, 0.1, -0.1, 0.2, -0.1, 0.15, -0.15, 0.2, -0.1];
    let difference = paired_bootstrap(&[0.0; 10], &candidate, &BootstrapOptions::new(Seed(1))).unwrap();
    assert!(difference.low < -0.01 && difference.mean > 0.0 && difference.high > 0.1, "{difference:?}");
    difference
}

#[test]
fn each_form_looks_at_its_own_figure() {
    let difference = unclear();
    for (text, holds) in [
        ("nDCG@10 >= -0.01", true),
        ("nDCG@10>=0", true),
        ("mean(nDCG@10) > 0.5", false),
        ("low(nDCG@10) >= -0.01", false),
        ("low(nDCG@10) > -0.5", true),
        ("high(nDCG@10) <= 0", false),
        ("high(nDCG@10) < 0.5", true),
        ("nDCG@10 < 0", false),
    ] {
        assert_eq!(gate(text).holds(&difference), holds, "{text}");
    }
    assert!(gate("X >= 0.1").holds(&PairedDifference { mean: 0.1, ..difference }));
    assert!(!gate("X > 0.1").holds(&PairedDifference { mean: 0.1, ..difference }));
}

#[test]
fn a_figure_at_the_threshold_is_at_it_whatever_the_rounding() {
    // A report prints -0.0100.
    let difference = PairedDifference { mean: (-0.01f64).next_down(), ..unclear() };
    assert!(gate("X >= -0.01").holds(&difference) && gate("X <= -0.01").holds(&difference));
    assert!(!gate("X < -0.01").holds(&difference) && !gate("X > -0.01").holds(&difference));
    let endless = PairedDifference { mean: f64::NEG_INFINITY, ..unclear() };
    assert!(gate("X < 0").holds(&endless) && !gate("X >= 0").holds(&endless));
}

#[test]
fn one_topic_passes_no_gate_on_its_interval() {
    let one = paired_bootstrap(&[0.1], &[0.9], &BootstrapOptions::new(Seed(1))).unwrap();
    assert!(!gate("low(RR) >= -1").holds(&one));
    assert!(!gate("high(RR) <= 1").holds(&one));
}

#[test]
fn the_measure_stays_as_it_was_written() {
    let parsed = gate("  low( nDCG(dcg='exp-log2')@10 ) >= -1e-2 ");
    assert_eq!(parsed.measure(), "nDCG(dcg='exp-log2')@10");
    assert_eq!(
        (parsed.bound(), parsed.comparator(), parsed.threshold()),
        (Bound::Low, Comparator::AtLeast, -0.01)
    );
    assert_eq!(parsed.to_string(), "low(nDCG(dcg='exp-log2')@10) >= -0.01");
    let plain = gate("P(rel=2)@5 > 0");
    assert_eq!((plain.measure(), plain.bound()), ("P(rel=2)@5", Bound::Mean));
    assert_eq!(gate("lowest(x) > 0").measure(), "lowest(x)");
}

#[test]
fn what_is_wrong_is_named() {
    let refused = |text: &str| text.parse::<Gate>().unwrap_err();
    assert_eq!(refused("nDCG@10"), GateError::NoComparator("nDCG@10".into()));
    assert_eq!(refused("nDCG@10 = 0.1"), GateError::NoComparator("nDCG@10 = 0.1".into()));
    assert_eq!(refused(">= 0.1"), GateError::NoMeasure(">= 0.1".into()));
    assert_eq!(refused("low() >= 0.1"), GateError::NoMeasure("low() >= 0.1".into()));
    for (text, threshold) in [
        ("AP >= ", ""),
        ("AP >= x", "x"),
        ("AP >= 1%", "1%"),
        ("AP >= nan", "nan"),
        ("AP >= inf", "inf"),
        ("AP >== 1", "= 1"),
    ] {
        let expected = GateError::Threshold { gate: text.into(), threshold: threshold.into() };
        assert_eq!(refused(text), expected);
        assert!(expected.to_string().contains("'nDCG@10 >= -0.01'"));
    }
}

proptest! {
    #[test]
    fn a_gate_parses_from_what_it_prints_as(
        bound in prop::sample::select(vec!["", "low", "high"]),
        measure in prop::sample::select(vec!["nDCG@10", "AP(rel=2)", "nDCG(dcg='exp-log2')@5"]),
        sign in prop::sample::select(vec![">=", ">", "<=", "<"]),
        threshold in -1.0..1.0f64,
    ) {
        let subject = if bound.is_empty() { measure.to_owned() } else { format!("{bound}({measure})") };
        let text = format!("{subject} {sign} {threshold}");
        let parsed = gate(&text);
        prop_assert_eq!(parsed.to_string(), text);
        prop_assert_eq!(parsed.threshold(), threshold);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,30}") {
        let _ = text.parse::<Gate>();
    }
}
