//! Tests properties of all replies.

use std::time::{Duration, Instant};

use llull_core::{GradedVerdict, Reason, Scale};
use llull_judge::{GradeKind, RawReply, read_grade};
use proptest::prelude::*;

fn read(text: &str, kind: GradeKind) -> Result<GradedVerdict, Reason> {
    read_grade(&RawReply { text, cut_off: false, refused: false }, kind, Scale::default()).map_err(
        |unusable| {
            assert!(unusable.detail.chars().count() <= 200, "{}", unusable.detail);
            unusable.reason
        },
    )
}

fn write(verdict: &GradedVerdict) -> String {
    serde_json::json!({
        "facets_covered": verdict.facets_covered,
        "facets_missing": verdict.facets_missing,
        "rationale": verdict.rationale,
        "grade": verdict.grade,
    })
    .to_string()
}

/// Pieces of which hostile replies are made.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        Just("[THINK]".to_owned()),
        Just("[/THINK]".to_owned()),
        Just("<|channel|>analysis".to_owned()),
        Just("<|end|>".to_owned()),
        Just("◁think▷".to_owned()),
        Just("{\"grade\": 1}".to_owned()),
        Just("{\"grade\": 3}".to_owned()),
        Just("{\"rationale\": \"".to_owned()),
        Just(", \"grade\": 2}".to_owned()),
        "\\PC{0,6}",
    ]
}

fn any_verdict() -> impl Strategy<Value = GradedVerdict> {
    let text = || prop::collection::vec(fragment(), 0..4).prop_map(|pieces| pieces.concat());
    (0..=3, prop::collection::vec(text(), 0..3), prop::collection::vec(text(), 0..3), text()).prop_map(
        |(grade, facets_covered, facets_missing, rationale)| GradedVerdict {
            grade,
            facets_covered,
            facets_missing,
            rationale,
            probabilities: Vec::new(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), grade_only in any::<bool>()) {
        let kind = if grade_only { GradeKind::GradeOnly } else { GradeKind::Reasoned };
        let _ = read(&text, kind);
    }

    /// Of any combination of marks, braces and quotes, a grade comes only out of an object that states it.
    #[test]
    fn grades_are_read_and_not_made_up(pieces in prop::collection::vec(fragment(), 0..12)) {
        let text = pieces.concat();
        if let Ok(verdict) = read(&text, GradeKind::GradeOnly) {
            let stated = format!("\"grade\": {}}}", verdict.grade);
            prop_assert!(text.contains(&stated), "{} in {}", verdict.grade, text);
        }
    }

    #[test]
    fn an_answer_behind_prose_is_recovered(
        before in "[^{}<\\[◁`~]{0,60}",
        verdict in any_verdict(),
        after in "\\s{0,3}",
    ) {
        let reply = format!("{before}\n{}{after}", write(&verdict));
        prop_assert_eq!(read(&reply, GradeKind::Reasoned), Ok(verdict));
    }

    #[test]
    fn an_answer_in_the_middle_of_a_line_is_a_quotation(
        before in "[^{}<\\[◁]{0,30}[a-z][^{}<\\[◁\n]{0,30}",
        grade in 0..=3,
        after in "[^{}<\\[◁\n]{0,30}[a-z][^{}<\\[◁]{0,30}",
    ) {
        let reply = format!("{before}{{\"grade\": {grade}}}{after}");
        let reason = read(&reply, GradeKind::GradeOnly).unwrap_err();
        prop_assert!(matches!(reason, Reason::NotAlone | Reason::Declined), "{reason:?}");
    }

    #[test]
    fn an_answer_after_reasoning_is_recovered(thought in "[^<\\[◁]{0,60}", verdict in any_verdict()) {
        let reply = format!("<think>{thought}</think>{}", write(&verdict));
        prop_assert_eq!(read(&reply, GradeKind::Reasoned), Ok(verdict));
    }

    #[test]
    fn a_part_of_an_answer_is_none(verdict in any_verdict(), part in 0.0..1.0f64) {
        let reply = write(&verdict);
        let mut cut = (reply.len() as f64 * part) as usize;
        while !reply.is_char_boundary(cut) {
            cut -= 1;
        }
        prop_assert!(read(&reply[..cut], GradeKind::Reasoned).is_err());
    }
}

#[test]
fn a_megabyte_of_anything_takes_no_time_and_no_stack() {
    let mega = |unit: &str| unit.repeat((1 << 20) / unit.len());
    let nested = |depth: usize| format!("{}{{\"grade\": 2}}{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let cases = [
        (mega("{"), Reason::CutOff),
        (mega("}"), Reason::NoAnswer),
        (mega("{}"), Reason::WrongShape),
        (mega("{{}"), Reason::CutOff),
        (mega("{\""), Reason::CutOff),
        (mega("<think>"), Reason::CutOff),
        (mega("</think>"), Reason::Empty),
        (mega("<think></think>"), Reason::Empty),
        (mega("x<think>{</think>"), Reason::NoAnswer),
        (mega("{</think>"), Reason::CutOff),
        (mega("{\"</think>"), Reason::CutOff),
        (mega("{<think>\"</think>}"), Reason::Malformed),
        (mega("{a\"</think>{\"}"), Reason::Malformed),
        (mega("{\"grade\":1}{\"grade\":2}"), Reason::Ambiguous),
        (mega("{\"grade\":9}"), Reason::OutOfRange),
        (mega("<"), Reason::NoAnswer),
        (mega("["), Reason::NoAnswer),
        (mega("\\"), Reason::NoAnswer),
        (mega("x{}<"), Reason::WrongShape),
        (mega("x{}<y "), Reason::NoAnswer),
        (format!("x{}", mega("{}")), Reason::WrongShape),
        (format!("{} there", mega("x{}y")), Reason::NoAnswer),
        (format!("{}{}x", mega("x{\"grade\":2}"), mega("<>")), Reason::NotAlone),
        (format!("{{\"grade\":{}}}", "9".repeat(1 << 20)), Reason::Malformed),
        (format!("{{\"grade\":{}{}}}", "[".repeat(1 << 19), "]".repeat(1 << 19)), Reason::Malformed),
        (nested(10_000), Reason::Malformed),
        (nested(150_000), Reason::Malformed),
        (nested(20), Reason::WrongShape),
    ];
    for (text, expected) in cases {
        let started = Instant::now();
        let found = read(&text, GradeKind::GradeOnly).unwrap_err();
        let took = started.elapsed();
        let head: String = text.chars().take(24).collect();
        assert_eq!(found, expected, "{head}");
        // Milliseconds in a release build; a quadratic reader would need minutes in either.
        assert!(took < Duration::from_secs(100), "{head} took {took:?}");
    }
}
