//! `llull prompt`

use crate::sandbox::{check, tiny};

#[test]
fn the_first_pair() {
    let sandbox = tiny();
    check!(sandbox.llull(&["prompt", "--judge", "openai/m"]).ends(0));
    let umbrela =
        ["prompt", "--judge", "openai/m", "--prompt", "umbrela", "--query", "q2", "--document", "b3"];
    let shown = sandbox.llull(&umbrela).ends(0);
    shown.says(&["You rate how well a passage serves a search query, as a careful relevance assessor does."]);
}

/// Requests that are no judge's: for facts, for a question, and about a rubric's attributes.
#[test]
fn every_kind_of_request_has_a_preview() {
    let sandbox = tiny();
    let facts = sandbox.llull(&["prompt", "--facts", "Bern, on the Aare"]).ends(0);
    facts.says(&["the answer: about", "Bern, on the Aare", "--- system ---", "--- reply's schema ---"]);
    let question = sandbox.llull(&["prompt", "--synthesize", "corpus.jsonl", "--category", "detail"]).ends(0);
    question.says(&["detail", "--- user ---", "\"question\""]);
    sandbox.llull(&["prompt", "--category", "detail"]).ends(2);
    sandbox.llull(&["prompt", "--facts", "x", "--judge", "openai/m"]).ends(2);
    sandbox.llull(&["prompt", "--synthesize", "nowhere.jsonl"]).refused(1, &["nowhere.jsonl"]);
    let rubric = include_str!("../../../../rubrics/default.md");
    sandbox.write("rubric.md", &rubric.replace("cutoff = 2\n", "cutoff = 2\nattributes = [\"title\"]\n"));
    sandbox.edit("llull.toml", "measures", "rubric = \"rubric.md\"\nparadigm = \"pairwise\"\nmeasures");
    let judges = sandbox.llull(&["prompt", "--judge", "openai/m", "--json"]).ends(0).json();
    let names: Vec<&str> =
        judges.as_array().unwrap().iter().map(|one| one["judge"].as_str().unwrap()).collect();
    assert_eq!(names, ["m", "m:title"]);
    assert!(judges[1]["messages"].to_string().contains("title: Forgotten password"), "{judges}");
}

/// They used to be taken, and had no effect.
#[test]
fn limits_of_asking_are_refused_where_nothing_is_asked() {
    let sandbox = tiny();
    for flag in ["--max-calls", "--max-usd"] {
        let refused = sandbox.llull(&["prompt", "--judge", "openai/m", flag, "1"]).ends(2);
        refused.says(&["unexpected argument", flag]);
    }
}

#[test]
fn a_template_of_one_s_own() {
    let sandbox = tiny();
    sandbox.write("mine.md", MINE);
    let shown = sandbox.llull(&["prompt", "--judge", "openai/m", "--prompt", "mine.md"]).ends(0).says(&[
        "--- user ---\nIs <document-",
        ">\nForgotten password\nChoose Forgot password on the sign-in page",
        ">\nreset a forgotten password\n</query-",
        ">? Say 0, 1, 2 or 3.\n",
        "\"required\": [\n    \"grade\"\n  ]",
        "judge m, query q1, document a1: about 92 tokens",
    ]);
    assert!(!shown.stdout.contains("--- system ---"), "{shown}");
}

const MINE: &str = "+++\nversion = 1\nname = \"mine\"\ndescription = \"short\"\nanswer = \"grade\"\n+++\n[user]\n\
    Is {{ document }} good for {{ query }}? Say {{ choices }}.\n";

#[test]
fn a_document_that_is_too_long_is_cut_and_it_is_said() {
    let sandbox = tiny();
    sandbox.edit(
        "corpus.jsonl",
        "A password has at least twelve characters.",
        &"A password is long. ".repeat(400),
    );
    let transcript =
        sandbox.llull(&["prompt", "--judge", "openai/m", "--query", "q1", "--document", "a2"]).ends(0);
    assert!(transcript.stderr.contains("tokens of the document are cut"), "{transcript}");
}

#[test]
fn nobody_to_send_it_to() {
    tiny()
        .llull(&["prompt"])
        .ends(1)
        .says(&["error: no judge of this study is a language model, so there is no prompt; add --judge"]);
}

#[test]
fn a_document_or_query_that_is_not_there() {
    let prompt = |flag: &str, id: &str| tiny().llull(&["prompt", "--judge", "openai/m", flag, id]);
    prompt("--document", "zz").refused(1, &["document \"zz\" is not in corpus.jsonl"]);
    prompt("--query", "q9").refused(1, &["query \"q9\" is not in topics.tsv"]);
}
