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
fn nothing_to_retrieve() {
    tiny()
        .llull(&["retrieve"])
        .ends(0)
        .says(&["llull retrieves no system of this study; it would retrieve one with retriever = "]);
}
