//! Every form of a reranker passes these tests, by the fixtures in `tests/rerankers`.
//!
//! A fixture has a request, replies and errors in the form that the documentation states which its `source` names. An
//! error with a `source` of its own quotes that issue; the others have words of our own where the documentation has
//! none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use llull_core::{Answer, Attempt, Document, Hash, KeyBuilder, Outcome, Paradigm, Scale, Topic, Verdict};
use llull_http::{Address, Secret};
use llull_judge::Rubric;
use llull_runner::{
    Case, DocumentIndex, EndpointChannel, Judge, JudgeIdentity, OwnIdentity, OwnJudge, OwnSettings,
    PooledDocument, ScoreForm, ScorePrice, Scores,
};
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stage::runtime;

const KEY: &str = "topsecret-0123456789abcdef";

/// A rubric of two grades.
const TWO: &str = "+++\nversion = 1\nname = \"Two\"\ncutoff = 1\n[[grades]]\ngrade = 0\nname = \"No\"\n\
                   definition = \"No.\"\n[[grades]]\ngrade = 1\nname = \"Yes\"\ndefinition = \"Yes.\"\n+++\nIs it?\n";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    source: Vec<String>,
    model: Option<String>,
    request: Value,
    replies: BTreeMap<String, WrittenReply>,
    unusable: BTreeMap<String, WrittenReply>,
    errors: BTreeMap<String, WrittenError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReply {
    body: Value,
    #[serde(default)]
    order: Vec<Vec<u16>>,
    reason: Option<String>,
    tokens: Option<u64>,
    searches: Option<u64>,
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenError {
    source: Option<String>,
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Value,
    kind: String,
    wait_ms: Option<u64>,
    #[serde(default)]
    says: Vec<String>,
}

fn fixtures() -> Vec<(ScoreForm, Fixture)> {
    let read = |form: ScoreForm| {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rerankers/{}.json", form.name()));
        let text = fs_err::read_to_string(file).unwrap();
        (form, serde_json::from_str(&text).map_err(|error| format!("{form:?}: {error}")).unwrap())
    };
    ScoreForm::ALL.into_iter().map(read).collect()
}

/// What an identity of these scores is, under a rubric.
fn identity(scores: Scores, rubric: &str) -> OwnIdentity {
    let settings = OwnSettings {
        name: "scores".into(),
        model: "endpoint".into(),
        meaning: Hash::of(b"address"),
        paradigm: if scores.threshold.is_some() { Paradigm::Graded } else { Paradigm::Listwise },
        expected: Arc::default(),
        scores: Some(scores),
    };
    OwnIdentity::new(settings, &Rubric::parse(rubric, "rubric.md").unwrap())
}

fn scores(form: ScoreForm, model: Option<&str>) -> Scores {
    Scores { form, model: model.map(str::to_owned), threshold: None, price: None }
}

fn judge(server: &AnsweringServer, identity: OwnIdentity) -> OwnJudge {
    let address = Address::parse(&format!("{}/rerank", server.url())).unwrap();
    let key = Some(("TEAM_KEY".to_owned(), Secret::new(KEY).unwrap()));
    let channel = EndpointChannel::new(address, key, Duration::from_secs(10)).unwrap();
    OwnJudge::new(identity, Arc::new(channel), 1)
}

fn topic() -> Topic {
    Topic { id: "q".into(), text: "capital of France".into() }
}

fn pool() -> [PooledDocument; 3] {
    let document = |title: &str, text: &str| {
        PooledDocument::Found(Document { id: text.into(), title: title.into(), text: text.into() })
    };
    [document("", "Berlin."), document("Paris", "It is the capital."), document("", "Rome.")]
}

/// The answer about the first documents of the pool.
fn asked(judge: &dyn Judge, shown: usize) -> Answer {
    let (topic, pool, places) = (topic(), pool(), [0, 1, 2].map(DocumentIndex));
    runtime().block_on(judge.ask(Case::new(&topic, &places[..shown], &pool).unwrap(), 0))
}

fn replied(form: ScoreForm, fixture: &Fixture, body: &Value, price: Option<ScorePrice>) -> Answer {
    let body = body.clone();
    let server = AnsweringServer::start(move |_: &ServerRequest| ServerAnswer::json(&body)).unwrap();
    let scores = Scores { price, ..scores(form, fixture.model.as_deref()) };
    asked(&judge(&server, identity(scores, Rubric::default_text())), 3)
}

#[test]
fn every_form_has_a_fixture_with_its_source() {
    let replies = ["answer", "ties"];
    let errors = ["request", "too_long", "key", "model", "rate", "overloaded"];
    for (form, fixture) in fixtures() {
        assert!(!fixture.source.is_empty() && fixture.unusable.len() >= 2, "{form:?}");
        let quoted = fixture.errors.values().filter_map(|error| error.source.as_ref());
        assert!(fixture.source.iter().chain(quoted).all(|source| source.starts_with("https://")), "{form:?}");
        assert!(replies.iter().all(|name| fixture.replies.contains_key(*name)), "{form:?}");
        assert!(errors.iter().all(|name| fixture.errors.contains_key(*name)), "{form:?}");
    }
}

#[test]
fn a_request_has_the_form_of_its_provider_and_the_key_in_a_header_alone() {
    for (form, fixture) in fixtures() {
        let answer = fixture.replies["answer"].body.clone();
        let server = AnsweringServer::start(move |_: &ServerRequest| ServerAnswer::json(&answer)).unwrap();
        let scores = scores(form, fixture.model.as_deref());
        asked(&judge(&server, identity(scores, Rubric::default_text())), 3);
        let sent = server.arrived().pop().unwrap();
        assert_eq!(
            (sent.headers["authorization"].as_str(), sent.path.as_str()),
            (&*format!("Bearer {KEY}"), "/rerank")
        );
        let mut expected = fixture.request;
        for (name, value) in expected.as_object_mut().unwrap() {
            match value.as_str() {
                Some("{query}") => *value = json!("capital of France"),
                Some("{texts}") => *value = json!(["Berlin.", "Paris\nIt is the capital.", "Rome."]),
                _ => assert!(name != "query"),
            }
        }
        assert_eq!(sent.body, expected, "{form:?}");
        assert!(!sent.text.contains(KEY));
    }
}

#[test]
fn every_reply_is_an_order_with_its_units_and_its_cost() {
    for (form, fixture) in fixtures() {
        for (name, written) in &fixture.replies {
            let of = |price| replied(form, &fixture, &written.body, price);
            let answer = of(Some(ScorePrice::Input(0.05)));
            let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &answer.outcome else {
                panic!("{form:?}: {name}: {answer:?}")
            };
            assert_eq!(verdict.order, written.order, "{form:?}: {name}");
            assert_eq!(answer.usage.prompt_tokens, written.tokens, "{form:?}: {name}");
            assert_eq!(answer.cost_usd, written.tokens.map(|tokens| tokens as f64 * 0.05 / 1e6));
            let by_search = of(Some(ScorePrice::Search(0.002))).cost_usd;
            assert_eq!(
                by_search,
                written.searches.map(|searches| searches as f64 * 0.002),
                "{form:?}: {name}"
            );
            assert_eq!(of(None).cost_usd, None, "an unknown price stays unknown");
            if written.model.is_some() {
                assert_eq!(answer.model, written.model, "{form:?}: {name}");
            }
            assert!(
                answer.reply.is_some_and(|reply| reply.contains("index")),
                "the scores stay in the ledger"
            );
        }
    }
}

#[test]
fn whatever_is_no_score_for_each_document_is_unusable_and_paid_for() {
    for (form, fixture) in fixtures() {
        for (name, written) in &fixture.unusable {
            let answer = replied(form, &fixture, &written.body, Some(ScorePrice::Input(1e6)));
            let Outcome::Unusable(unusable) = &answer.outcome else { panic!("{form:?}: {name}: {answer:?}") };
            assert_eq!(Some(format!("{:?}", unusable.reason)), written.reason, "{form:?}: {name}");
            assert_eq!(answer.cost_usd, written.tokens.map(|tokens| tokens as f64), "{form:?}: {name}");
        }
    }
}

#[test]
fn every_error_has_its_kind_its_wait_and_no_key() {
    for (form, fixture) in fixtures() {
        for (name, error) in &fixture.errors {
            let said = match &error.body {
                Value::String(text) => text.clone(),
                body => body.to_string(),
            };
            // Some servers quote the key that they were sent.
            let (status, body, headers) = (error.status, format!("{said} {KEY}"), error.headers.clone());
            let server = AnsweringServer::start(move |_: &ServerRequest| {
                let answer = ServerAnswer::status(status, body.clone());
                headers.iter().fold(answer, |answer, (name, value)| answer.with(name, value))
            })
            .unwrap();
            let scores = scores(form, fixture.model.as_deref());
            let answer = asked(&judge(&server, identity(scores, Rubric::default_text())), 3);
            let Outcome::Failed(failure) = answer.outcome else { panic!("{form:?}: {name}: {answer:?}") };
            assert_eq!(format!("{:?}", failure.kind), error.kind, "{form:?}: {name}");
            assert_eq!(failure.retry_after_ms, error.wait_ms, "{form:?}: {name}");
            assert!(!failure.message.contains(KEY), "{failure}");
            assert!(error.says.iter().all(|words| failure.message.contains(words)), "{form:?}: {failure}");
        }
    }
}

#[test]
fn another_form_or_model_is_another_judge_and_another_rubric_threshold_or_price_is_not() {
    let of = |scores, rubric: &str| identity(scores, rubric).spec().fingerprint();
    let all = [(ScoreForm::Cohere, "a"), (ScoreForm::Cohere, "b"), (ScoreForm::Vllm, "a")];
    let all: BTreeSet<Hash> =
        all.into_iter().map(|(form, model)| of(scores(form, Some(model)), Rubric::default_text())).collect();
    assert_eq!(all.len(), 3);
    let ordering = || scores(ScoreForm::Tei, None);
    assert_eq!(of(ordering(), Rubric::default_text()), of(ordering(), TWO), "it sees no rubric");
    let priced = Scores { price: Some(ScorePrice::Search(1.0)), ..ordering() };
    assert_eq!(of(ordering(), TWO), of(priced, TWO));
    let from = |threshold| of(Scores { threshold: Some(threshold), ..ordering() }, TWO);
    assert_eq!(from(0.2), from(0.8));
    assert_eq!(
        from(0.2),
        of(Scores { threshold: Some(0.2), ..ordering() }, &TWO.replace("Is it?", "Is it so?"))
    );
    assert_ne!(from(0.2), of(ordering(), TWO), "one document by itself is another question");
}

/// The key of a reranker's answer in a ledger of version 0.1.0 before the rubric left it: with that specification it
/// is found again, under whatever rubric.
#[test]
fn answers_of_a_ledger_with_the_rubric_in_their_keys_are_found() {
    let now = identity(scores(ScoreForm::Tei, None), TWO);
    let mut then = now.spec().clone();
    (then.rubric_hash, then.scale) = (Hash::of(b"an edited rubric"), Scale::new(0, 3).unwrap());
    let found = now.as_recorded(&then).unwrap();
    let (topic, pool, places) = (topic(), pool(), [0, 1].map(DocumentIndex));
    let case = Case::new(&topic, &places, &pool).unwrap();
    let key =
        KeyBuilder::new("llull task v1").part("judge", &then.fingerprint().0).text("query", &topic.text);
    let key = key.text("title", "").text("text", "Berlin.").text("title", "Paris");
    let key = key.text("text", "It is the capital.").number("sample", 0).finish();
    assert_eq!(found.key(&case, 0), key);
    assert_ne!(now.key(&case, 0), key);
    then.prompt_hash = Hash::of(b"another address");
    assert!(now.as_recorded(&then).is_none());
}

#[test]
fn a_threshold_makes_two_grades_and_reads_recorded_scores_by_the_present_one() {
    let server = AnsweringServer::start(|request: &ServerRequest| {
        assert_eq!(request.body["texts"], json!(["Berlin."]), "one document by itself");
        ServerAnswer::json(&json!([{ "index": 0, "score": 0.4 }]))
    })
    .unwrap();
    let from = |threshold| Scores { threshold: Some(threshold), ..scores(ScoreForm::Tei, None) };
    let graded = |threshold| {
        let judge = judge(&server, identity(from(threshold), TWO));
        let answer = asked(&judge, 1);
        let Outcome::Judged { verdict } = &answer.outcome else { panic!("{answer:?}") };
        (verdict.grade(), answer)
    };
    let (grade, answer) = graded(0.4);
    assert_eq!((grade, graded(0.5).0), (Some(1), Some(0)));
    let (topic, pool) = (topic(), pool());
    let key = identity(from(0.4), TWO).key(&Case::of_one(&topic, &pool[0]), 0);
    let attempt = Attempt::new(key, answer);
    let stricter = identity(from(0.5), TWO);
    assert!(stricter.regrades());
    let Some(Outcome::Judged { verdict }) = stricter.regrade(&attempt) else { panic!("{attempt:?}") };
    assert_eq!(verdict.grade(), Some(0));
}
