//! Comparing judges that cannot be: the file, the line and the remedy, before anything is asked.

use crate::comparing::compared_by;
use crate::sandbox::{REPLAY, Transcript, check, several};

const MODEL: &str = "[[judges]]\nmodel = \"vllm/m\"\n";

#[track_caller]
fn wrong(judges: &str, paradigm: &str, tournament: &str) -> Transcript {
    let sandbox = compared_by(judges, paradigm, tournament);
    let transcript = sandbox.llull(&["run"]).ends(1);
    assert!(!sandbox.path(".llull/ledger.sqlite").exists(), "nothing was done");
    transcript
}

#[test]
fn tournaments_that_cannot_be() {
    let mut said = Vec::new();
    for (paradigm, tournament) in [
        ("setwise", ""),
        ("listwise", "window = 1"),
        ("pairwise", "window = 5"),
        ("listwise", "window_tokens = 10"),
        ("listwise", "top = 0"),
        ("listwise", "orders = 3"),
        ("listwise", "schedule = \"fast\""),
        ("listwise", "labels = \"linear\""),
        ("listwise", "labels = \"binary(0)\""),
        ("listwise", "labels = \"anchored\""),
        ("listwise", "lables = \"ordinal\""),
        ("listwise", "neither = false"),
        ("listwise", "double_check = true"),
        ("pairwise", "double_check = true\norders = 2"),
    ] {
        said.push(wrong(REPLAY, paradigm, tournament));
    }
    check!(several(&said));
}

#[test]
fn judges_and_graders_that_cannot_be() {
    let mut said = Vec::new();
    for (lines, paradigm) in [
        ("prompt = \"pairwise\"", "listwise"),
        ("prompt = \"umbrela\"", "pairwise"),
        ("prompt = \"listwise\"", "graded"),
        ("prompt = \"blitz\"", "listwise"),
        ("weight = 2", "graded"),
        ("logprobs = true", "graded"),
        ("weight = 0", "listwise"),
    ] {
        said.push(wrong(&format!("{MODEL}{lines}\n"), paradigm, ""));
    }
    for lines in [
        "model = \"vllm/g\"\nprompt = \"listwise\"",
        "model = \"vllm/g\"\nweight = 2",
        "model = \"replay\"\nlabels = \"nowhere.qrels\"",
    ] {
        said.push(wrong(&format!("{MODEL}[[graders]]\n{lines}\n"), "listwise", "labels = \"anchored\""));
    }
    check!(several(&said));
}
