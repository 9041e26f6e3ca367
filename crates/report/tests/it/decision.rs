//! Tests that a decision is a value.
//!
//! It does not depend on names and sentences, and missing labels withdraw it.

use crate::sample;

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use llull_core::{Qrels, Ranking, Run, Seed};
use llull_metrics::{DifferenceBounds, KnownLabels, Measure, evaluate_all};
use llull_report::{
    BaselineComparison, ComparisonFinding, Exporter, Family, GateOutcome, Html, IncompleteReason, Json,
    Markdown, MissingLabels, Report, ReportView, SignificanceOptions, StudyVerdict, TestedComparison,
    compare, from_json, gates, headline, significance,
};
use llull_stats::{BootstrapOptions, Correction, Gate, PairTest};

/// Names that read as a decision.
const HOSTILE: [&str; 4] =
    ["Nothing is decided x", "No verdict: the judge failed a check.", "No verdict yet: a", "better"];

fn unreliable(report: Report) -> Report {
    let check = JudgeCheck {
        judge: "mini|judge".to_owned(),
        kind: CheckKind::FirstSide,
        outcome: CheckOutcome::Failed,
        n: 40,
        value: Some(0.9),
        low: Some(0.8),
        high: Some(1.0),
        chance: Some(0.5),
        finding: "See below.".to_owned(),
        remedy: String::new(),
    };
    let checks = vec![check];
    let decision = report.decision.under_checks(&checks, &[], false);
    Report { decision, checks, ..sample::report() }
}

/// A study whose systems have these names.
fn named(baseline: &str, system: &str) -> Report {
    let mut runs = sample::runs();
    runs.truncate(2);
    for (run, name) in runs.iter_mut().zip([baseline, system]) {
        name.clone_into(&mut run.name);
    }
    sample::build(&sample::labels(), &runs, None)
}

#[test]
fn a_system_named_as_a_decision_does_not_switch_the_guard_off() {
    for (baseline, system) in HOSTILE.iter().flat_map(|name| [(*name, "b"), ("a", *name)]) {
        let decided = named(baseline, system).decision;
        assert_eq!(decided.verdict, StudyVerdict::Compared, "{baseline} {system}");
        assert!(headline(&decided).contains(" is better than "), "{}", headline(&decided));

        let report = unreliable(named(baseline, system));
        let decision = &report.decision;
        let judges = vec!["mini|judge".to_owned()];
        assert_eq!(decision.verdict, StudyVerdict::UnreliableJudge { judges }, "{baseline} {system}");
        assert_eq!(headline(decision), "No verdict: the judge failed a check.");
        assert!(decision.summary[0].starts_with("No verdict: mini|judge failed a check"));
        assert_eq!(decision.summary.len(), 1);
        let is_open = |found: &BaselineComparison| found.decision == ComparisonFinding::NotTrusted;
        assert!(decision.comparisons.iter().all(is_open), "{:?}", decision.comparisons);
        let text = Markdown::default().to_text(&ReportView::from(&report)).unwrap();
        assert!(text.contains("**No verdict: mini&#124;judge failed a check"), "{text}");
        let page = Html::default().to_text(&ReportView::from(&report)).unwrap();
        assert!(page.contains(">No verdict: the judge failed a check.</h1>"));
        assert!(page.contains("<a href=\"#judge\">Failed: favours the first document</a>"), "{page}");
        let json: serde_json::Value = serde_json::from_str(&Json.to_text(&report).unwrap()).unwrap();
        assert_eq!(json["decision"]["verdict"]["kind"], "unreliable_judge");
        assert_eq!(json["decision"]["comparisons"][0]["decision"], "not_trusted");
        assert_eq!(from_json(&Json.to_text(&report).unwrap()).unwrap(), report);
        for output in [&text, &page] {
            assert!(!output.contains(" is worse than ") && !output.contains(" is better than "), "{output}");
        }
    }
}

const QUERIES: usize = 20;

/// Of each query, `a` is relevant and `b` is not; the baseline finds `b` first and the system `a`. Their other
/// documents have no label.
fn labels_and_runs(extra: usize) -> (Qrels, [Run; 2]) {
    let mut labels = Qrels::default();
    let mut runs = [Run::new("baseline"), Run::new("system")];
    for query in 0..QUERIES {
        let topic = format!("q{query}");
        labels.insert(&topic, "a", 1);
        labels.insert(&topic, "b", 0);
        for (run, first, second) in [(0, "b", "a"), (1, "a", "b")] {
            let others: Vec<String> = (0..extra).map(|at| format!("{first}{at}")).collect();
            let all = others.iter().map(String::as_str).chain([first, second]);
            let ranked: Vec<(&str, f64)> = all.zip((0..100).map(|at| -f64::from(at))).collect();
            runs[run].insert(topic.clone(), Ranking::from_scored(ranked));
        }
    }
    (labels, runs)
}

fn bounded(measure: &str, labels: &Qrels, runs: &[Run; 2]) -> BaselineComparison {
    let measure: Measure = measure.parse().unwrap();
    let options = BootstrapOptions::new(Seed(7));
    let scores = evaluate_all(&[measure], labels, runs);
    let mut found = compare(&scores, 0, "baseline", &options).unwrap().remove(0);
    let bounds = KnownLabels::of_file(labels).bounds(&measure, &runs[0], &runs[1]);
    found.bound(&bounds, &options).unwrap();
    found
}

fn because(reason: IncompleteReason) -> ComparisonFinding {
    ComparisonFinding::Incomplete { incomplete_because: reason }
}

#[test]
fn missing_labels_that_could_reverse_a_decision_take_it_back() {
    let (labels, runs) = labels_and_runs(0);
    let complete = bounded("RR", &labels, &runs);
    assert_eq!((complete.decision, complete.missing), (ComparisonFinding::Better, None));
    let (labels, runs) = labels_and_runs(1);
    let open = bounded("RR", &labels, &runs);
    assert_eq!(open.decision, because(IncompleteReason::CouldReverse), "{open:?}");
    let missing = open.missing.unwrap();
    assert_eq!((missing.documents, missing.seen, missing.queries), (40, 80, 0));
    assert!(missing.lowest.unwrap() < 0.0 && missing.highest.unwrap() > 0.0);
    assert!(
        open.sentence
            .starts_with("No verdict on system against baseline by RR: 40 of 80 documents have no label")
    );
}

#[test]
fn missing_labels_that_cannot_reverse_a_decision_leave_it() {
    let (mut labels, mut runs) = labels_and_runs(0);
    // One query of 20 has labels that are missing.
    runs[0].insert("q0", Ranking::from_scored([("c", 1.0)]));
    labels.insert("q0", "a", 1);
    let found = bounded("RR", &labels, &runs);
    assert_eq!(found.decision, ComparisonFinding::Better);
    assert_eq!(found.missing.map(|missing| missing.documents), Some(1));
}

#[test]
fn no_clear_difference_is_incomplete_if_missing_labels_could_show_one() {
    let (mut labels, runs) = labels_and_runs(1);
    for query in 0..QUERIES {
        labels.insert(&format!("q{query}"), "b", 1);
    }
    let found = bounded("P@2", &labels, &runs);
    assert_eq!(found.decision, because(IncompleteReason::CouldDecide), "{found:?}");
}

#[test]
fn a_side_without_any_label_decides_nothing() {
    let (labels, mut runs) = labels_and_runs(0);
    for query in 0..QUERIES {
        runs[1].insert(format!("q{query}"), Ranking::from_scored([("x", 2.0), ("y", 1.0)]));
    }
    let measure: Measure = "RR".parse().unwrap();
    let scores = evaluate_all(&[measure], &labels, &runs);
    let options = BootstrapOptions::new(Seed(7));
    let of = |baseline: &str| compare(&scores, 0, baseline, &options).unwrap().remove(0);
    assert_eq!(of("baseline").decision, because(IncompleteReason::SystemUnlabelled));
    assert_eq!(of("system").decision, because(IncompleteReason::BaselineUnlabelled));
    assert!(of("baseline").sentence.contains("no document that system returned has a label"));
}

#[test]
fn queries_without_any_label_count_in_the_worst_case() {
    let (labels, mut runs) = labels_and_runs(0);
    let more: Vec<String> = (0..30).map(|at| format!("r{at}")).collect();
    for query in &more {
        runs[0].insert(query.clone(), Ranking::from_scored([("c", 1.0)]));
        runs[1].insert(query.clone(), Ranking::from_scored([("d", 1.0)]));
    }
    let mut known = KnownLabels::of_file(&labels);
    known.queries.extend(more.iter().map(String::as_str));
    let measure: Measure = "RR".parse().unwrap();
    let options = BootstrapOptions::new(Seed(7));
    let scores = evaluate_all(&[measure], &labels, &runs);
    let mut found = compare(&scores, 0, "baseline", &options).unwrap().remove(0);
    assert_eq!(found.decision, ComparisonFinding::Better);
    found.bound(&known.bounds(&measure, &runs[0], &runs[1]), &options).unwrap();
    assert_eq!(found.decision, because(IncompleteReason::CouldReverse));
    assert_eq!(found.missing.map(|missing| (missing.queries, missing.of_queries)), Some((30, 50)));
    assert!(found.sentence.contains("30 of 50 queries have none at all"), "{}", found.sentence);
}

#[test]
fn a_gate_fails_as_incomplete_if_missing_labels_could_turn_it() {
    let (labels, runs) = labels_and_runs(1);
    let measure: Measure = "RR".parse().unwrap();
    let options = BootstrapOptions::new(Seed(7));
    let scores = evaluate_all(&[measure], &labels, &runs);
    let found = bounded("RR", &labels, &runs);
    let known = KnownLabels::of_file(&labels);
    let bounds = known.bounds(&measure, &runs[0], &runs[1]);
    assert_eq!(MissingLabels::of(&bounds), found.missing);
    let of = |gate: &str, bounds: &[DifferenceBounds]| {
        let gate: Gate = gate.parse().unwrap();
        let mut result = gates(std::slice::from_ref(&gate), &scores, "baseline", &options).unwrap().remove(0);
        result.bound(&gate, bounds, &options).unwrap();
        result
    };
    assert_eq!(of("RR >= 0", &[]).outcome, GateOutcome::Passed);
    let open = of("RR >= 0", &bounds);
    assert_eq!((open.outcome, open.passed), (GateOutcome::Incomplete, false));
    assert!(
        open.sentence.starts_with("RR >= 0 fails as incomplete for system: 40 of 80"),
        "{}",
        open.sentence
    );
    assert_eq!(of("RR >= -1", &bounds).outcome, GateOutcome::Passed, "no label could turn it");
    assert_eq!(of("RR >= 1", &bounds).outcome, GateOutcome::Failed);
    assert_eq!(of("RR >= 0.4", &bounds).outcome, GateOutcome::Incomplete);
    // Under the worst labels the mean is -0.5, and the lower end of its interval is about -0.7.
    let query = |at: usize| DifferenceBounds {
        query: format!("q{at}"),
        low: if at.is_multiple_of(2) { -1.0 } else { 0.0 },
        high: 1.0,
        missing: 1,
        seen: 2,
        labelled: true,
    };
    let half: Vec<DifferenceBounds> = (0..20).map(query).collect();
    assert_eq!(of("RR >= -0.6", &half).outcome, GateOutcome::Passed);
    assert_eq!(of("low(RR) >= -0.9", &half).outcome, GateOutcome::Passed);
    let open = of("low(RR) >= -0.6", &half);
    assert_eq!(open.outcome, GateOutcome::Incomplete, "{}", open.sentence);
    assert!(open.sentence.contains("with the missing ones it could be -0.7"), "{}", open.sentence);
}

#[test]
fn the_json_of_a_tested_comparison_has_the_decision_as_a_word() {
    let (labels, runs) = labels_and_runs(1);
    let measure: Measure = "RR".parse().unwrap();
    let scores = evaluate_all(&[measure], &labels, &runs);
    let bootstrap = BootstrapOptions::new(Seed(7));
    let options = SignificanceOptions {
        test: PairTest::Permutation,
        correction: Correction::Holm,
        significance: 0.05,
        draws: None,
        family: Family::Baseline,
        margin: None,
        bootstrap,
    };
    let mut table = significance(&scores, 0, "baseline", &options).unwrap();
    let json = |tested: &TestedComparison| serde_json::to_value(tested).unwrap();
    assert_eq!(json(&table.comparisons[0])["decision"], "better");
    let bounds = KnownLabels::of_file(&labels).bounds(&measure, &runs[0], &runs[1]);
    table.comparisons[0].comparison.bound(&bounds, &bootstrap).unwrap();
    let found = json(&table.comparisons[0]);
    assert_eq!(
        (&found["decision"], &found["incomplete_because"]),
        (&"incomplete".into(), &"could_reverse".into())
    );
    assert_eq!(found["missing"]["documents"], 40);
}
