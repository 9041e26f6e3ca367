//! The published schema is the code's, and reports keep to it.

use crate::sample;

use llull_report::{
    Exporter, Json, Markdown, ReportError, ReportView, Streamed, from_json, schema, schema_json,
};
use serde_json::Value;

fn value(report: &llull_report::Report) -> Value {
    serde_json::from_str(&Json.to_text(report).unwrap()).unwrap()
}

#[test]
fn the_published_schema_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.schema.json");
    let published = fs_err::read_to_string(path).unwrap_or_default();
    assert!(published == schema_json(), "docs/report.schema.json is out of date: run `cargo xtask generate`");
}

#[test]
fn reports_keep_to_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for report in [sample::report(), sample::build(&sample::labels(), &sample::runs()[..1], None)] {
        let errors: Vec<_> = validator.iter_errors(&value(&report)).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut report = value(&sample::report());
        change(&mut report);
        assert!(!validator.is_valid(&report));
    };
    broken(&|report| report["version"] = 3.into());
    broken(&|report| report["decision"]["comparisons"][0]["decision"] = "perhaps".into());
    broken(&|report| report["study"]["judges"][0]["kind"] = "oracle".into());
    broken(&|report| report["systems"][0]["figures"][0]["n"] = "many".into());
    broken(&|report| drop(report.as_object_mut().unwrap().remove("coverage")));
    broken(&|report| drop(report["cost"]["judges"][0].as_object_mut().unwrap().remove("cost_usd")));
}

#[test]
fn a_report_reads_as_it_was_written() {
    let report = sample::report();
    assert_eq!(from_json(&Json.to_text(&report).unwrap()).unwrap(), report);
}

/// Written by the first llull that wrote reports; it must be readable as long as the version is 1.
#[test]
fn an_old_report_is_read() {
    let old = from_json(include_str!("../fixtures/report.v1.json")).unwrap();
    assert_eq!(old.decision.primary, "nDCG@3");
    assert_eq!(old.decision.comparisons.len(), 4);
    assert_eq!(old.topics.len(), 12);
    assert_eq!(old.cost.judges[1].cost_usd.unknown, 2);
}

#[test]
fn a_report_of_another_version_is_refused() {
    let newer = Json.to_text(&sample::report()).unwrap().replacen("\"version\": 1", "\"version\": 3", 1);
    assert!(matches!(from_json(&newer), Err(ReportError::Version(3))));
    assert!(matches!(from_json("{}"), Err(ReportError::Read(_))));
}

#[test]
fn streamed_topics_write_the_same_bytes() {
    let report = sample::report();
    let whole = Json.to_text(&report).unwrap();
    let streamed = report.clone().with_topics(Streamed(|| report.topics.iter().cloned()));
    assert_eq!(Json.to_text(&streamed).unwrap(), whole);
    let limits = llull_report::Limits::default();
    assert_eq!(
        Markdown::default().to_text(&ReportView::new(&streamed, limits)).unwrap(),
        Markdown::default().to_text(&ReportView::new(&report, limits)).unwrap()
    );
}

#[test]
fn every_document_has_a_line_of_its_own() {
    let text = Json.to_text(&sample::report()).unwrap();
    let documents = text.lines().filter(|line| line.trim_start().starts_with("{\"id\":\"d")).count();
    assert_eq!(documents, 36);
    assert!(!text.contains("-0.0,") && !text.contains("NaN"));
}
