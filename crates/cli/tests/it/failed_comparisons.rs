//! `llull review --queue failures` where judges compare: the queue has exactly the comparisons that have no answer,
//! since the judge failed or wrote what cannot be used. What is expected follows from the ledger's attempts, as
//! `llull ledger export` has them.

use std::collections::BTreeSet;

use llull_core::Seed;
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::Value;

use crate::comparing::compared_at;
use crate::review::Reviewer;
use crate::sandbox::Sandbox;

/// A query and two of its documents, in the order of their identifiers.
type Pair = (String, String, String);

/// Every two documents that the judge was asked about together: those of which an answer says something, and those of
/// which none does.
fn in_the_ledger(sandbox: &Sandbox) -> (BTreeSet<Pair>, BTreeSet<Pair>) {
    let (mut answered, mut asked) = (BTreeSet::new(), BTreeSet::new());
    for line in sandbox.llull(&["ledger", "export"]).ends(0).stdout.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let fact = &line["attempt"]["fact"];
        let Some(documents) = fact["documents"].as_array() else { continue };
        let documents: Vec<&str> = documents.iter().map(|document| document.as_str().unwrap()).collect();
        for (at, one) in documents.iter().enumerate() {
            for other in &documents[at + 1..] {
                let (first, last) = (one.min(other), one.max(other));
                let query = fact["topic"].as_str().unwrap().to_owned();
                let pair = (query, (*first).to_owned(), (*last).to_owned());
                if fact["outcome"]["status"] == "judged" {
                    answered.insert(pair.clone());
                }
                asked.insert(pair);
            }
        }
    }
    let failed = asked.difference(&answered).cloned().collect();
    (answered, failed)
}

/// The pairs of a sheet.
fn on_the_sheet(sandbox: &Sandbox, sheet: &str) -> BTreeSet<Pair> {
    let text = sandbox.read(sheet);
    let pair = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let (left, right) = (cells[4], cells[5]);
        (cells[3].to_owned(), left.min(right).to_owned(), left.max(right).to_owned())
    };
    text.lines().skip(1).map(pair).collect()
}

/// A study whose judge compares badly, its queue as a sheet, and how many pairs failed.
fn queue_of_failures(plan: FaultPlan, paradigm: &str, tournament: &str) -> (Sandbox, usize) {
    let server = FaultyServer::start(plan).unwrap();
    let sandbox = compared_at(&server, paradigm, tournament);
    sandbox.llull(&["run", "-Q"]).ends(3);
    let (answered, failed) = in_the_ledger(&sandbox);
    assert!(
        !failed.is_empty() && !answered.is_empty(),
        "a test that could not fail: {failed:?} {answered:?}"
    );
    sandbox.llull(&["review", "--queue", "failures", "-o", "queue.tsv"]).ends(0);
    assert_eq!(on_the_sheet(&sandbox, "queue.tsv"), failed);
    (sandbox, failed.len())
}

#[test]
fn comparisons_that_cannot_be_used_are_what_people_are_shown() {
    let plan = FaultPlan {
        seed: Seed(3),
        malformed: 0.2,
        cut_off: 0.2,
        refusal: 0.2,
        not_an_order: 0.1,
        ..FaultPlan::default()
    };
    let (sandbox, failed) = queue_of_failures(plan, "pairwise", "schedule = \"exhaustive\"");
    // The browser shows the same pairs in the same order on the same sides, and answers to them are the same.
    let mut reviewer = Reviewer::of(&sandbox, &["review", "--queue", "failures", "--as", "anna"]);
    let sheet = sandbox.read("queue.tsv");
    for line in sheet.lines().skip(1) {
        let page = reviewer.open("/");
        assert!(page.contains(&format!("of {failed}</p>")), "{page}");
        let cells: Vec<&str> = line.split('\t').collect();
        let shown: Vec<&str> = page.split("data-document=\"").skip(1).collect();
        let shown: Vec<&str> = shown.iter().filter_map(|text| Some(text.split_once('"')?.0)).collect();
        assert_eq!(shown, cells[4..6], "{page}");
        assert!(reviewer.press(&page, "left").starts_with("HTTP/1.1 303"));
    }
    assert!(reviewer.open("/").contains("Nothing is left"));
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    sandbox.write("filled.tsv", &sheet.replace("\t\t\t", "\tleft\t\t"));
    let read = ["review", "--read", "filled.tsv", "--as", "anna"];
    sandbox
        .llull(&read)
        .ends(0)
        .says(&[&format!("anna: 0 answers new, 0 corrected, 0 set aside, {failed} as before")]);
    sandbox
        .llull(&["review", "--queue", "failures", "--as", "anna", "-o", "-"])
        .ends(1)
        .says(&["waits for anna"]);
    sandbox
        .llull(&["agree", "--people"])
        .ends(0)
        .rows(&[
            "served as first shown 4 0.0% n/a [n/a, n/a] 0.0% 0 4 1.00",
            "served swapped 4 0.0% n/a [n/a, n/a] 0.0% 0 4 1.00",
            "served double-check 4 0.0% n/a [n/a, n/a] 0.0% 0 4 2.00",
        ])
        .says(&[
            "anna 4.",
            "Pairs of other queues",
            "the tiers of 3 of 3 queries are not final; no question is left",
        ]);
}

#[test]
fn lists_that_cannot_be_used_and_judges_that_fail() {
    let plan = FaultPlan { seed: Seed(4), malformed: 0.2, not_an_order: 0.2, ..FaultPlan::default() };
    queue_of_failures(plan, "listwise", "window = 3");
    let refused =
        Fault::Raw { status: 400, headers: Vec::new(), body: "{\"error\":{\"message\":\"no\"}}".into() };
    let plan = FaultPlan { script: vec![Fault::None; 6], otherwise: Some(refused), ..FaultPlan::default() };
    let (sandbox, _) = queue_of_failures(plan, "pairwise", "schedule = \"exhaustive\"");
    sandbox.llull(&["ledger", "export"]).ends(0).says(&["\"kind\":\"rejected\""]);
}
