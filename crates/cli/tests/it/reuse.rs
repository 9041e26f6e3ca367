//! What is in the ledger is not asked again, and what would be asked differently is.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, TINY_PAIRS, tiny_served};

fn served() -> (FaultyServer, Sandbox) {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), TINY_PAIRS);
    (server, sandbox)
}

#[test]
fn timeouts_concurrency_and_address_are_no_part_of_the_question() {
    let (server, sandbox) = served();
    let other = FaultyServer::start(FaultPlan::default()).unwrap();
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 30\nconcurrency = 3");
    sandbox.llull(&["run", "--base-url", &other.url()]).ends(0);
    assert_eq!((server.served().total(), other.served().total()), (TINY_PAIRS, 0));
}

/// They were counted as answers "already in the ledger" of a ledger that was fresh.
#[test]
fn pairs_with_the_same_texts_are_asked_about_once_and_said() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    let corpus = sandbox.read("corpus.jsonl");
    let line = |id: &str| {
        let found = corpus.lines().find(|line| line.contains(&format!("\"{id}\""))).unwrap();
        format!("{found}\n")
    };
    sandbox.edit("corpus.jsonl", &line("a3"), &line("a2").replace("\"a2\"", "\"a3\""));
    let said = "11 pairs, 0 already in the ledger, 1 with the same texts as another, sent once, 10 to ask";
    sandbox.llull(&["run"]).ends(0).says(&[said]);
    assert_eq!(server.served().total(), TINY_PAIRS - 1);
    sandbox.llull(&["run"]).ends(0).says(&["0 to ask"]);
}
