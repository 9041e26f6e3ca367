//! `llull demo`

use crate::sandbox::{Sandbox, Transcript, check};

#[test]
fn from_nothing_to_a_verdict_and_again() {
    let sandbox = Sandbox::new();
    let first_run = sandbox.llull(&["demo"]).ends(0);
    check!(first_run);
    is_short(&first_run);
    let answers = || sandbox.llull(&["-C", "llull-demo", "ledger", "status", "--json"]).ends(0).json();
    let in_the_ledger = answers();
    let files = ["report.json", "report.html", "report.md", "labels.qrels"];
    let first = files.map(|file| sandbox.read(&format!("llull-demo/{file}")));

    let again = sandbox.llull(&["demo"]).ends(0);
    assert_eq!(again.stdout, first_run.stdout);
    again.says(&["llull-demo holds the demo already; its answers are in the ledger.\n"]);
    assert_eq!(answers(), in_the_ledger, "the second run asked nothing");
    sandbox.llull(&["-C", "llull-demo", "run"]).ends(0);
    assert_eq!(files.map(|file| sandbox.read(&format!("llull-demo/{file}"))), first);

    let elsewhere = Sandbox::new();
    let report = elsewhere.llull(&["demo", "other", "--json"]).ends(0).json();
    assert_eq!(elsewhere.read("other/report.json"), first[0], "the same study anywhere");
    assert_eq!(report["systems"].as_array().unwrap().len(), 3);
    assert_eq!(report["coverage"]["pairs"], report["coverage"]["labelled"]);
    assert!(report.get("topics").is_none_or(serde_json::Value::is_null), "the file has the topics");
}

/// One screen: at most 30 lines of at most 100 columns, on both streams together.
fn is_short(transcript: &Transcript) {
    let lines = || transcript.stdout.lines().chain(transcript.stderr.lines());
    assert!(lines().count() <= 30, "{} lines\n{transcript}", lines().count());
    assert!(lines().all(|line| line.chars().count() <= 100), "{transcript}");
}

#[test]
fn recorded_orders_show_their_judge_and_tiers() {
    let transcript = Sandbox::new().llull(&["demo", "--paradigm", "listwise"]).ends(0);
    is_short(&transcript);
    assert!(
        !transcript.stdout.contains("multiple testing"),
        "the adjustment changes no verdict\n{transcript}"
    );
    transcript.says(&[
        "The judge, claude-listwise, is a language model",
        "): p182, p204, p120, p138 = p185, p066, ",
        "\nbm25 scores highest, but not clearly above ngrams.\n",
    ]);
}

#[test]
fn another_study_is_not_run() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo"]).ends(0);
    sandbox.edit("llull-demo/llull.toml", "depth = 10", "depth = 5");
    sandbox.llull(&["demo"]).refused(1, &["llull-demo holds another study", "llull -C llull-demo run"]);
}

#[test]
fn a_folder_with_something_else_in_it_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("mine/topics.tsv", "q1\tmine\n");
    sandbox
        .llull(&["demo", "mine"])
        .ends(1)
        .says(&["error: mine/topics.tsv is there already; nothing was written. Edit it, or name another"]);
    assert_eq!(sandbox.read("mine/topics.tsv"), "q1\tmine\n");
    assert!(!sandbox.path("mine/llull.toml").exists());
}
