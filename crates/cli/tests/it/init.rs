//! `llull init`

use crate::sandbox::{Sandbox, check};

#[test]
fn writes_a_study_that_only_lacks_its_data() {
    let sandbox = Sandbox::new();
    check!(sandbox.llull(&["init", "study"]).ends(0));
    check!(sandbox.read("study/llull.toml"));
    let doctor = sandbox.llull(&["-C", "study", "doctor", "--offline"]).ends(1);
    doctor.says(&[
        "topics = \"topics.tsv\": there is no such file",
        "needs a key: set OPENAI_API_KEY in the environment or in .env",
        "error: 3 of 4 checks failed; nothing was judged\n",
    ]);
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
    assert_eq!(transcript.ends(0).json()["written"], serde_json::json!(["llull.toml", "rubric.md"]));
    check!(sandbox.read("llull.toml"));
}

#[test]
fn what_is_there_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("rubric.md", "mine");
    sandbox.llull(&["init"]).ends(0);
    assert_eq!(sandbox.read("rubric.md"), "mine");
    sandbox.write("llull.toml", "also mine");
    sandbox.llull(&["init"]).ends(1).says(&["error: ./llull.toml is there already; nothing was written."]);
    assert_eq!(sandbox.read("llull.toml"), "also mine");
}

#[test]
fn files_that_are_here_are_named_as_the_study_sees_them() {
    let sandbox = Sandbox::new();
    sandbox
        .write("queries.tsv", "q1\thow to vacuum\n")
        .write("docs.jsonl", "{\"id\":\"d1\",\"text\":\"so\"}\n");
    sandbox.write("a.run", "q1 Q0 d1 1 1.0 a\n").write("a.qrels", "q1 0 d1 1\n");
    let flags =
        ["--topics", "queries.tsv", "--corpus", "docs.jsonl", "--run", "a.run", "--judge", "replay:a.qrels"];
    for folder in ["study", "deep/er/study", "."] {
        sandbox.llull(&[["init", folder].as_slice(), &flags].concat()).ends(0);
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    assert!(sandbox.read("study/llull.toml").contains("run = \"../a.run\""));
    assert!(sandbox.read("llull.toml").contains("run = \"a.run\""));
}
