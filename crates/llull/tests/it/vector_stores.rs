//! Stores that are searched by vectors, each a server that reads the request of its documentation and looks at every
//! document: what a study gets from it is what search in memory finds.

use std::sync::Mutex;

use llull::core::Run;
use llull::encoder::{Encoder, TextRole, dot};
use llull::reach::Trust;
use llull::{LiveRequests, Study, StudyError};
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::collection::corpus;
use crate::folder_study::{FolderStudy, REPLAY};
use crate::letters::Letters;

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn vectors(texts: &[&str]) -> Vec<Vec<f32>> {
    let vectors = Letters(&GIVEN).encode(texts, TextRole::Query).unwrap();
    vectors.iter().map(|(vector, _)| vector.to_vec()).collect()
}

/// The documents nearest to a vector, best first, each with its cosine: identifier, title, text.
fn nearest(query: &[f32], count: usize) -> Vec<(f64, [String; 3])> {
    let mut all: Vec<_> = corpus()
        .into_iter()
        .map(|document| {
            let text = format!("{} {}", document.title, document.text);
            let cosine = f64::from(dot(query, &vectors(&[&text])[0]));
            (cosine, [document.id, document.title, document.text])
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1[0].cmp(&a.1[0])));
    all.truncate(count);
    all
}

fn numbers(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

/// The study's run of a store, and that of search in memory.
fn both(kind: &str, url: &str, more: &str) -> Result<[Run; 2], StudyError> {
    let systems = format!(
        "[[systems]]\nname = \"near\"\nretriever = \"dense\"\n\n[[systems]]\nname = \"store\"\n\
         retriever = \"{kind}\"\n[systems.{kind}]\nurl = \"{url}\"\ncollection = \"docs\"\nencoder = \"minilm\"\n\
         retries = 0\n{more}\n\n"
    );
    let folder = FolderStudy::new("", &format!("{systems}{REPLAY}"));
    folder.edit("llull.toml", "[pool]", "[retrieve]\ndepth = 3\n\n[pool]");
    let trust = Trust::default().with(url)?;
    let study = Study::open_trusting(&folder.path(""), &Default::default(), &trust)?;
    study.retrieval().retrieve_dense(|_| Ok::<_, StudyError>(Box::new(Letters(&GIVEN))), |_, _| {})?;
    let encode = |name: &str, texts: &[&str]| {
        assert_eq!(name, "minilm");
        Ok(vectors(texts))
    };
    study.retrieval().ask_live(LiveRequests { environment: &|_| None, vectors: &encode }, false, |_| ())?;
    let kept = fs_err::read_to_string(folder.path(".llull/runs/store.results")).unwrap();
    let first: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    let best = &first["results"][0];
    let document = corpus().into_iter().find(|document| document.id == best["doc_id"]).unwrap();
    assert_eq!(best["text"], document.text, "its text comes with it");
    let mut runs = study.inputs()?.runs;
    Ok([runs.remove(3), runs.remove(2)])
}

#[track_caller]
fn assert_same([store, memory]: &[Run; 2], what: &str) {
    assert_eq!((store.len(), memory.len()), (3, 3), "{what}");
    for (query, found) in memory.iter() {
        let stored = store.ranking(query).unwrap();
        let ids = |ranking: &llull::core::Ranking| {
            ranking.iter().map(|hit| hit.document.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ids(stored), ids(found), "{what}, {query}");
        for (stored, found) in stored.iter().zip(found.iter()) {
            assert!((stored.score - found.score).abs() < 1e-6, "{what}, {query}: {}", stored.document);
        }
    }
}

/// <https://api.qdrant.tech/api-reference/search/query-points> and `query-batch-points`; the collection is described
/// before it is searched.
fn qdrant(request: &ServerRequest) -> ServerAnswer {
    let points = |search: &Value| {
        assert_eq!((&search["limit"], &search["with_payload"]), (&3.into(), &true.into()));
        let found = nearest(&numbers(&search["query"]), 3).into_iter().zip(40..);
        let point = |((score, [id, title, text]), number): ((f64, [String; 3]), u32)| {
            json!({"id": number, "version": 3, "score": score, "vector": null,
                "payload": {"doc_id": id, "title": title, "text": text}})
        };
        json!({"points": found.map(point).collect::<Vec<_>>()})
    };
    let result = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/collections/docs") => {
            let vectors = json!({"size": 26, "distance": "Cosine"});
            json!({"status": "green", "points_count": 9, "config": {"params": {"vectors": vectors}}})
        }
        ("POST", "/collections/docs/points/query") => points(&request.body),
        ("POST", "/collections/docs/points/query/batch") => {
            request.body["searches"].as_array().unwrap().iter().map(points).collect()
        }
        (method, path) => return ServerAnswer::status(404, format!("{method} {path}")),
    };
    ServerAnswer::json(&json!({"usage": null, "time": 0.002, "status": "ok", "result": result}))
}

#[test]
fn qdrant_finds_what_memory_finds() {
    let server = AnsweringServer::start(qdrant).unwrap();
    for (more, requests) in [("id = \"doc_id\"", 4), ("id = \"doc_id\"\nbatch = 8", 2)] {
        let before = server.arrived().len();
        assert_same(&both("qdrant", &server.url(), more).unwrap(), more);
        assert_eq!(server.arrived().len() - before, requests, "{more}");
    }
    let said = both("qdrant", &server.url(), "vector = \"dense\"").unwrap_err().to_string();
    assert!(said.contains("the collection has no vector \"dense\""), "{said}");
}

/// <https://typesense.org/docs/latest/api/vector-search.html>, asked by `multi_search`.
fn typesense(request: &ServerRequest) -> ServerAnswer {
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/multi_search"));
    let result = |search: &Value| {
        assert_eq!((&search["collection"], &search["per_page"]), (&"docs".into(), &3.into()));
        assert_eq!((&search["q"], &search["include_fields"]), (&"*".into(), &"title,text,id".into()));
        let asked = search["vector_query"].as_str().unwrap();
        let vector = asked.strip_prefix("embedding:(").and_then(|rest| rest.strip_suffix(", k:3)")).unwrap();
        let found = nearest(&numbers(&serde_json::from_str(vector).unwrap()), 3).into_iter();
        let hit = |(score, [id, title, text]): (f64, [String; 3])| {
            json!({"document": {"id": id, "title": title, "text": text}, "highlights": [],
                "vector_distance": 1.0 - score})
        };
        json!({"facet_counts": [], "found": 9, "out_of": 9, "page": 1, "hits": found.map(hit).collect::<Vec<_>>()})
    };
    let results: Vec<Value> = request.body["searches"].as_array().unwrap().iter().map(result).collect();
    ServerAnswer::json(&json!({"results": results}))
}

#[test]
fn typesense_finds_what_memory_finds() {
    let server = AnsweringServer::start(typesense).unwrap();
    for more in ["vector = \"embedding\"", "vector = \"embedding\"\nbatch = 2"] {
        assert_same(&both("typesense", &server.url(), more).unwrap(), more);
    }
    assert_eq!(server.arrived().len(), 3 + 2);
}

/// <https://docs.vespa.ai/en/nearest-neighbor-search.html>, with the result's form of
/// <https://docs.vespa.ai/en/reference/default-result-format.html>.
fn vespa(request: &ServerRequest) -> ServerAnswer {
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/search/"));
    let yql = "select * from sources docs where {targetHits: 3}nearestNeighbor(embedding, q)";
    assert_eq!((&request.body["yql"], &request.body["hits"]), (&yql.into(), &3.into()));
    assert_eq!(request.body["ranking"], "near");
    let found = nearest(&numbers(&request.body["input.query(q)"]), 3).into_iter();
    let hit = |(score, [id, title, text]): (f64, [String; 3])| {
        json!({"id": format!("id:shop:docs::{id}"), "relevance": score, "source": "docs",
            "fields": {"sddocname": "docs", "title": title, "text": text}})
    };
    let coverage =
        json!({"coverage": 100, "documents": 9, "full": true, "nodes": 1, "results": 1, "resultsFull": 1});
    ServerAnswer::json(&json!({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 9},
        "coverage": coverage, "children": found.map(hit).collect::<Vec<_>>()}}))
}

#[test]
fn vespa_finds_what_memory_finds() {
    let server = AnsweringServer::start(vespa).unwrap();
    let more = "vector = \"embedding\"\nextra = { ranking = \"near\" }";
    assert_same(&both("vespa", &server.url(), more).unwrap(), more);
    assert_eq!(server.arrived().len(), 3);
}
