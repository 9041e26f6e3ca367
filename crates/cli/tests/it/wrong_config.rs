//! An `llull.toml`, rubric or prompt that cannot be: the file, the line and the remedy.

use crate::sandbox::{Sandbox, Transcript, check, tiny, tiny_judged_by};

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
    check!(Sandbox::new().llull(&["run"]).ends(1));
    check!(Sandbox::new().llull(&["-C", "elsewhere", "measure"]).ends(1));
}

#[test]
fn not_toml() {
    check!(with("[pool]", "[pool"));
}

#[test]
fn an_unknown_key() {
    check!(with("corpus = ", "corpsu = "));
    check!(with("depth = 3", "deph = 3"));
}

#[test]
fn another_version() {
    check!(with("version = 1", "version = 2"));
}

#[test]
fn no_topics() {
    check!(with("topics = \"topics.tsv\"\n", ""));
}

#[test]
fn files_that_are_not_there() {
    check!(with("topics.tsv", "topcis.tsv"));
    check!(with("old.run", "odl.run"));
    check!(with("known.qrels", "unknown.qrels"));
    check!(with("measures", "rubric = \"rubrik.md\"\nmeasures"));
    check!(with("measures", "reference = \"human.qrels\"\nmeasures"));
}

#[test]
fn two_systems_of_one_name() {
    check!(with("name = \"new\"", "name = \"old\""));
}

#[test]
fn a_system_that_is_neither_run_nor_retriever() {
    check!(with("run = \"new.run\"", ""));
    check!(with("run = \"new.run\"", "retriever = \"bm52\""));
}

#[test]
fn measures_that_are_none() {
    check!(with("\"nDCG@3\"", "\"nDGC@3\""));
    check!(with("\"nDCG@3\"", "\"P\""));
    check!(with("\"nDCG@3\"", "\"nDCG@0\""));
    check!(with("\"nDCG@3\"", "\"P(rel=x)@1\""));
}

#[test]
fn a_baseline_that_is_no_system() {
    check!(with("[pool]", "[compare]\nbaseline = \"odl\"\n\n[pool]"));
}

#[test]
fn numbers_out_of_range() {
    check!(with("depth = 3", "depth = 0"));
    check!(with("[pool]", "[compare]\nconfidence = 95\n\n[pool]"));
    check!(with("[pool]", "[compare]\nresamples = 10\n\n[pool]"));
    check!(with("[pool]", "[compare]\nconfidence = 0.9999\n\n[pool]"));
    check!(with("[pool]", "[budget]\nusd = -1.0\n\n[pool]"));
}

#[test]
fn judges_that_are_none() {
    check!(tiny_judged_by("[[judges]]\nname = \"x\"\n").llull(&["run"]).ends(1));
    check!(tiny_judged_by("[[judges]]\nmodel = \"gpt-4o\"\n").llull(&["run"]).ends(1));
    check!(tiny_judged_by("[[judges]]\nmodel = \"opnai/gpt-4o\"\n").llull(&["run"]).ends(1));
    check!(tiny_judged_by("[[judges]]\nmodel = \"openai/gpt-4o\"\n").llull(&["run"]).ends(1));
    check!(
        tiny_judged_by("[[judges]]\nmodel = \"similarity\"\nprompt = \"graded\"\n").llull(&["run"]).ends(1)
    );
    check!(
        tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"localhost:8000\"\n")
            .llull(&["run"])
            .ends(1)
    );
    check!(tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\ntimeout = 0\n").llull(&["run"]).ends(1));
    check!(tiny().llull(&["run", "--judge", "nobody"]).ends(1));
}

#[test]
fn a_prompt_that_is_none() {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nprompt = \"mine.j2\"\n");
    check!(sandbox.llull(&["prompt"]).ends(1));
    let head = "+++\nversion = 1\nname = \"mine\"\ndescription = \"short\"\nanswer = \"grade\"\n+++\n";
    sandbox.write("mine.j2", &format!("{head}[user]\n{{{{ document }}}} for\n{{{{ qeury }}}}?\n"));
    check!(sandbox.llull(&["prompt"]).ends(1));
    check!(sandbox.llull(&["prompt", "--prompt", "gradde"]).ends(2));
}

#[test]
fn a_rubric_with_a_gap() {
    let sandbox = tiny();
    sandbox.llull(&["init", "other"]).ends(0);
    sandbox.write("rubric.md", &sandbox.read("other/rubric.md").replace("grade = 2", "grade = 4"));
    sandbox.edit("llull.toml", "measures", "rubric = \"rubric.md\"\nmeasures");
    check!(sandbox.llull(&["run"]).ends(1));
}

#[test]
fn an_environment_that_says_nonsense() {
    let mut sandbox = tiny();
    sandbox.set("LLULL_SEED", "forty-two");
    check!(sandbox.llull(&["run"]).ends(1));
}
