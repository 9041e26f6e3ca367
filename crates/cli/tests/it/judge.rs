//! `llull run --no-report`

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{TINY_PAIRS, check, tiny, tiny_served};

#[test]
fn counts_what_was_judged() {
    check!(tiny().llull(&["run", "--no-report"]).ends(0));
}

#[test]
fn a_dry_run_asks_nothing() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run", "--dry-run"]).ends(0).says(&[
        "served: 11 requests, about 10,724 tokens of prompts (7,507 to 13,405), at most 11,264 of replies; \
         price unknown",
    ]);
    let judge = sandbox.llull(&["run", "--dry-run"]).ends(0);
    let run = sandbox.llull(&["run", "--dry-run"]).ends(0);
    assert_eq!(run.stdout, judge.stdout);
    assert_eq!(server.served().total(), 0);
    assert!(!sandbox.path("report.md").exists());
}

#[test]
fn a_budget_stops_it_with_3_and_the_next_run_goes_on() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run", "--no-report", "--max-calls", "4"]).ends(3).says(&[
        "stopping; waiting for ",
        "judge served: 11 pairs, 0 already in the ledger, 11 to ask, of which this run may ask 4",
        "stopped before the end: this run's limit of 4 requests (--max-calls) is reached, with 4 requests; the same \
         command goes on",
    ]);
    assert_eq!(server.served().total(), 4);
    let row = &sandbox.llull(&["run", "--no-report", "--json"]).ends(0).json()[0];
    assert_eq!((&row["judged"], &row["reused"], &row["not_asked"]), (&11.into(), &4.into(), &0.into()));
    assert_eq!(server.served().total(), TINY_PAIRS);
}

#[test]
fn json() {
    let row = tiny().llull(&["run", "--no-report", "--json"]).ends(0).json()[0].clone();
    assert_eq!(
        (&row["judge"], &row["pairs"], &row["judged"], &row["gave_up"]),
        (&"known".into(), &11.into(), &11.into(), &0.into())
    );
}

#[test]
fn no_judge_at_all() {
    let sandbox = crate::sandbox::tiny_judged_by("");
    sandbox.llull(&["run", "--no-report"]).ends(1).says(&["error: llull.toml: no judge. Add one, such as"]);
}
