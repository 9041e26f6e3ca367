//! Gates: reading, printing, holding.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, Bound, Comparator, Gate, GateError, GateSubject, PairedDifference, paired_bootstrap,
};
use proptest::prelude::*;

fn gate(text: &str) -> Gate {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Whether the gate holds of this difference.
fn holds(text: &str, difference: &PairedDifference) -> bool {
    let gate = gate(text);
    gate.holds(match gate.bound() {
        Bound::Mean => difference.mean,
        Bound::Low => difference.low,
        Bound::High => difference.high,
    })
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
    for (text, expected) in [
        ("nDCG@10 >= -0.01", true),
        ("nDCG@10>=0", true),
        ("mean(nDCG@10) > 0.5", false),
        ("low(nDCG@10) >= -0.01", false),
        ("low(nDCG@10) > -0.5", true),
        ("high(nDCG@10) <= 0", false),
        ("high(nDCG@10) < 0.5", true),
        ("nDCG@10 < 0", false),
    ] {
        assert_eq!(holds(text, &difference), expected, "{text}");
    }
    assert!(holds("X >= 0.1", &PairedDifference { mean: 0.1, ..difference }));
    assert!(!holds("X > 0.1", &PairedDifference { mean: 0.1, ..difference }));
}

#[test]
fn a_figure_at_the_threshold_is_at_it_whatever_the_rounding() {
    // A report prints -0.0100.
    let difference = PairedDifference { mean: (-0.01f64).next_down(), ..unclear() };
    assert!(holds("X >= -0.01", &difference) && holds("X <= -0.01", &difference));
    assert!(!holds("X < -0.01", &difference) && !holds("X > -0.01", &difference));
    let endless = PairedDifference { mean: f64::NEG_INFINITY, ..unclear() };
    assert!(holds("X < 0", &endless) && !holds("X >= 0", &endless));
}

#[test]
fn one_topic_passes_no_gate_on_its_interval() {
    let one = paired_bootstrap(&[0.1], &[0.9], &BootstrapOptions::new(Seed(1))).unwrap();
    assert!(!holds("low(RR) >= -1", &one));
    assert!(!holds("high(RR) <= 1", &one));
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
        assert!(expected.to_string().contains("'low(nDCG@10) >= -0.01'"));
    }
}

/// A figure of its own was read as the difference from the baseline, which 0.7 is never above.
#[test]
fn a_gate_on_the_figure_itself_is_not_one_on_the_difference() {
    for (text, subject, bound, printed) in [
        ("nDCG@10 > 0.7", GateSubject::Difference, Bound::Mean, "nDCG@10 > 0.7"),
        ("value(nDCG@10) > 0.7", GateSubject::Value, Bound::Mean, "value(nDCG@10) > 0.7"),
        ("mean(value(nDCG@10)) > 0.7", GateSubject::Value, Bound::Mean, "value(nDCG@10) > 0.7"),
        (" low( value (nDCG@10) )>0.7", GateSubject::Value, Bound::Low, "low(value(nDCG@10)) > 0.7"),
        ("value(high(nDCG@10)) <= 1", GateSubject::Value, Bound::High, "high(value(nDCG@10)) <= 1"),
    ] {
        let gate = gate(text);
        assert_eq!((gate.subject(), gate.bound(), gate.measure()), (subject, bound, "nDCG@10"), "{text}");
        assert_eq!(gate.to_string(), printed);
    }
    // Twice is not a form: the measure's name is then refused.
    assert_eq!(gate("value(value(AP)) > 0").measure(), "value(AP)");
    assert_eq!(gate("low(high(AP)) > 0").measure(), "high(AP)");
    assert_eq!(gate("values(AP) > 0").measure(), "values(AP)");
    let more = "'value(nDCG@10) > 0.7'";
    assert!("AP > x".parse::<Gate>().unwrap_err().to_string().contains(more));
}

proptest! {
    #[test]
    fn a_gate_parses_from_what_it_prints_as(
        bound in prop::sample::select(vec!["", "low", "high"]),
        value in any::<bool>(),
        measure in prop::sample::select(vec!["nDCG@10", "AP(rel=2)", "nDCG(dcg='exp-log2')@5"]),
        sign in prop::sample::select(vec![">=", ">", "<=", "<"]),
        threshold in -1.0..1.0f64,
    ) {
        let measure = if value { format!("value({measure})") } else { measure.to_owned() };
        let subject = if bound.is_empty() { measure } else { format!("{bound}({measure})") };
        let text = format!("{subject} {sign} {threshold}");
        let parsed = gate(&text);
        prop_assert_eq!(parsed.to_string(), text);
        prop_assert_eq!(parsed.threshold(), threshold);
        prop_assert_eq!(parsed.subject() == GateSubject::Value, value);
    }

    #[test]
    fn white_space_and_the_order_of_words_change_no_gate(
        words in prop::sample::subsequence(vec!["low", "value"], 0..=2).prop_shuffle(),
        space in prop::sample::select(vec!["", " ", "  "]),
    ) {
        let open: String = words.iter().map(|word| format!("{word}{space}({space}")).collect();
        let close: String = words.iter().map(|_| format!("{space})")).collect();
        let text = format!("{space}{open}AP(rel=2){close}{space}>={space}0.5{space}");
        let parsed = gate(&text);
        prop_assert_eq!(parsed.measure(), "AP(rel=2)");
        prop_assert_eq!(parsed.bound() == Bound::Low, words.contains(&"low"));
        prop_assert_eq!(parsed.subject() == GateSubject::Value, words.contains(&"value"));
        prop_assert_eq!(gate(&parsed.to_string()), parsed);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,30}") {
        let _ = text.parse::<Gate>();
    }
}
