//! Judges of model `recorded:FILE`: a language model's answers, read from an export of the ledger that has them.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, TINY_PAIRS, tiny, tiny_served};

/// A study with the recording of another study's answers.
fn with_recording() -> Sandbox {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let asked = tiny_served(&server.url());
    asked.llull(&["run"]).ends(0);
    let sandbox = tiny();
    sandbox.write("served.jsonl", &asked.llull(&["ledger", "export"]).ends(0).stdout);
    sandbox.write("asked.qrels", &asked.read("labels.qrels"));
    sandbox
}

#[test]
fn it_is_the_model_that_it_was_and_costs_nothing() {
    let sandbox = with_recording();
    sandbox.llull(&["run", "--judge", "recorded:served.jsonl"]).ends(0).says(&["served"]);
    assert_eq!(sandbox.read("labels.qrels"), sandbox.read("asked.qrels"));
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let judge = &report["study"]["judges"][0];
    assert_eq!((&judge["name"], &judge["kind"]), (&"served".into(), &"language model".into()));
    assert!(judge["model"].as_str().unwrap().ends_with(", recorded"), "{judge}");
    assert_eq!(report["cost"]["judges"][0]["cost_usd"]["known"], 0.0);
    // Its answers are those of the model, so the ledger has them for the model itself.
    let row =
        &sandbox.llull(&["run", "--no-report", "--judge", "recorded:served.jsonl", "--json"]).ends(0).json()
            [0];
    assert_eq!((&row["judged"], &row["reused"]), (&TINY_PAIRS.into(), &TINY_PAIRS.into()));
}

#[test]
fn a_request_that_was_not_recorded_waits_for_a_longer_recording() {
    let sandbox = with_recording();
    let recording = sandbox.read("served.jsonl");
    let fewer: Vec<&str> = recording.lines().filter(|line| !line.contains(r#""document":"a1""#)).collect();
    sandbox.write("served.jsonl", &fewer.join("\n"));
    let judge = |code| {
        let output =
            sandbox.llull(&["run", "--no-report", "--judge", "recorded:served.jsonl", "--json"]).ends(code);
        let row = output.json()[0].clone();
        (row["judged"].clone(), row["unusable"].clone())
    };
    assert_eq!(judge(3), ((TINY_PAIRS - 1).into(), 0.into()), "not an answer of the model");
    sandbox.write("served.jsonl", &recording);
    assert_eq!(judge(0), (TINY_PAIRS.into(), 0.into()));
    // Reading the ledger takes the judges' lines of the recording and no answer.
    let judges: Vec<&str> = recording.lines().filter(|line| !line.contains("\"attempt\"")).collect();
    sandbox.write("served.jsonl", &judges.join("\n"));
    assert_eq!(judge(0), (TINY_PAIRS.into(), 0.into()));
}

/// A study of one query with 30 documents, each longer than the one before.
fn enlarged(sandbox: Sandbox) -> Sandbox {
    let lines = |line: &dyn Fn(usize) -> String| (1..=30).map(line).collect::<String>();
    let document = |at: usize| {
        let text = format!("Part {at}. {}", "It goes on and on. ".repeat(20 * at));
        format!("{{\"id\":\"d{at}\",\"text\":\"{text}\"}}\n")
    };
    sandbox.write("topics.tsv", "q1\treset a forgotten password\n");
    sandbox.write("corpus.jsonl", &lines(&document));
    for run in ["old", "new"] {
        let line = |at: usize| format!("q1 Q0 d{at} {at} {} {run}\n", 100 - at);
        sandbox.write(&format!("{run}.run"), &lines(&line));
    }
    sandbox.edit("llull.toml", "depth = 3", "depth = 30");
    sandbox
}

/// Twenty gaps in a row stopped the run, and every repeat stopped at the same place.
#[test]
fn many_gaps_of_a_recording_leave_the_answers_after_them() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let asked = enlarged(tiny_served(&server.url()));
    asked.llull(&["run", "--no-report"]).ends(0);
    let recording = asked.llull(&["ledger", "export"]).ends(0).stdout;
    let sandbox = enlarged(tiny());
    // The server reports the same tokens for prompts of all lengths.
    sandbox.write("served.jsonl", &recording);
    sandbox.llull(&["run", "--judge", "recorded:served.jsonl"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let cut = checks.iter().find(|check| check["kind"] == "cut_prompts");
    assert_eq!(cut.map(|check| &check["outcome"]), Some(&"failed".into()), "{checks:?}");

    let is_kept = |line: &&str| !line.contains("\"attempt\"") || line.contains(r#""document":"d30""#);
    let sandbox = enlarged(tiny());
    sandbox.write("served.jsonl", &recording.lines().filter(is_kept).collect::<Vec<_>>().join("\n"));
    let judges = ["--judge", "recorded:served.jsonl", "--judge", "similarity"];
    let report = sandbox.llull(&[&["run", "--json"], &judges[..]].concat()).ends(3).json();
    let judged = |at: usize| &report["coverage"]["judges"][at]["judged"];
    assert_eq!((judged(0), judged(1)), (&1.into(), &30.into()), "{report}");
    let report = sandbox.read("report.md");
    assert!(report.contains("served: 29 requests without a recorded answer. Name a recording"), "{report}");
}

#[test]
fn prompts_and_the_length_of_documents_are_those_of_the_recording() {
    let sandbox = with_recording();
    sandbox.write("served.v2.jsonl", &sandbox.read("served.jsonl"));
    sandbox
        .llull(&["prompt", "--judge", "recorded:served.v2.jsonl"])
        .ends(0)
        .says(&["served.v2", "You are evaluating"]);
    let judge = |keys: &str| {
        let table = format!("\n[[judges]]\nname = \"then\"\nmodel = \"recorded:served.jsonl\"\n{keys}");
        sandbox.write("llull.toml", &(tiny().read("llull.toml") + &table));
        sandbox.llull(&["run", "--no-report", "--judge", "then", "--json"])
    };
    judge("prompt = \"graded-direct\"\n").ends(1).says(&["has no prompt"]);
    let cut = judge("document_tokens = 50\n").ends(0).json();
    assert_eq!(cut[0]["judged"], TINY_PAIRS, "no document of the study is longer");
}

#[test]
fn what_is_no_recording_for_this_study_is_refused() {
    let sandbox = with_recording();
    sandbox.write("labels.txt", "q1 0 d1 1\n");
    sandbox.write("empty.jsonl", "{\"llull_ledger\":3}\n");
    let refused = |file: &str, code: i32, parts: &[&str]| {
        sandbox.llull(&["run", "--judge", &format!("recorded:{file}")]).ends(code).says(parts);
    };
    refused("", 2, &["recorded: needs a file"]);
    refused("nowhere.jsonl", 1, &["nowhere.jsonl"]);
    refused("labels.txt", 1, &["labels.txt", "line 1"]);
    refused("empty.jsonl", 1, &["empty.jsonl", "it has: no judge"]);
    sandbox.edit("llull.toml", "[pool]", "rubric = \"other.md\"\n[pool]");
    let grade = |grade: u8| format!("[[grades]]\ngrade = {grade}\nname = \"{grade}\"\ndefinition = \"d\"\n");
    let grades: String = (0..4).map(grade).collect();
    sandbox.write(
        "other.md",
        &format!("+++\nversion = 1\nname = \"o\"\ncutoff = 2\n{grades}+++\nSomething else.\n"),
    );
    refused("served.jsonl", 1, &["no graded answers of a language model under this rubric", "served ("]);
}
