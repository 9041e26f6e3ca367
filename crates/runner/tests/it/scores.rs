//! Rerankers as judges: what each form is sent, and the order that it answers.
//!
//! Replies are those of the providers' documentation: docs.cohere.com/reference/rerank, jina.ai/reranker,
//! docs.voyageai.com/reference/reranker-api, the OpenAPI page of text-embeddings-inference, docs.vllm.ai.

use std::sync::Arc;
use std::time::Duration;

use llull_core::{Answer, Document, FailureKind, Hash, Outcome, Paradigm, Topic, Verdict};
use llull_http::{Address, Secret};
use llull_judge::Rubric;
use llull_runner::{
    Case, DocumentIndex, EndpointChannel, Judge, JudgeIdentity, OwnIdentity, OwnJudge, OwnSettings,
    PooledDocument, ScoreForm, Scores,
};
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::stage::runtime;

const KEY: &str = "topsecret-0123456789abcdef";

fn judge(server: &AnsweringServer, form: ScoreForm, model: Option<&str>) -> OwnJudge {
    let scores = Some(Scores { form, model: model.map(str::to_owned) });
    let settings = OwnSettings {
        name: "scores".into(),
        model: "endpoint".into(),
        meaning: Hash::of(b"address"),
        paradigm: Paradigm::Listwise,
        expected: Arc::default(),
        scores,
    };
    let rubric = Rubric::parse(Rubric::default_text(), "rubric.md").unwrap();
    let address = Address::parse(&format!("{}/rerank", server.url())).unwrap();
    let key = Some(("KEY".to_owned(), Secret::new(KEY).unwrap()));
    let channel = EndpointChannel::new(address, key, Duration::from_secs(10)).unwrap();
    OwnJudge::new(OwnIdentity::new(settings, &rubric), Arc::new(channel), 1)
}

fn asked(judge: &dyn Judge) -> Answer {
    let topic = Topic { id: "q".into(), text: "capital of France".into() };
    let document = |title: &str, text: &str| {
        PooledDocument::Found(Document { id: text.into(), title: title.into(), text: text.into() })
    };
    let pool = [document("", "Berlin."), document("Paris", "It is the capital."), document("", "Rome.")];
    let places = [0, 1, 2].map(DocumentIndex);
    runtime().block_on(judge.ask(Case::new(&topic, &places, &pool).unwrap(), 0))
}

/// What a form is sent by a judge with this model, and an answer of its documentation.
fn exchange(form: ScoreForm) -> (Option<&'static str>, Value, Value) {
    let texts = json!(["Berlin.", "Paris\nIt is the capital.", "Rome."]);
    let query = "capital of France";
    let scored = |index: usize, score: f64| json!({ "index": index, "relevance_score": score });
    let results = [scored(1, 0.999_071), scored(2, 0.786_78), scored(0, 0.327_133)];
    match form {
        ScoreForm::Cohere => (
            Some("rerank-v3.5"),
            json!({ "model": "rerank-v3.5", "query": query, "documents": texts }),
            json!({
                "results": results, "id": "07734bd2-2473-4f07-94e1-0d9f0e6843cf",
                "meta": { "billed_units": { "search_units": 1, "input_tokens": 26 } },
            }),
        ),
        ScoreForm::Jina => (
            Some("jina-reranker-m0"),
            json!({ "model": "jina-reranker-m0", "query": query, "documents": texts, "return_documents": false }),
            json!({ "model": "jina-reranker-m0", "usage": { "total_tokens": 26 }, "results": results }),
        ),
        ScoreForm::Voyage => (
            Some("rerank-2.5"),
            json!({ "model": "rerank-2.5", "query": query, "documents": texts, "truncation": false }),
            json!({ "object": "list", "data": results, "model": "rerank-2.5", "usage": { "total_tokens": 26 } }),
        ),
        ScoreForm::Tei => (
            None,
            json!({ "query": query, "texts": texts, "truncate": false }),
            json!([{ "index": 1, "score": 4.2 }, { "index": 2, "score": -0.5 }, { "index": 0, "score": -3.1 }]),
        ),
        ScoreForm::Vllm => (
            Some("BAAI/bge-reranker-base"),
            json!({ "model": "BAAI/bge-reranker-base", "query": query, "documents": texts }),
            json!({
                "id": "rerank-1", "model": "BAAI/bge-reranker-base", "usage": { "total_tokens": 26 },
                "results": [
                    { "index": 1, "document": { "text": "Paris" }, "relevance_score": 0.99 },
                    { "index": 2, "document": { "text": "Rome." }, "relevance_score": 0.4 },
                    { "index": 0, "document": { "text": "Berlin." }, "relevance_score": 0.000_5 },
                ],
            }),
        ),
    }
}

#[test]
fn each_form_is_sent_its_own_request_and_answers_an_order() {
    for form in ScoreForm::ALL {
        let (model, expected, reply) = exchange(form);
        let server = AnsweringServer::start(move |request: &ServerRequest| {
            assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
            assert_eq!((&request.body, request.path.as_str()), (&expected, "/rerank"));
            ServerAnswer::json(&reply)
        })
        .unwrap();
        let answer = asked(&judge(&server, form, model));
        let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &answer.outcome else {
            panic!("{form:?}: {answer:?}")
        };
        assert_eq!(verdict.order, [[1], [2], [0]], "{form:?}");
        let counted = if form == ScoreForm::Tei { None } else { Some(26) };
        assert_eq!(answer.usage.prompt_tokens, counted, "{form:?}");
        assert!(answer.reply.is_some_and(|reply| reply.contains("index")), "the scores stay in the ledger");
    }
}

/// The bodies of errors of the same documentation.
#[test]
fn each_error_has_its_kind() {
    for (status, body, kind) in [
        (401, json!({ "message": "invalid api token" }), FailureKind::Unauthorized),
        (404, json!({ "message": "model not found" }), FailureKind::NotFound),
        (
            413,
            json!({ "error": "batch size 40 > maximum allowed batch size 32", "error_type": "Validation" }),
            FailureKind::Rejected,
        ),
        (
            422,
            json!({ "error": "inputs must have less than 512 tokens", "error_type": "Tokenizer" }),
            FailureKind::Rejected,
        ),
        (424, json!({ "error": "inference failed", "error_type": "Backend" }), FailureKind::Server),
        (
            429,
            json!({ "error": "Model is overloaded", "error_type": "Overloaded" }),
            FailureKind::RateLimited,
        ),
        (500, json!({ "detail": format!("key {KEY}") }), FailureKind::Server),
    ] {
        let server = AnsweringServer::start(move |_: &ServerRequest| {
            ServerAnswer::status(status, body.to_string()).with("retry-after", "3")
        })
        .unwrap();
        let Outcome::Failed(failure) = asked(&judge(&server, ScoreForm::Tei, None)).outcome else {
            panic!("{status}")
        };
        assert_eq!((failure.kind, failure.retry_after_ms), (kind, Some(3000)), "{status}");
        assert!(!failure.message.contains(KEY), "{failure}");
    }
}

#[test]
fn another_form_or_model_is_another_judge() {
    let server = AnsweringServer::start(|_: &ServerRequest| ServerAnswer::json(&json!([]))).unwrap();
    let of = |form, model| judge(&server, form, model).spec().fingerprint();
    let all = [(ScoreForm::Cohere, "a"), (ScoreForm::Cohere, "b"), (ScoreForm::Vllm, "a")];
    let all: std::collections::BTreeSet<Hash> =
        all.into_iter().map(|(form, model)| of(form, Some(model))).collect();
    assert_eq!(all.len(), 3);
}
