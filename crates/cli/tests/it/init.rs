//! `llull init`

use crate::sandbox::{Sandbox, check};

#[test]
fn writes_a_study_that_only_lacks_its_data() {
    let sandbox = Sandbox::new();
    check!(sandbox.llull(&["init", "study"]).ends(0));
    check!(sandbox.read("study/llull.toml"));
    check!(sandbox.llull(&["-C", "study", "doctor", "--offline"]).ends(1));
}

#[test]
fn flags_fill_it_in() {
    let sandbox = Sandbox::new();
    let transcript = sandbox.llull(&[
        "init",
        "--name",
        "help \"centre\"",
        "--topics",
        "queries.tsv",
        "--corpus",
        "docs.jsonl.gz",
        "--run",
        "old=runs/bm25.run",
        "--run",
        "runs/dense.run.gz",
        "--judge",
        "replay:human.qrels",
        "--json",
    ]);
    check!(transcript.ends(0));
    check!(sandbox.read("llull.toml"));
}

#[test]
fn what_is_there_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("rubric.md", "mine");
    sandbox.llull(&["init"]).ends(0);
    assert_eq!(sandbox.read("rubric.md"), "mine");
    sandbox.write("llull.toml", "also mine");
    check!(sandbox.llull(&["init"]).ends(1));
    assert_eq!(sandbox.read("llull.toml"), "also mine");
}
