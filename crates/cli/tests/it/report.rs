//! `llull report`

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, check, tiny, tiny_served};

fn judged() -> Sandbox {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox
}

#[test]
fn writes_the_same_files_again() {
    let sandbox = judged();
    let files = ["report.html", "report.md", "report.json", "labels.qrels"];
    let before = files.map(|file| sandbox.read(file));
    for file in files {
        fs_err::remove_file(sandbox.path(file)).unwrap();
    }
    check!(sandbox.llull(&["report"]).ends(0));
    assert_eq!(files.map(|file| sandbox.read(file)), before);
}

#[test]
fn says_the_same_of_failures_as_the_run_that_met_them() {
    let refused =
        Fault::Raw { status: 400, headers: Vec::new(), body: r#"{"error": {"message": "no"}}"#.into() };
    // One answer, since a run without any is an error and writes no report.
    let script = vec![Fault::None];
    let plan = FaultPlan { script, otherwise: Some(refused), ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run"]).ends(3);
    let at_once = sandbox.read("report.json");
    assert!(at_once.contains("\"failed\": [{\"what\":\"rejected\",\"count\":10}]"), "{at_once}");
    sandbox.llull(&["report"]).ends(3);
    assert_eq!(sandbox.read("report.json"), at_once);
}

#[test]
fn markdown() {
    let sandbox = judged();
    let shown = sandbox.llull(&["report", "--format", "markdown"]).ends(0).stdout;
    assert_eq!(shown.trim_end(), sandbox.read("report.md").trim_end());
    check!(shown);
}

#[test]
fn json_is_short_for_the_format_and_valid_under_the_schema() {
    let sandbox = judged();
    let report = sandbox.llull(&["report", "--json"]).ends(0);
    assert_eq!(report.stdout, sandbox.llull(&["report", "--format", "json"]).ends(0).stdout);
    let schema = Sandbox::new().llull(&["report", "--format", "schema"]).ends(0).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let report = report.json();
    assert!(validator.is_valid(&report), "{:?}", validator.iter_errors(&report).next());
    assert_eq!(report["topics"].as_array().unwrap().len(), 3);
}

#[test]
fn of_a_study_that_is_not_judged() {
    tiny().llull(&["report"]).ends(3).says(&[
        "Nothing is decided: none of the 11 pooled pairs has a label",
        "known: 0 attempts, unknown + unknown tokens, price unknown",
    ]);
}
