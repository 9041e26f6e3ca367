//! What a server that retrieves can do wrong, and what llull makes of it.

use std::time::Duration;

use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::retrieval_servers::{KEY, search, study, template};
use crate::sandbox::{Sandbox, Transcript, files_with};

/// A server that answers the first query well, and the second like this.
fn second(
    answer: impl Fn(&ServerRequest) -> ServerAnswer + Send + Sync + 'static,
) -> (AnsweringServer, Sandbox) {
    let server = AnsweringServer::start(move |arrived| match arrived.text.contains("dogs") {
        true => answer(arrived),
        false => search(arrived),
    });
    let server = server.unwrap();
    let sandbox = study(&template(&server.url()));
    (server, sandbox)
}

/// Only the second query is lost, it is said why, and no key is anywhere.
#[track_caller]
fn loses_the_second(sandbox: &Sandbox, why: &[&str]) -> Transcript {
    let said =
        sandbox.llull(&["pool", "--retrieve"]).ends(3).says(&["live did not answer query q2: "]).says(why);
    assert!(!said.to_string().contains("answer query q1"), "{said}");
    no_key(sandbox, &said);
    assert_eq!(sandbox.read(".llull/runs/live.results").lines().count(), 2);
    said
}

#[track_caller]
fn no_key(sandbox: &Sandbox, said: &Transcript) {
    assert!(!said.to_string().contains(KEY), "{said}");
    assert!(files_with(&sandbox.path(""), KEY).is_empty());
}

fn replies(reply: Value) -> impl Fn(&ServerRequest) -> ServerAnswer {
    move |_| ServerAnswer::json(&reply)
}

#[test]
fn the_server_is_down() {
    let (server, sandbox) = second(search);
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    let kept = sandbox.read(".llull/runs/live.results");
    let _port = server.refuse().unwrap();
    sandbox.llull(&["pool", "--refresh"]).ends(1).says(&[
        "system live: none of 2 queries was answered; the first: http://127.0.0.1:",
        "onnection refused",
        "gave up after 2 attempts. Earlier results stay saved",
    ]);
    assert_eq!(sandbox.read(".llull/runs/live.results"), kept);
    sandbox.llull(&["run"]).ends(0);
}

#[test]
fn the_server_is_slow() {
    let slow = |arrived: &ServerRequest| ServerAnswer { after: Duration::from_secs(60), ..search(arrived) };
    let (_server, sandbox) = second(slow);
    sandbox.edit("llull.toml", "retries = 1", "retries = 0\ntimeout = 10");
    loses_the_second(&sandbox, &["no reply within 10 s"]);
}

#[test]
fn a_reply_of_another_form() {
    for (answer, why) in [
        (
            ServerAnswer::json(&json!({"error": "busy"})),
            "the reply has no list at \"/hits\": it is {\"error\":\"busy\"}",
        ),
        (ServerAnswer::json(&json!({"hits": [{"score": 1}]})), "result 1: it has no identifier at \"/id\""),
        (ServerAnswer::json(&json!({"hits": [{"id": "d", "score": "x"}]})), "is \"x\", and no number"),
        (ServerAnswer::status(200, "<html>Bad \u{1b}[31mGateway</html>"), "the reply is no JSON"),
        (ServerAnswer::status(200, b"\xff{".to_vec()), "the reply is no text of UTF-8"),
        (ServerAnswer::status(200, format!("{{\"error\": \"{KEY}\"}}")), "the reply has no list"),
        (ServerAnswer::status(400, format!("{{\"message\": \"bad {KEY}\"}}")), "HTTP 400: bad [key]"),
        (ServerAnswer::status(413, ""), "HTTP 413"),
    ] {
        let (server, sandbox) = second(move |_| answer.clone());
        let said = loses_the_second(&sandbox, &[why]);
        assert!(!said.to_string().contains('\u{1b}'), "{said}");
        assert_eq!(server.arrived().len(), 2, "what would fail again is not sent again");
    }
}

#[test]
fn nothing_is_found() {
    let (_server, sandbox) = second(replies(json!({"hits": []})));
    let json = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!((&json[0]["documents"], &json[0]["failed"]), (&2.into(), &0.into()));
    sandbox.llull(&["run"]).ends(0);
}

/// Pieces of one document: it counts once, at its better place.
#[test]
fn a_document_is_found_twice() {
    let twice = json!({"hits": [
        {"id": "d2", "score": 3.0, "doc": {"text": "Dogs bark."}},
        {"id": "d2", "score": 2.0, "doc": {"text": "Dogs bark loudly."}},
        {"id": "d1", "score": 1.0, "doc": {"text": "Cats purr when they are content."}},
    ]});
    let (_server, sandbox) = second(replies(twice));
    let json = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!(json[0]["documents"], 4);
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("labels.qrels").contains("q2 0 d2 3"), "{}", sandbox.read("labels.qrels"));
}

#[test]
fn a_document_without_text() {
    let bare =
        json!({"hits": [{"id": "d9", "score": 3.0}, {"id": "d8", "score": 2.0, "doc": {"text": " "}}]});
    let (_server, sandbox) = second(replies(bare));
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    let said = sandbox.llull(&["run"]).ends(1);
    said.says(&["document \"d9\" of query \"q2\" is not in the results of the systems, nor are 1 more"]);
    let corpus =
        ["d1", "d2", "d8", "d9"].map(|id| format!("{{\"id\": \"{id}\", \"text\": \"dogs of {id}\"}}\n"));
    sandbox.write("corpus.jsonl", &corpus.concat());
    sandbox.edit("llull.toml", "[retrieve]", "corpus = \"corpus.jsonl\"\n[retrieve]");
    sandbox.llull(&["run"]).ends(0);
}

#[test]
fn a_document_of_fifty_megabytes() {
    let large = |_: &ServerRequest| {
        let text = "x".repeat(50_000_000);
        ServerAnswer::json(&json!({"hits": [{"id": "d2", "score": 1.0, "doc": {"text": text}}]}))
    };
    let (server, sandbox) = second(large);
    loses_the_second(
        &sandbox,
        &["the answer is longer than 32 MiB, which is the most that is read: ask for fewer results"],
    );
    assert_eq!(server.arrived().len(), 2, "it would be as long again");
    assert!(sandbox.read(".llull/runs/live.results").len() < 1000);
}

#[test]
fn hostile_text() {
    let hostile = "<script>alert(1)</script>\u{0}\u{1b}[2J\u{202e} dogs bark";
    let text = json!({"hits": [{"id": "d2", "score": 1.0, "doc": {"text": hostile}}]});
    let (_server, sandbox) = second(replies(text));
    let shown = sandbox.llull(&["pool", "--retrieve"]).ends(0).to_string()
        + &sandbox.llull(&["run"]).ends(0).to_string();
    assert!(!shown.contains(['\u{0}', '\u{1b}', '\u{202e}']), "{shown}");
    let page = sandbox.read("report.html");
    assert!(!page.contains("<script>alert") && !page.contains('\u{0}'));
}

#[test]
fn the_key_is_refused() {
    let server = AnsweringServer::start(|_| {
        ServerAnswer::status(401, format!("{{\"error\": \"wrong key Token {KEY}\"}}"))
    });
    let server = server.unwrap();
    let sandbox = study(&template(&server.url()));
    let said = sandbox.llull(&["pool", "--retrieve"]).ends(1);
    no_key(&sandbox, &said);
    said.says(&["HTTP 401: wrong key", "the key in SEARCH_KEY is refused", "system live: "]);
    assert_eq!(server.arrived().len(), 1, "one refusal is enough");
}

#[test]
fn what_may_pass_is_sent_again() {
    let busy = |arrived: &ServerRequest| match arrived.before {
        0 => ServerAnswer::status(429, "").with("retry-after", "0"),
        _ => search(arrived),
    };
    let (server, sandbox) = second(busy);
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    assert_eq!(server.arrived().len(), 3);
    let (server, sandbox) =
        second(|_| ServerAnswer::status(500, "{\"error\": {\"reason\": \"shard lost\"}}"));
    loses_the_second(&sandbox, &["HTTP 500: shard lost; gave up after 2 attempts"]);
    assert_eq!(server.arrived().len(), 3);
}

#[test]
fn a_redirect_takes_no_key_along() {
    let other = AnsweringServer::start(search).unwrap();
    let to = format!("{}/v1/search", other.url());
    let server =
        AnsweringServer::start(move |_| ServerAnswer::status(307, "").with("location", &to)).unwrap();
    let sandbox = study(&template(&server.url()));
    sandbox
        .llull(&["pool", "--retrieve"])
        .ends(1)
        .says(&["it redirects to http://127.0.0.1:", "which is not followed"]);
    assert_eq!((server.arrived().len(), other.arrived().len()), (1, 0));
}

/// A document may quote the key that it was asked with; what is kept does not.
#[test]
fn the_key_in_a_document() {
    let quoted = json!({"hits": [{"id": "d2", "score": 1.0, "doc": {"text": format!("dogs bark {KEY}")}}]});
    let (_server, sandbox) = second(replies(quoted));
    let said = sandbox.llull(&["pool", "--retrieve"]).ends(0);
    sandbox.llull(&["run"]).ends(0);
    no_key(&sandbox, &said);
}
