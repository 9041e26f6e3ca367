//! Comparing judges that cannot be: the file, the line and the remedy, before anything is asked.

use crate::comparing::compared_by;
use crate::sandbox::{REPLAY, Transcript};

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
    let belongs = "belongs to paradigm = \"pairwise\"";
    for (paradigm, tournament, parts) in [
        (
            "setwise",
            "",
            ["line 5: \"setwise\" is not a paradigm", "\"graded\", \"pairwise\" and \"listwise\""],
        ),
        ("listwise", "window = 1", ["line 9: tournament.window", "from 2 to 10000"]),
        ("pairwise", "window = 5", ["line 9: tournament.window", "set paradigm = \"listwise\""]),
        ("listwise", "window_tokens = 10", ["line 9: tournament.window_tokens", "from 100 to 100000000"]),
        ("listwise", "top = 0", ["line 9: tournament.top", "from 1 to 10000"]),
        ("listwise", "orders = 3", ["line 9: tournament.orders", "from 1 to 2"]),
        ("listwise", "schedule = \"fast\"", ["line 9: \"fast\" is not a schedule", "\"exhaustive\""]),
        ("listwise", "labels = \"linear\"", ["line 9: \"linear\" is not a scheme", "ordinal, geometric"]),
        ("listwise", "labels = \"binary(0)\"", ["line 9: \"binary(0)\" is not", "N at least 1"]),
        ("listwise", "labels = \"anchored\"", ["line 9: anchored labels need a judge", "[[graders]]\n"]),
        (
            "listwise",
            "lables = \"ordinal\"",
            ["line 9, column 1", "unknown field `lables`, expected one of `window`"],
        ),
        ("listwise", "neither = false", ["line 9: tournament.neither", belongs]),
        ("listwise", "double_check = true", ["line 9: tournament.double_check", belongs]),
        ("pairwise", "double_check = true\norders = 2", ["line 10: ", "remove tournament.orders"]),
    ] {
        wrong(REPLAY, paradigm, tournament).refused(1, &["error: llull.toml"]).refused(1, &parts);
    }
}

#[test]
fn judges_and_graders_that_cannot_be() {
    let graded = "choose a prompt that grades: graded, graded-direct, umbrela";
    for (lines, paradigm, parts) in [
        (
            "prompt = \"pairwise\"",
            "listwise",
            ["judge m: the prompt pairwise is pairwise", "set paradigm = \"pairwise\""],
        ),
        (
            "prompt = \"umbrela\"",
            "pairwise",
            ["judge m: the prompt umbrela grades", "choose one of pairwise"],
        ),
        (
            "prompt = \"listwise\"",
            "graded",
            ["judge m: the prompt listwise compares", "a prompt that grades: graded,"],
        ),
        ("prompt = \"blitz\"", "listwise", ["no prompt \"blitz\"", "or one that compares (pairwise,"]),
        ("weight = 2", "graded", ["llull.toml line 22: `weight`", "judges that compare"]),
        ("weight = 0", "listwise", ["llull.toml line 24: weight = 0", "from 0.000001 to 1000000"]),
    ] {
        wrong(&format!("{MODEL}{lines}\n"), paradigm, "").refused(1, &parts);
    }
    for (lines, parts) in [
        (
            "model = \"vllm/g\"\nprompt = \"listwise\"",
            ["judge g: the prompt listwise compares documents", graded],
        ),
        ("model = \"vllm/g\"\nweight = 2", ["llull.toml line 24: `weight`", "judges that compare"]),
        (
            "model = \"replay\"\nlabels = \"nowhere.qrels\"",
            ["llull.toml line 26: labels = \"nowhere.qrels\"", "no such file"],
        ),
    ] {
        wrong(&format!("{MODEL}[[graders]]\n{lines}\n"), "listwise", "labels = \"anchored\"")
            .refused(1, &parts);
    }
}
