//! An `llull.toml`, rubric or prompt that cannot be: the file, the line and the remedy.

use crate::sandbox::{Sandbox, Transcript, check, several, tiny, tiny_judged_by};

/// The tiny study with one thing changed.
fn with(from: &str, to: &str) -> Transcript {
    let sandbox = tiny();
    sandbox.edit("llull.toml", from, to);
    let transcript = sandbox.llull(&["run"]).ends(1);
    assert!(
        !sandbox.path("report.md").exists() && !sandbox.path(".llull/ledger.sqlite").exists(),
        "nothing was done"
    );
    transcript
}

#[test]
fn no_study_here() {
    check!(several(&[
        Sandbox::new().llull(&["run"]).ends(1),
        Sandbox::new().llull(&["-C", "elsewhere", "measure"]).ends(1)
    ]));
}

#[test]
fn what_a_configuration_cannot_say() {
    let mut said = Vec::new();
    for (from, to) in [
        ("[pool]", "[pool"),
        ("corpus = ", "corpsu = "),
        ("depth = 3", "deph = 3"),
        ("version = 1", "version = 2"),
        ("topics = \"topics.tsv\"\n", ""),
        ("name = \"new\"", "name = \"old\""),
        ("run = \"new.run\"", ""),
        ("run = \"new.run\"", "retriever = \"bm52\""),
        ("\"nDCG@3\"", "\"nDGC@3\""),
        ("\"nDCG@3\"", "\"P\""),
        ("\"nDCG@3\"", "\"nDCG@0\""),
        ("\"nDCG@3\"", "\"P(rel=x)@1\""),
        ("[pool]", "[compare]\nbaseline = \"odl\"\n\n[pool]"),
        ("depth = 3", "depth = 0"),
        ("[pool]", "[compare]\nconfidence = 95\n\n[pool]"),
        ("[pool]", "[compare]\nresamples = 10\n\n[pool]"),
        ("[pool]", "[compare]\nconfidence = 0.9999\n\n[pool]"),
        ("[pool]", "[budget]\nusd = -1.0\n\n[pool]"),
        ("[pool]", "[alarms]\nposition_flips = \"<= 0.2\"\n\n[pool]"),
        ("[pool]", "[alarms]\nkappa = \"0.2\"\n\n[pool]"),
        ("[pool]", "[alarms]\nkappa = 0.2\n\n[pool]"),
    ] {
        said.push(with(from, to));
    }
    check!(several(&said));
}

#[test]
fn files_that_are_not_there() {
    check!(several(&[
        with("topics.tsv", "topcis.tsv"),
        with("old.run", "odl.run"),
        with("known.qrels", "unknown.qrels"),
        with("measures", "rubric = \"rubrik.md\"\nmeasures"),
        with("measures", "reference = \"human.qrels\"\nmeasures")
    ]));
}

#[test]
fn judges_that_are_none() {
    check!(several(&[
        tiny_judged_by("[[judges]]\nname = \"x\"\n").llull(&["run"]).ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"gpt-4o\"\n").llull(&["run"]).ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"opnai/gpt-4o\"\n").llull(&["run"]).ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"openai/gpt-4o\"\n").llull(&["run"]).ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"similarity\"\nprompt = \"graded\"\n").llull(&["run"]).ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"localhost:8000\"\n")
            .llull(&["run"])
            .ends(1),
        tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\ntimeout = 0\n").llull(&["run"]).ends(1),
        tiny().llull(&["run", "--judge", "nobody"]).ends(1)
    ]));
}

#[test]
fn a_prompt_that_is_none() {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nprompt = \"mine.j2\"\n");
    let mut said = vec![sandbox.llull(&["prompt"]).ends(1)];
    let head = "+++\nversion = 1\nname = \"mine\"\ndescription = \"short\"\nanswer = \"grade\"\n+++\n";
    sandbox.write("mine.j2", &format!("{head}[user]\n{{{{ document }}}} for\n{{{{ qeury }}}}?\n"));
    said.push(sandbox.llull(&["prompt"]).ends(1));
    said.push(sandbox.llull(&["prompt", "--prompt", "gradde"]).ends(2));
    check!(several(&said));
}

#[test]
fn a_rubric_with_a_gap() {
    let sandbox = tiny();
    sandbox.llull(&["init", "other"]).ends(0);
    sandbox.write("rubric.md", &sandbox.read("other/rubric.md").replace("grade = 2", "grade = 4"));
    sandbox.edit("llull.toml", "measures", "rubric = \"rubric.md\"\nmeasures");
    sandbox
        .llull(&["run"])
        .ends(1)
        .says(&["error: rubric.md:22: no grade is defined between 1 and 3; a scale has every whole number"]);
}

#[test]
fn an_environment_that_says_nonsense() {
    let mut sandbox = tiny();
    sandbox.set("LLULL_SEED", "forty-two");
    sandbox.llull(&["run"]).ends(1).says(&[
        "error: LLULL_SEED=\"forty-two\" in the environment is not a whole number; set one or unset it",
    ]);
}
