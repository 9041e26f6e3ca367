//! Tests the report on agreement: JSON, remarks and text.

use llull_core::{Qrels, Ranking, Run, Seed};
use llull_metrics::Measure;
use llull_report::agreement::{
    AgreementInputs, AgreementReport, AgreementReportError, AgreementReportOptions, JudgePreferences,
    NamedLabels, PreferenceReport, PreferenceTruth, UnderBoth, agreement_text, preferences_text,
};
use llull_stats::{BootstrapOptions, Choice, JudgedPair, preference_agreement};
use serde_json::{Value, json};

/// Labels of four documents of each of two queries.
fn labels(name: &str, grades: [i32; 4]) -> NamedLabels {
    let mut qrels = Qrels::default();
    for query in ["q1", "q2"] {
        for (document, grade) in ["a", "b", "c", "d"].into_iter().zip(grades) {
            qrels.insert(query, document, grade);
        }
    }
    NamedLabels::from_file(name, format!("files/{name}"), qrels)
}

fn inputs(others: Vec<NamedLabels>) -> AgreementInputs {
    let runs = [["a", "b"], ["b", "c"], ["d", "c"]].map(|[first, second]| {
        let mut run = Run::new(first);
        for query in ["q1", "q2"] {
            run.insert(query, Ranking::from_ordered([(first, 2.0), (second, 1.0)]));
        }
        run
    });
    let measures: Vec<Measure> = vec!["nDCG@10".parse().unwrap()];
    AgreementInputs {
        truth: labels("human", [3, 2, 1, 0]),
        raters: others.len(),
        others,
        runs: runs.into(),
        measures: UnderBoth { truth: measures.clone(), other: measures },
    }
}

fn report(others: Vec<NamedLabels>) -> AgreementReport {
    let options =
        AgreementReportOptions::new(BootstrapOptions { resamples: 200, ..BootstrapOptions::new(Seed(7)) });
    AgreementReport::new(inputs(others), &options).unwrap()
}

#[test]
fn one_label_set_stands_at_the_top_and_several_in_a_list_with_their_panel() {
    let one: Value = serde_json::to_value(report(vec![labels("judge", [3, 1, 1, 0])])).unwrap();
    assert_eq!((&one["truth"], &one["other"]), (&json!("files/human"), &json!("files/judge")));
    assert_eq!((&one["n"], &one["exact"], &one["resamples"]), (&json!(8), &json!(0.75), &json!(200)));
    assert_eq!(one["systems"]["tau"], one["by_measure"][0]["tau"]);
    assert!(one.get("notes").is_none() && one.get("others").is_none() && one.get("clamp").is_none());

    let two = report(vec![labels("judge", [3, 1, 1, 0]), labels("other", [3, 2, 1, 0])]);
    let json: Value = serde_json::to_value(&two).unwrap();
    assert_eq!(
        (&json["others"][1]["other"], &json["others"][1]["exact"]),
        (&json!("files/other"), &json!(1.0))
    );
    assert_eq!(json["panel"]["with_truth"]["raters"], 3);
    assert_eq!(two.compared.others().len(), 2);
}

#[test]
fn a_remark_stands_once_and_the_text_names_label_sets_by_their_short_names() {
    let report = report(vec![labels("judge", [1, 1, 0, 0]), labels("other", [1, 1, 0, 0])]);
    assert!(
        report.notes.iter().any(|note| note.starts_with("judge has two grades, 0 and 1,")),
        "{:?}",
        report.notes
    );
    let few = "An interval of 95% takes at least 6 queries.";
    assert_eq!(report.notes.iter().filter(|note| *note == few).count(), 1, "{:?}", report.notes);
    let text = agreement_text(&report);
    assert!(
        text.contains("\n\njudge against human: 8 pairs of 2 queries in common; 0 only in the truth"),
        "{text}"
    );
    assert!(
        text.contains("\nkappa ") && text.contains("[n/a, n/a]") && text.starts_with("side by side "),
        "{text}"
    );
}

#[test]
fn nothing_in_common_is_an_error() {
    let mut elsewhere = Qrels::default();
    elsewhere.insert("q9", "a", 1);
    let others = vec![NamedLabels::new("elsewhere", elsewhere)];
    let options = AgreementReportOptions::new(BootstrapOptions::new(Seed(7)));
    let error = AgreementReport::new(inputs(others), &options).unwrap_err();
    assert!(matches!(error, AgreementReportError::NothingInCommon(_)), "{error}");
    assert!(error.to_string().contains("no query in common"), "{error}");
}

#[test]
fn a_confidence_above_preferences_is_not_rounded() {
    let mut pair = JudgedPair::new(Choice::First);
    pair.shown.add(Some(Choice::First));
    let found = preference_agreement(&[pair], 0.999).unwrap();
    let report = PreferenceReport {
        truth: PreferenceTruth { file: "human.pref".into(), pairs: 1 },
        confidence: 0.999,
        judges: vec![JudgePreferences::new("judge", 2, &found)],
    };
    let text = preferences_text(&report);
    assert!(text.contains("99.9% interval"), "{text}");
    assert!(text.ends_with("judge: pairs that the truth does not know, which count nowhere: 2"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        (&json["judges"][0]["modes"][0]["precision"], &json["judges"][0]["swap"]),
        (&json!(1.0), &Value::Null)
    );
}
