//! Compares whole reports with snapshots.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod sample;

use llull_core::LabelSet;
use llull_report::{Exporter, Json, Markdown, ReportView};

fn rendered(report: &llull_report::Report) -> String {
    Markdown::default().to_text(&ReportView::from(report)).unwrap()
}

#[test]
fn the_whole_report() {
    insta::assert_snapshot!("whole.md", rendered(&sample::report()));
    insta::assert_snapshot!("whole.json", Json.to_text(&sample::report()).unwrap());
}

#[test]
fn a_study_where_every_label_is_missing() {
    let mut labels = LabelSet::default();
    for topic in 1..=12 {
        for document in 1..=3 {
            labels.record(&format!("q{topic}"), &format!("d{topic}_{document}"), None);
        }
    }
    let report = sample::build(&labels, &sample::runs(), None);
    assert!(report.decision.summary[0].starts_with("No verdict: none of the 36 pooled pairs has a label"));
    insta::assert_snapshot!("all_missing.md", rendered(&report));
}

#[test]
fn a_study_of_a_single_system_without_reference() {
    let report = sample::build(&sample::labels(), &sample::runs()[..1], None);
    assert!(report.decision.comparisons.is_empty());
    assert!(report.decision.summary[0].ends_with("is the only system, so there is nothing to decide."));
    let text = rendered(&report);
    assert!(!text.contains("## Reference"));
    insta::assert_snapshot!("single_system.md", text);
}

#[test]
fn a_study_without_topics_and_systems() {
    let report = sample::build(&LabelSet::default(), &[], None);
    let mut report = llull_report::Report { topics: Vec::new(), ..report };
    report.cost.judges.clear();
    insta::assert_snapshot!("nothing.md", rendered(&report));
}

#[test]
fn equal_inputs_make_equal_bytes() {
    assert_eq!(Json.to_text(&sample::report()).unwrap(), Json.to_text(&sample::report()).unwrap());
    assert_eq!(rendered(&sample::report()), rendered(&sample::report()));
}
