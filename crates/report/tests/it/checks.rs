//! Tests the effect of judge checks on decisions, and their places.

use crate::sample;

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use llull_core::{Label, LabelSet};
use llull_report::{
    BaselineComparison, CheckCondition, ComparisonFinding, CorrectedFigure, DecisionSection, Exporter, Json,
    Markdown, Report, ReportView, StudyVerdict, check_gates, schema,
};

fn check(judge: &str, kind: CheckKind, outcome: CheckOutcome, value: Option<f64>) -> JudgeCheck {
    JudgeCheck {
        judge: judge.to_owned(),
        kind,
        outcome,
        n: 40,
        value,
        low: value.map(|value| value - 0.1),
        high: value.map(|value| value + 0.1),
        chance: Some(0.5),
        finding: "See <b>below</b>.".to_owned(),
        remedy: String::new(),
    }
}

fn conditions() -> [CheckCondition; 2] {
    [("first_side", "<= 0.6"), ("kappa", ">= 0.2")]
        .map(|(name, bound)| CheckCondition::parse(name, bound).unwrap())
}

fn under(checks: Vec<JudgeCheck>, ignored: bool) -> Report {
    let report = sample::report();
    let decision = report.decision.under_checks(&checks, &conditions(), ignored);
    Report { checks, decision, topics: report.topics, ..sample::report() }
}

fn bad_and_good() -> Vec<JudgeCheck> {
    vec![
        check("mini|judge", CheckKind::FirstSide, CheckOutcome::Failed, Some(0.9)),
        check("mini|judge", CheckKind::Kappa, CheckOutcome::Passed, None),
        check("lexical", CheckKind::FirstSide, CheckOutcome::Passed, Some(0.5)),
        check("lexical", CheckKind::Length, CheckOutcome::Warning, Some(0.4)),
    ]
}

#[test]
fn a_judge_that_is_not_to_be_trusted_decides_nothing() {
    let before = sample::report().decision;
    assert!(before.comparisons.iter().any(|found| found.decision == ComparisonFinding::Worse));
    let report = under(bad_and_good(), false);
    let text = Markdown::default().to_text(&ReportView::from(&report)).unwrap();
    assert_eq!(text.matches("--ignore-checks shows the result anyway").count(), 1, "a next step: {text}");
    let decision = report.decision;
    assert_eq!(decision.unreliable_judges, ["mini|judge"]);
    assert_eq!(decision.summary.len(), 1);
    assert_eq!(decision.verdict, StudyVerdict::UnreliableJudge { judges: vec!["mini|judge".into()] });
    assert!(decision.summary[0].starts_with("No verdict: mini|judge failed a check"));
    for (now, then) in decision.comparisons.iter().zip(&before.comparisons) {
        assert_eq!((now.mean_difference, now.low, now.n), (then.mean_difference, then.low, then.n));
        assert!(!matches!(now.decision, ComparisonFinding::Better | ComparisonFinding::Worse));
        assert!(
            !now.sentence.contains(" is worse ") && !now.sentence.contains(" is better "),
            "{}",
            now.sentence
        );
    }
    assert!(!decision.passes());
}

/// A difference corrected by human labels.
fn corrected() -> CorrectedFigure {
    CorrectedFigure {
        value: -0.2,
        low: -0.3,
        high: -0.1,
        confidence: 0.95,
        labels: 60,
        estimand: "queries_like_these".into(),
        ..CorrectedFigure::default()
    }
}

#[test]
fn what_people_s_labels_correct_is_decided_and_the_rest_is_not() {
    let before = sample::report().decision;
    let decisive = |decision: &DecisionSection| -> Vec<BaselineComparison> {
        let all = decision.comparisons.iter().filter(|found| found.measure == decision.primary);
        all.cloned().collect()
    };
    let [first, ..] = &decisive(&before)[..] else { panic!("{before:?}") };
    let with = |corrections: &[bool]| {
        let comparisons = corrections.iter().zip(["one", "two"]).map(|(corrected_too, system)| {
            let sentence = format!("{system} is worse, also after correcting.");
            let ppi = corrected_too.then(corrected);
            let decision = ComparisonFinding::Worse;
            BaselineComparison { system: system.into(), ppi, sentence, decision, ..first.clone() }
        });
        let decision = DecisionSection { comparisons: comparisons.collect(), ..before.clone() };
        decision.under_checks(&bad_and_good(), &[], false)
    };
    let both = with(&[true, true]);
    assert_eq!(
        both.summary,
        ["one is worse, also after correcting.", "two is worse, also after correcting."]
    );
    assert!(both.notes[0].contains("Human labels correct its answers in all comparisons"));
    let one = with(&[true, false]);
    assert_eq!(one.summary[0], "one is worse, also after correcting.");
    assert!(one.summary[1].starts_with("No verdict between two and "), "{:?}", one.summary);
    assert!(one.summary[1].contains("mini|judge failed a check"), "{:?}", one.summary);
    assert!(one.notes[0].contains("Human labels correct its answers in some comparisons"));
    let none = with(&[false, false]);
    assert_eq!(none.summary.len(), 1);
    assert!(none.summary[0].starts_with("No verdict: "), "{:?}", none.summary);
}

#[test]
fn labels_of_one_grade_leave_what_human_labels_correct() {
    let mut labels = LabelSet::default();
    let label = Label::of_grade(1);
    (1..=12).for_each(|topic| labels.record(&format!("q{topic}"), &format!("d{topic}_1"), Some(label)));
    let one_grade = sample::build(&labels, &sample::runs(), None);
    let decided = |corrected_too: bool| {
        let before = sample::report().decision;
        let mut comparisons = before.comparisons;
        if corrected_too {
            comparisons[0].correct(corrected());
        }
        let coverage = &one_grade.coverage;
        DecisionSection::new(before.primary, before.baseline, comparisons, &one_grade.systems, coverage)
    };
    let none = decided(false);
    assert_eq!(none.verdict, StudyVerdict::OneGrade { grade: 1, labels: 12 });
    assert!(none.comparisons.iter().all(|found| found.decision != ComparisonFinding::Worse));
    for decision in [decided(true), decided(true).under_checks(&bad_and_good(), &[], false)] {
        assert_eq!(decision.verdict, StudyVerdict::Compared);
        let found: Vec<ComparisonFinding> = decision.decisive().map(|found| found.decision).collect();
        assert_eq!(found, [ComparisonFinding::Worse, ComparisonFinding::NotTrusted]);
        assert_eq!(decision.comparisons[1].undecidable.as_deref(), Some("all labels have one grade"));
    }
}

#[test]
fn ignored_checks_leave_the_decision_and_say_so() {
    let before = sample::report().decision;
    let decision = under(bad_and_good(), true).decision;
    assert_eq!((&decision.summary, &decision.comparisons), (&before.summary, &before.comparisons));
    assert!(
        decision.notes[0].starts_with(
            "Checks are ignored (--ignore-checks): this decision uses the answers of mini|judge"
        )
    );
    assert!(decision.checks_ignored && decision.unreliable_judges == ["mini|judge"]);
}

#[test]
fn what_only_deserves_a_look_decides_as_before() {
    let before = sample::report().decision;
    let decision = under(bad_and_good().split_off(1), false).decision;
    assert_eq!((decision.summary, decision.comparisons), (before.summary, before.comparisons));
    assert!(decision.unreliable_judges.is_empty());
}

#[test]
fn conditions_are_tested_on_every_judge_and_a_missing_figure_does_not_hold() {
    let held = |checks: &[JudgeCheck], ignored| -> Vec<(Option<String>, bool)> {
        let gates = check_gates(&conditions(), checks, ignored);
        gates.into_iter().map(|gate| (gate.judge, gate.passed)).collect()
    };
    let name = |judge: &str| Some(judge.to_owned());
    let all = bad_and_good();
    let each = |first: bool, second: bool| {
        vec![(name("mini|judge"), first), (name("lexical"), second), (name("mini|judge"), false)]
    };
    assert_eq!(held(&all, true), each(false, true));
    assert_eq!(held(&all, false), each(false, false), "one judge that is not to be trusted fails them all");
    assert_eq!(held(&[], false), [(None, false), (None, false)]);
    let said: Vec<String> =
        check_gates(&conditions(), &all, false).into_iter().map(|gate| gate.sentence).collect();
    assert_eq!(
        said,
        [
            "first_side <= 0.6 fails for judge mini|judge: it is 0.9000 (0.8000 to 1.0000, n = 40).",
            "first_side <= 0.6 fails for judge lexical: it is 0.5000 (0.4000 to 0.6000, n = 40), but mini|judge \
             failed a check.",
            "kappa >= 0.2 fails for judge mini|judge: it has no figure to test (n = 40).",
        ]
    );
}

#[test]
fn checks_that_do_not_pass_stand_above_the_decision_and_all_in_a_table() {
    let report = under(bad_and_good(), false);
    let text = Markdown::default().to_text(&ReportView::from(&report)).unwrap();
    let at = |needle: &str| text.find(needle).unwrap_or_else(|| panic!("{needle} in {text}"));
    assert!(
        at("**Judge check: mini&#124;judge failed the check favours the first document: See ")
            < at("**No verdict")
    );
    assert!(at("**Judge check: lexical, warning (document length): See ") < at("**No verdict"));
    assert!(
        !text.contains("**Judge check: lexical, warning (favours")
            && !text.contains("**Judge check: lexical passed")
            && !text.contains("**Judge check: mini&#124;judge passed")
    );
    assert!(
        at("| mini&#124;judge | agreement beyond chance | kappa | passed | 40 | n/a | [n/a, n/a] |")
            > at("## Judge checks")
    );
    assert!(!text.contains("<b>below</b>"), "a finding is text");
}

#[test]
fn the_schema_knows_checks() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let written: serde_json::Value =
        serde_json::from_str(&Json.to_text(&under(bad_and_good(), false)).unwrap()).unwrap();
    assert!(validator.is_valid(&written));
    let first = &written["checks"][0];
    let keys: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = ["judge", "kind", "outcome", "n", "value", "low", "high", "chance", "finding", "remedy"];
    wanted.sort_unstable();
    let mut found = keys.clone();
    found.sort_unstable();
    assert_eq!(found, wanted);
    assert_eq!((&first["kind"], &first["outcome"]), (&"first_side".into(), &"failed".into()));
}
