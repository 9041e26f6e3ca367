//! Compares a whole report with a snapshot, and what others have of their own with what it should be.

use crate::sample;

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
    let text = rendered(&report);
    for part in [
        "0 of 36 pooled pairs have a label; 36 are missing. Without any label: 12 of 12 queries.",
        "Without any label: q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12.",
        "worst_first also answers 12 queries that the labels do not know; no figure counts them.",
        "| nDCG@3 | best&#124;first | n/a | [n/a, n/a] | 0 | 0 | 0 of 0 (n/a) |",
        "| RR@3 | mixed | n/a | [n/a, n/a] (95%, 1,000 resamples) | 0 | 0 | 0 | 0 | not compared |",
        "(0 relevant, 0 of 3 labelled)</summary>",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let documents = text.lines().filter(|line| line.starts_with("| n/a | d"));
    assert_eq!(documents.filter(|line| line.contains("lexical: missing")).count(), 36);
}

#[test]
fn a_study_of_a_single_system_without_reference() {
    let report = sample::build(&sample::labels(), &sample::runs()[..1], None);
    assert!(report.decision.comparisons.is_empty());
    assert!(report.decision.summary[0].ends_with("is the only system, so there is nothing to decide."));
    let text = rendered(&report);
    assert!(!text.contains("## Reference"));
    assert!(!text.contains("paired over queries") && !text.contains("worst_first"), "{text}");
    for part in [
        "**best&#124;first has nDCG@3 0.91 (0.59 to 1.00, 95% interval, 11 queries) and is the only system",
        "| grade | document | title | best&#124;first rank | judges |\n|--:|---|---|--:|---|\n",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_study_without_topics_and_systems() {
    let report = sample::build(&LabelSet::default(), &[], None);
    let mut report = llull_report::Report { topics: Vec::new(), ..report };
    report.cost.judges.clear();
    let text = rendered(&report);
    for part in [
        "**No verdict: there is no pair of query and document to judge.**",
        "## Systems\n\nNothing was measured.\n\n## Coverage\n\n0 of 0 pooled pairs have a label; 0 are missing.",
        "## Cost\n\nNo judge has a request.\n\n## Queries\n\n## Provenance\n",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}
