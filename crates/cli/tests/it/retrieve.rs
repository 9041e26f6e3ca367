//! `llull retrieve`

use crate::sandbox::{Sandbox, check, tiny};

fn with_retrievers() -> Sandbox {
    let sandbox = tiny();
    let systems = "[[systems]]\nname = \"words\"\nretriever = \"bm25\"\n\n[[systems]]\nname = \"pieces\"\n\
        retriever = \"ngram\"\nfields = [\"text\"]\n\n[[judges]]";
    sandbox.edit("llull.toml", "[[judges]]", systems);
    sandbox
}

#[test]
fn the_study_s_own_retrievers() {
    let sandbox = with_retrievers();
    check!(sandbox.llull(&["retrieve", "--show", "2"]).ends(0));
    assert_eq!(sandbox.read(".llull/runs/words.run").lines().next().unwrap().split(' ').count(), 6);
}

#[test]
fn json() {
    let output = with_retrievers().llull(&["retrieve", "--json"]).ends(0).json();
    assert_eq!((&output[0]["system"], &output[1]["queries"]), (&"words".into(), &3.into()));
}

#[test]
fn a_run_is_made_again_when_the_queries_change_and_not_before() {
    let sandbox = with_retrievers();
    sandbox.llull(&["retrieve"]).ends(0);
    sandbox.write(".llull/runs/words.run", "q1 Q0 a1 1 1 mark\n");
    sandbox.llull(&["retrieve"]).ends(0);
    assert!(sandbox.read(".llull/runs/words.run").contains("mark"));
    sandbox.edit("topics.tsv", "delete my account", "delete my project");
    sandbox.llull(&["retrieve"]).ends(0);
    assert!(!sandbox.read(".llull/runs/words.run").contains("mark"));
}

#[test]
fn nothing_to_retrieve() {
    check!(tiny().llull(&["retrieve"]).ends(0));
}
