//! Results that are larger than any buffer on their way: of every kind of server, and of a program.

use llull::config::Overrides;
use llull::encoder::{Encoder as _, TextRole};
use llull::reach::Trust;
use llull::{LiveRequests, Study, StudyError};
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};
use std::sync::Mutex;

use crate::collection::topics;
use crate::folder_study::{FolderStudy, REPLAY};
use crate::letters::Letters;

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How many documents a query finds, each with a text of so many bytes: 5 MB for the three queries of the study.
const FOUND: usize = 100;
const LONG: usize = 18_000;

/// The documents, best first: identifier, text and score.
fn found() -> impl Iterator<Item = (String, String, f64)> {
    (0..FOUND).map(|at| (format!("d{at}"), "word ".repeat(LONG / 5), 1.0 - at as f64 / 1000.0))
}

/// Answers as each kind of server does; the forms are those of the unit tests of `candidates`.
fn answer(request: &ServerRequest) -> ServerAnswer {
    let all = |each: fn((String, String, f64)) -> Value| found().map(each).collect::<Value>();
    let body = match (request.method.as_str(), request.path.as_str()) {
        ("POST", path) if path.starts_with("/v1/search") => {
            json!({"hits": all(|(id, text, score)| json!({"id": id, "score": score, "text": text}))})
        }
        ("POST", "/docs/_search") => json!({"hits": {"hits": all(
            |(id, text, score)| json!({"_id": id, "_score": score, "_source": {"text": text}}))}}),
        ("POST", "/indexes/docs/search") => json!({"hits": all(
            |(id, text, score)| json!({"id": id, "text": text, "_rankingScore": score}))}),
        ("POST", "/v2/vectordb/entities/search") => json!({"code": 0, "data": all(
            |(id, text, score)| json!({"id": id, "distance": score, "text": text}))}),
        ("POST", "/v1/graphql") => json!({"data": {"Get": {"docs": all(|(id, text, score)| {
            json!({"text": text, "_additional": {"id": id, "score": score.to_string()}})
        })}}}),
        ("GET", "/collections/docs") => {
            json!({"result": {"config": {"params": {"vectors": {"size": 26, "distance": "Cosine"}}}}})
        }
        ("POST", "/collections/docs/points/query") => json!({"result": {"points": all(
            |(id, text, score)| json!({"id": 1, "score": score, "payload": {"doc_id": id, "text": text}}))}}),
        ("POST", "/multi_search") => json!({"results": [{"hits": all(
            |(id, text, _)| json!({"document": {"id": id, "text": text}, "text_match": 7}))}]}),
        ("POST", "/search/") => json!({"root": {
        "coverage": {"coverage": 100, "full": true},
        "children": all(|(id, text, score)| {
            json!({"id": format!("id:shop:docs::{id}"), "relevance": score, "fields": {"text": text}})
        })}}),
        ("GET", path) if path.ends_with("/collections/docs") => {
            json!({"id": "3f0e", "name": "docs", "dimension": 26})
        }
        ("POST", path) if path.ends_with("/collections/3f0e/query") => json!({
            "ids": [all(|(id, ..)| json!(id))],
            "distances": [all(|(.., score)| json!(1.0 - score))],
            "documents": [all(|(_, text, _)| json!(text))],
            "metadatas": [all(|_| json!({}))],
        }),
        (method, path) => return ServerAnswer::status(404, format!("{method} {path}")),
    };
    ServerAnswer::json(&body)
}

/// A study with one such system, and what its results are.
fn retrieved(system: &str, files: &[(&str, String)]) -> (FolderStudy, Result<(), StudyError>) {
    let folder = FolderStudy::new("", &format!("[[systems]]\nname = \"large\"\n{system}\n{REPLAY}"));
    folder.edit("llull.toml", "[pool]", &format!("[retrieve]\ndepth = {FOUND}\n\n[pool]"));
    for (name, text) in files {
        folder.write(name, text);
    }
    let asked = ask(&folder, false);
    (folder, asked)
}

fn ask(folder: &FolderStudy, refresh: bool) -> Result<(), StudyError> {
    let (dir, typed) = (folder.path(""), Overrides::default());
    let reach = Study::reach(&dir, &typed, false, &Trust::default(), &variable).unwrap();
    let trust = reach.iter().fold(Trust::default(), |trust, entry| trust.with(&entry.entry).unwrap());
    let study = Study::open_trusting(&dir, &typed, &trust).unwrap();
    let encode = |_: &str, texts: &[&str]| {
        let vectors = Letters(&GIVEN).encode(texts, TextRole::Query)?;
        Ok(vectors.iter().map(|(vector, _)| vector.to_vec()).collect())
    };
    study.retrieval().ask_live(LiveRequests { environment: &variable, vectors: &encode }, refresh, |_| {})
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|_| name == "PATH")
}

#[track_caller]
fn assert_whole(folder: &FolderStudy, what: &str) {
    let results = folder.open().retrieval().live_results(&topics()).unwrap().remove(0).1;
    assert!(!results.outdated && results.failed.is_empty(), "{what}: {:?}", results.failed);
    assert_eq!(results.run.len(), topics().len(), "{what}");
    assert!(results.run.iter().all(|(_, ranking)| ranking.len() == FOUND), "{what}");
    let bytes = fs_err::metadata(folder.path(".llull/runs/large.results")).unwrap().len();
    assert!(bytes > 5_000_000, "{what}: {bytes} bytes");
}

/// All results were thrown away after every query was asked: the end of them was not flushed when they were read back.
#[test]
fn five_megabytes_of_every_kind_of_server_are_saved_whole() {
    let server = AnsweringServer::start(answer).unwrap();
    let url = server.url();
    let template = format!(
        "retriever = \"http\"\n[systems.http]\nurl = \"{url}/v1/search?n={{k}}\"\nbody = {{ q = \"{{query}}\" }}\n\
         results = \"/hits\"\nid = \"/id\"\nscore = \"/score\"\ntext = \"/text\"\nretries = 0\n"
    );
    let (folder, asked) = retrieved(&template, &[]);
    asked.unwrap();
    assert_whole(&folder, "http");
    for (kind, more) in [
        ("elasticsearch", ""),
        ("opensearch", ""),
        ("meilisearch", ""),
        ("milvus", ""),
        ("weaviate", ""),
        ("vespa", ""),
        ("typesense", "fields = [\"text\"]"),
        ("qdrant", "encoder = \"minilm\"\nid = \"doc_id\""),
        ("chroma", "encoder = \"minilm\""),
    ] {
        let system = format!(
            "retriever = \"{kind}\"\n[systems.{kind}]\nurl = \"{url}\"\ncollection = \"docs\"\nretries = 0\n{more}\n"
        );
        let (folder, asked) = retrieved(&system, &[]);
        asked.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_whole(&folder, kind);
    }
}

/// The lines that a program prints.
fn lines() -> String {
    let results: Value =
        found().map(|(id, text, score)| json!({"doc_id": id, "text": text, "score": score})).collect();
    let line =
        |topic: &llull::core::Topic| format!("{}\n", json!({"query_id": topic.id, "results": results}));
    topics().iter().map(line).collect()
}

#[cfg(unix)]
#[test]
fn five_megabytes_of_a_program_are_saved_whole() {
    let (folder, asked) = retrieved("command = [\"cat\", \"lines.jsonl\"]", &[("lines.jsonl", lines())]);
    asked.unwrap();
    assert_whole(&folder, "program");
}

/// Results are read back before they are saved, and what is not whole leaves the results of before.
#[cfg(unix)]
#[test]
fn results_that_cannot_be_read_back_are_not_saved() {
    let (folder, asked) = retrieved("command = [\"cat\", \"lines.jsonl\"]", &[("lines.jsonl", lines())]);
    asked.unwrap();
    let cut = |bytes: usize| lines()[..lines().len() - bytes].to_owned();
    for (text, says) in [
        (cut(2), "large.results"),
        (cut(LONG / 2), "large.results"),
        (lines() + "{\"query_id\": \"q1\", \"results\": []}\n", "both answer query q1"),
        (lines().replace("\"d7\"", "\"d 7\""), "the document \"d 7\" cannot be written"),
        (lines().replace("\"q1\"", "\"q\\t1\""), "the query \"q\\t1\" cannot be written"),
        (String::new(), "none of 3 queries was answered; the first: it sent nothing"),
    ] {
        folder.write("lines.jsonl", &text);
        let error = ask(&folder, true).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
        assert_whole(&folder, says);
    }
    let temporary = folder.files().into_iter().filter(|name| name.ends_with(".tmp"));
    assert_eq!(temporary.collect::<Vec<_>>(), Vec::<String>::new());
}
