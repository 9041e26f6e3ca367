//! `llull pool --retrieve`

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
    check!(sandbox.llull(&["pool", "--retrieve", "--show", "2"]).ends(0));
    assert_eq!(sandbox.read(".llull/runs/words.run").lines().next().unwrap().split(' ').count(), 6);
}

#[test]
fn json() {
    let output =
        with_retrievers().llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!((&output[0]["system"], &output[1]["queries"]), (&"words".into(), &3.into()));
}

#[test]
fn nothing_to_retrieve() {
    tiny()
        .llull(&["pool", "--retrieve"])
        .ends(0)
        .says(&["llull retrieves no system of this study; it would retrieve one with retriever = "]);
}

/// Vectors need weights, which this machine may lack; joining runs needs nothing.
#[test]
fn a_hybrid_joins_runs() {
    let sandbox = with_retrievers();
    let hybrid =
        "[[systems]]\nname = \"both\"\nretriever = \"hybrid\"\nof = [\"words\", \"pieces\"]\n\n[[judges]]";
    sandbox.edit("llull.toml", "[[judges]]", hybrid);
    sandbox.llull(&["pool", "--retrieve"]).ends(0).says(&["both", ".llull/runs/both.run"]);
    let run = |name: &str| sandbox.read(&format!(".llull/runs/{name}.run"));
    let first = |name: &str| run(name).lines().next().unwrap().split(' ').nth(2).unwrap().to_owned();
    assert_eq!(first("both"), first("words"));
    // 1 / 61 for each of two runs that have it first
    assert!(run("both").lines().next().unwrap().contains(" 0.0327868"), "{}", run("both"));
    sandbox.llull(&["pool"]).ends(0).says(&["both"]);
}

#[test]
fn a_dense_system_without_a_model() {
    let sandbox = tiny();
    sandbox.edit(
        "llull.toml",
        "[[judges]]",
        "[[systems]]\nname = \"near\"\nretriever = \"dense\"\n\n[[judges]]",
    );
    sandbox
        .llull(&["pool", "--retrieve"])
        .ends(1)
        .says(&["minilm is not on this machine", "llull models add minilm"]);
    sandbox
        .llull(&["pool"])
        .ends(1)
        .says(&["nothing is retrieved for system near yet", "llull pool --retrieve"]);
}

#[test]
fn what_a_system_cannot_be() {
    for (table, said) in [
        ("retriever = \"dense\"\nencoder = \"openai/e\"", "there is \"minilm\""),
        ("retriever = \"dense\"\nk1 = 1.0", "`k1` and `b` are BM25's"),
        ("retriever = \"bm25\"\nencoder = \"minilm\"", "`encoder` belongs to retriever = \"dense\""),
        ("retriever = \"ngram\"\nlanguage = \"german\"", "`language` belongs to retriever = \"bm25\""),
        ("retriever = \"bm25\"\nlanguage = \"klingon\"", "\"klingon\" is not a language that bm25 knows"),
        ("retriever = \"bm25\"\nof = [\"a\", \"b\"]", "`of` belongs to retriever = \"hybrid\""),
        ("retriever = \"hybrid\"", "combines two or more other systems"),
        ("retriever = \"hybrid\"\nof = [\"first\", \"first\"]", "each once"),
        (
            "retriever = \"hybrid\"\nof = [\"first\", \"nobody\"]",
            "of \"nobody\", and there is no such system",
        ),
        ("retriever = \"hybrid\"\nof = [\"first\", \"x\"]", "of \"x\", and that is a hybrid itself"),
        ("retriever = \"fts5\"\nk1 = 1.0", "fts5 has SQLite's own"),
        ("retriever = \"postgres\"", "either a `table`"),
        (
            "retriever = \"postgres\"\npostgres = { sql = \"SELECT 1 AS id\" }\nk1 = 1.0",
            "settings of retriever = \"postgres\" in `postgres",
        ),
        ("retriever = \"bm25\"\npostgres = { table = \"x\" }", "`postgres` belongs to"),
        (
            "retriever = \"splade\"",
            "there are \"bm25\", \"ngram\", \"fts5\", \"dense\", \"hybrid\" and \"postgres\"",
        ),
    ] {
        let sandbox = tiny();
        let system = format!("[[systems]]\nname = \"x\"\n{table}\n\n[[judges]]");
        sandbox.edit("llull.toml", "[[judges]]", &system.replace("first", "old"));
        sandbox.llull(&["pool"]).ends(1).says(&[said]);
    }
}
