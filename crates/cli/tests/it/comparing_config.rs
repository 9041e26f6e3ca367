//! Comparing judges that cannot be: the file, the line and the remedy, before anything is asked.

use crate::comparing::compared_by;
use crate::sandbox::{REPLAY, Transcript, check};

const MODEL: &str = "[[judges]]\nmodel = \"vllm/m\"\n";

#[track_caller]
fn wrong(judges: &str, paradigm: &str, tournament: &str) -> Transcript {
    let sandbox = compared_by(judges, paradigm, tournament);
    let transcript = sandbox.llull(&["run"]).ends(1);
    assert!(!sandbox.path(".llull/ledger.sqlite").exists(), "nothing was done");
    transcript
}

#[test]
fn a_paradigm_that_is_none() {
    check!(wrong(REPLAY, "setwise", ""));
    check!(compared_by(REPLAY, "listwise", "").llull(&["run", "--paradigm", "boolean"]).ends(2));
}

#[test]
fn windows_that_are_none() {
    check!(wrong(REPLAY, "listwise", "window = 1"));
    check!(wrong(REPLAY, "pairwise", "window = 5"));
    check!(wrong(REPLAY, "listwise", "window_tokens = 10"));
    check!(wrong(REPLAY, "listwise", "top = 0"));
    check!(wrong(REPLAY, "listwise", "orders = 3"));
}

#[test]
fn schedules_and_labels_that_are_none() {
    check!(wrong(REPLAY, "listwise", "schedule = \"fast\""));
    check!(wrong(REPLAY, "listwise", "labels = \"linear\""));
    check!(wrong(REPLAY, "listwise", "labels = \"binary(0)\""));
    check!(wrong(REPLAY, "listwise", "labels = \"anchored\""));
    check!(wrong(REPLAY, "listwise", "lables = \"ordinal\""));
}

#[test]
fn what_belongs_to_pairs() {
    check!(wrong(REPLAY, "listwise", "neither = false"));
    check!(wrong(REPLAY, "listwise", "double_check = true"));
    check!(wrong(REPLAY, "pairwise", "double_check = true\norders = 2"));
}

#[test]
fn prompts_of_another_paradigm() {
    check!(wrong(&format!("{MODEL}prompt = \"pairwise\"\n"), "listwise", ""));
    check!(wrong(&format!("{MODEL}prompt = \"umbrela\"\n"), "pairwise", ""));
    check!(wrong(&format!("{MODEL}prompt = \"listwise\"\n"), "graded", ""));
    check!(wrong(&format!("{MODEL}prompt = \"blitz\"\n"), "listwise", ""));
}

#[test]
fn what_belongs_to_judges_that_compare() {
    check!(wrong(&format!("{MODEL}weight = 2\n"), "graded", ""));
    check!(wrong(&format!("{MODEL}logprobs = true\n"), "graded", ""));
    check!(wrong(&format!("{MODEL}weight = 0\n"), "listwise", ""));
}

#[test]
fn graders_that_are_none() {
    let graders = |lines: &str| format!("{MODEL}[[graders]]\n{lines}\n");
    check!(wrong(&graders("model = \"vllm/g\"\nprompt = \"listwise\""), "listwise", "labels = \"anchored\""));
    check!(wrong(&graders("model = \"vllm/g\"\nweight = 2"), "listwise", "labels = \"anchored\""));
    check!(wrong(
        &graders("model = \"replay\"\nlabels = \"nowhere.qrels\""),
        "listwise",
        "labels = \"anchored\""
    ));
}
