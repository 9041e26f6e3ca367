//! Studies whose judges compare and that were stopped: what counts, what is said, and what is not paid for.

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::comparing::compared_by;
use crate::sandbox::REPLAY;

/// A judge or grader behind a server, one question at a time.
fn served(kind: &str, name: &str, server: &FaultyServer) -> String {
    let url = server.url();
    format!(
        "[[{kind}]]\nname = {name:?}\nmodel = \"vllm/faulty-1\"\nbase_url = {url:?}\ntimeout = 60\nconcurrency = 1\n"
    )
}

#[test]
fn questions_that_were_given_up_are_said() {
    // the first refusal is taken for one of the schema
    let fault = Fault::Raw { status: 422, headers: Vec::new(), body: "{}".into() };
    let server = FaultyServer::start(FaultPlan::script([fault.clone(), fault])).unwrap();
    let sandbox = compared_by(&served("judges", "served", &server), "listwise", "");
    let run = sandbox.llull(&["run", "--no-report"]).ends(3);
    assert!(run.stderr.contains("1 of 4 questions failed, for the reasons above"), "{run}");
    assert!(run.stderr.contains("gave up on query q1, a set of 4 documents, "), "{run}");
    let known = sandbox.llull(&["measure"]).ends(3);
    assert!(known.stderr.contains("1 question has no answer yet, which might change tiers"), "{known}");
    let again = sandbox.llull(&["run", "--no-report", "--json"]).ends(0).json();
    assert_eq!((&again[0]["gave_up"], &again[0]["judged"]), (&0.into(), &3.into()));
}

/// A judge that nobody can ask leaves the panel's tiers to the others: they are there, and it is said on what they
/// rest.
#[test]
fn tiers_of_a_panel_that_lacks_a_judge_say_so() {
    let fault = Fault::Raw { status: 422, headers: Vec::new(), body: "{}".into() };
    let server = FaultyServer::start(FaultPlan::always(fault)).unwrap();
    let sandbox = compared_by(&format!("{REPLAY}{}", served("judges", "served", &server)), "listwise", "");
    let judged = sandbox.llull(&["run", "--no-report"]).ends(3);
    assert!(judged.stdout.ends_with("3 of these lack the answer of a judge of the panel\n"), "{judged}");
    let run = sandbox.llull(&["run", "--verbose"]).ends(3);
    let said = "\n  3 of 3 sets lack the answer of a judge of the panel: tiers there rest on the other judges' votes\n";
    assert!(run.stdout.contains(said), "{run}");
    let report = sandbox.read("report.md");
    assert!(report.contains("**3 calls in 3 queries lack the answer of a judge of the panel**"), "{report}");
    assert!(
        report.contains("1 without that of a judge of the panel, so that they rest on the others' votes"),
        "{report}"
    );
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(json["tournaments"]["totals"]["partial"], 3);
    let known = sandbox.llull(&["label"]).ends(3);
    assert!(known.stderr.contains("3 questions have no answer yet, which might change tiers"), "{known}");
}
