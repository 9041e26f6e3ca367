//! Labels and runs from other tools in a study: keys of llull.toml for what flags say on plain files.

use crate::sandbox::{tiny, tiny_judged_by};

/// Decimal grades, and a pair with three of them.
const WILD: &str = "q1 0 a1 2.6\nq1 0 a2 0.8\nq1 0 a3 0\nq1 0 a4 1\nq1 0 a4 2\nq1 0 a4 2.4\n\
    q2 0 b1 2\nq2 0 b2 3\nq2 0 b3 0\nq2 0 b4 1\nq3 0 c1 3\nq3 0 c2 0\nq3 0 c3 1\n";

#[test]
fn decimal_and_repeated_grades_of_a_replay_judge() {
    let replay = "[[judges]]\nname = \"wild\"\nmodel = \"replay\"\nlabels = \"wild.qrels\"\n";
    let sandbox = tiny_judged_by(replay);
    sandbox.write("wild.qrels", WILD);
    sandbox.llull(&["run"]).ends(1).says(&["wild.qrels line 1", "2.6"]);
    sandbox.edit("llull.toml", replay, &format!("{replay}round = true\nrepeats = \"median\"\n"));
    let run = sandbox.llull(&["run"]).ends(0);
    run.says(&["wild.qrels: 1 pair has several grades; their median counts"]);
    let sorted = |name: &str| {
        let mut lines: Vec<String> = sandbox.read(name).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("labels.qrels"), sorted("known.qrels"), "rounded, and the median of three");
    let resolved = sandbox.read(".llull/resolved.toml");
    assert!(resolved.contains("round = true\nrepeats = \"median\"\n"), "{resolved}");
    // Read otherwise, the answers are others.
    sandbox.edit("llull.toml", "\"median\"", "\"first\"");
    sandbox.llull(&["run"]).ends(0).says(&["0 already in the ledger, 11 to ask"]);
    assert!(sandbox.read("labels.qrels").contains("q1 0 a4 1\n"));
}

#[test]
fn decimal_grades_of_a_reference() {
    let sandbox = tiny();
    sandbox.write("wild.qrels", WILD);
    sandbox.edit("llull.toml", "corpus =", "reference = \"wild.qrels\"\ncorpus =");
    sandbox.llull(&["run"]).ends(1).says(&["wild.qrels line 1", "2.6"]);
    let table = "reference = { file = \"wild.qrels\", round = true, repeats = \"votes\" }";
    sandbox.edit("llull.toml", "reference = \"wild.qrels\"", table);
    sandbox.llull(&["run"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["reference"]["agreement"]["both"], 11);
    assert_eq!(report["reference"]["agreement"]["exact"], 1.0);
    assert_eq!(report["reference"]["name"], "wild.qrels");
}

#[test]
fn a_run_of_three_columns() {
    let sandbox = tiny();
    let run = sandbox.llull(&["run"]).ends(0);
    let figures = |text: &str| {
        let report: serde_json::Value = serde_json::from_str(text).unwrap();
        report["systems"].clone()
    };
    let before = figures(&sandbox.read("report.json"));
    let three = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        format!("{} {} {}\n", words[0], words[2], words[3])
    };
    sandbox.write("new3.run", &sandbox.read("new.run").lines().map(three).collect::<String>());
    sandbox.edit("llull.toml", "run = \"new.run\"", "run = \"new3.run\"");
    let mapping = "new3.run: query = column 1, document = column 2, rank = column 3";
    sandbox.llull(&["run"]).ends(0).says(&[mapping]);
    assert_eq!(figures(&sandbox.read("report.json")), before, "{run}");
    sandbox.edit("llull.toml", "run = \"new3.run\"", "run = \"new3.run\"\nthird = \"rank\"");
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(figures(&sandbox.read("report.json")), before, "{run}");
}

#[test]
fn keys_that_do_not_belong_there_are_refused_with_their_line() {
    for (from, to, said) in [
        (
            "run = \"new.run\"",
            "run = \"new.run\"\nthird = \"tag\"",
            "third = \"tag\" is neither rank nor score",
        ),
        ("run = \"new.run\"", "retriever = \"bm25\"\nthird = \"rank\"", "`third` belongs to a `run`"),
        (
            "labels = \"known.qrels\"",
            "labels = \"known.qrels\"\nrepeats = \"all\"",
            "none of first, last, median",
        ),
        (
            "model = \"replay\"\nlabels = \"known.qrels\"",
            "model = \"similarity\"\nround = true",
            "to a replay judge",
        ),
        ("corpus =", "reference = { file = \"known.qrels\", repeats = 1 }\ncorpus =", "expected a string"),
        ("corpus =", "reference = { round = true }\ncorpus =", "missing field `file`"),
    ] {
        let sandbox = tiny();
        sandbox.edit("llull.toml", from, to);
        sandbox.llull(&["doctor", "--offline"]).ends(1).says(&[said, "line "]);
    }
}
