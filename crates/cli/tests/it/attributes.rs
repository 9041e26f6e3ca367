//! Pairs that are asked about field by field: what is asked, what it costs, and what it leaves as it was.

use llull_testkit::{FaultPlan, FaultyServer, Taste};

use crate::comparing::compared_at;
use crate::sandbox::Sandbox;

pub(crate) fn server() -> FaultyServer {
    FaultyServer::start(FaultPlan {
        taste: Taste::Merit,
        record: true,
        delay_ms: 2..=3,
        ..FaultPlan::default()
    })
    .unwrap()
}

/// The tiny study, compared in pairs, with the built-in rubric in a file. Two documents have no brand.
pub(crate) fn study(server: &FaultyServer) -> Sandbox {
    let sandbox = compared_at(server, "pairwise", "");
    sandbox.write("rubric.md", include_str!("../../../../rubrics/default.md"));
    sandbox.edit("llull.toml", "topics = \"topics.tsv\"", "topics = \"topics.tsv\"\nrubric = \"rubric.md\"");
    let corpus = sandbox.read("corpus.jsonl");
    let branded = corpus.lines().enumerate().map(|(at, line)| match at {
        0 | 5 => format!("{line}\n"),
        _ => format!("{{\"brand\":\"house {}\",{}\n", at % 3, &line[1..]),
    });
    sandbox.write("corpus.jsonl", &branded.collect::<String>());
    sandbox.edit(
        "llull.toml",
        "corpus = \"corpus.jsonl\"",
        "corpus = { file = \"corpus.jsonl\", ignore = \"brand\" }",
    );
    sandbox
}

fn ask_about(sandbox: &Sandbox, lines: &str) {
    sandbox.edit("rubric.md", "cutoff = 2\n", &format!("cutoff = 2\n{lines}\n"));
}

#[test]
fn a_rubric_with_attributes_keeps_its_answers_and_asks_about_each_field() {
    let server = server();
    let mut sandbox = study(&server);
    sandbox.llull(&["run"]).ends(0);
    let (asked, labels) = (server.served().total(), sandbox.read("labels.qrels"));
    ask_about(&sandbox, "attributes = [\"title\", \"brand\"]\nmodes = [\"neither\", \"forced@2\"]");
    sandbox
        .llull(&["run", "--dry-run"])
        .ends(0)
        .rows(&[
            "judge questions judged unusable given up no text to ask from the ledger",
            "served 13 13 0 0 0 0 13",
            "served:title:forced 26 0 0 0 0 26 0",
            "served:title 13 0 0 0 0 13 0",
            "served:brand:forced 26 0 0 0 12 14 0",
            "served:brand 13 0 0 0 6 7 0",
            "served:all:forced 26 0 0 0 0 26 0",
            "served: nothing is left to ask",
        ])
        .says(&[
            "served:brand: 7 requests, about 6,873 tokens",
            "2 of 11 pooled documents have no \"brand\"",
        ]);
    assert_eq!(server.served().total(), asked, "a dry run asks nothing");
    sandbox.set("LLULL_CONCURRENCY", "1");
    sandbox.llull(&["run", "--no-report", "--max-calls", "5"]).ends(3);
    assert_eq!(server.served().total(), asked + 5);
    sandbox
        .llull(&["run", "--no-report"])
        .ends(0)
        .rows(&[
            "judge questions judged unusable given up no text not asked from the ledger",
            "served 13 13 0 0 0 0 13",
            "served:title:forced 26 26 0 0 0 0 5",
            "served:title 13 13 0 0 0 0 0",
            "served:brand:forced 26 14 0 0 12 0 0",
            "served:brand 13 7 0 0 6 0 0",
            "served:all:forced 26 26 0 0 0 0 0",
        ])
        .says(&["1 with the same texts as another, sent once, 12 without a text, 13 to ask"]);
    let all = server.served().total();
    sandbox.llull(&["run"]).ends(0).says(&["2 of 11 pooled documents have no \"brand\""]);
    assert_eq!(
        (server.served().total(), sandbox.read("labels.qrels")),
        (all, labels),
        "nothing else changes"
    );
    assert!(server.requests().iter().any(|one| one.body.to_string().contains("title: Passkeys")));
}

#[test]
fn what_cannot_be_asked_about_is_said() {
    let server = server();
    for (lines, parts) in [
        (
            "attributes = [\"price\"]",
            ["corpus.jsonl: no document has the field \"price\"", "id, title, text, brand"],
        ),
        ("attributes = [\"all\"]", ["rubric.md:5: \"all\" is no field", "name one of the corpus"]),
        ("attributes = [\"title\", \"title\"]", ["rubric.md:5: ", "\"title\" is named twice"]),
        ("modes = [\"forced\"]", ["rubric.md:5: `modes`", "name the fields"]),
        (
            "attributes = [\"title\"]\nmodes = [\"often\"]",
            ["rubric.md:6: \"often\" is no mode", "\"forced@2\""],
        ),
    ] {
        let sandbox = study(&server);
        ask_about(&sandbox, lines);
        sandbox.llull(&["run", "--dry-run"]).refused(1, &parts);
    }
    let sandbox = study(&server);
    ask_about(&sandbox, "attributes = [\"title\"]");
    sandbox.edit("llull.toml", "paradigm = \"pairwise\"", "paradigm = \"listwise\"");
    sandbox.llull(&["run", "--dry-run"]).ends(0).says(&["only language models that compare pairs"]);
}

#[test]
fn a_field_that_attributes_ask_about_is_not_called_unread() {
    let server = server();
    let sandbox = study(&server);
    sandbox.edit("llull.toml", ", ignore = \"brand\"", "");
    let unread = "the field \"brand\" is not part of the text";
    let doctor = sandbox.llull(&["doctor", "--offline"]).to_string();
    assert!(doctor.contains(unread), "{doctor}");
    ask_about(&sandbox, "attributes = [\"brand\"]");
    let doctor = sandbox.llull(&["doctor", "--offline"]).to_string();
    assert!(!doctor.contains(unread), "{doctor}");
}
