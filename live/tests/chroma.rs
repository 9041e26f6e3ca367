//! Tests retrieval from Chroma, as `chroma run` of chromadb serves it.
//!
//! The study's corpus is stored in it first.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::path::Path;

use llull::config::Overrides;
use llull::core::SplitMix64;
use llull::reach::Trust;
use llull::{LiveRequests, LiveResults, Study};
use llull_live::{address, reply};
use serde_json::{Value, json};
use tempfile::TempDir;

const DATABASE: &str = "/api/v2/tenants/default_tenant/databases/default_database/collections";

const DOCUMENTS: usize = 200;
const QUERIES: usize = 12;
const DEPTH: usize = 20;

/// A vector of a text, which follows from its letters alone.
fn vector(text: &str) -> Vec<f32> {
    let seed = text.bytes().fold(7, |mixed, byte| SplitMix64::mix(mixed ^ u64::from(byte)));
    let mut numbers = SplitMix64::new(seed);
    (0..24).map(|_| (numbers.next_u64() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn text(document: usize) -> String {
    format!("This is what document {document} says, with a \"quote\" and <b>markup</b>.")
}

/// Puts the corpus into a new collection.
fn fill(server: &str, collection: &str) {
    let made = json!({"name": collection, "configuration": {"hnsw": {"space": "cosine"}}});
    let made = reply(server, DATABASE, Some(&made));
    let id = made["id"].as_str().unwrap();
    let documents = 0..DOCUMENTS;
    let records = json!({
        "ids": documents.clone().map(|at| format!("chunk-{at}")).collect::<Vec<_>>(),
        "embeddings": documents.clone().map(|at| vector(&text(at))).collect::<Vec<_>>(),
        "documents": documents.clone().map(text).collect::<Vec<_>>(),
        "metadatas": documents.map(|at| json!({"doc": format!("d{at}"), "title": format!("Title {at}")}))
            .collect::<Vec<Value>>(),
    });
    reply(server, &format!("{DATABASE}/{id}/add"), Some(&records));
}

fn query(at: usize) -> String {
    format!("what does number {at} say")
}

/// A study that asks for this collection.
fn study_of(server: &str, collection: &str, more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs_err::write(folder.path().join(name), text).unwrap();
    write("topics.tsv", (0..QUERIES).map(|at| format!("q{at}\t{}\n", query(at))).collect());
    write(
        "llull.toml",
        format!(
            "version = 1\ntopics = \"topics.tsv\"\nmeasures = [\"nDCG@10\"]\n[retrieve]\ndepth = {DEPTH}\n\
             [[systems]]\nname = \"chroma\"\nretriever = \"chroma\"\n[systems.chroma]\nurl = \"{server}\"\n\
             collection = \"{collection}\"\nid = \"doc\"\nencoder = \"minilm\"\nretries = 0\n{more}\n"
        ),
    );
    folder
}

fn retrieve(folder: &Path, server: &str) -> Result<LiveResults, llull::StudyError> {
    let trust = Trust::default().with(server)?;
    let study = Study::open_trusting(folder, &Overrides::default(), &trust)?;
    let vectors = |_: &str, texts: &[&str]| Ok(texts.iter().map(|text| vector(text)).collect());
    let requests = LiveRequests { environment: &|_| None, vectors: &vectors };
    study.retrieval().ask_live(requests, false, |_| ())?;
    let topics = study.topics()?;
    let mut results = study.retrieval().live_results(&topics)?;
    Ok(results.remove(0).1)
}

/// The order of exact cosines, best first.
fn exact(at: usize) -> Vec<(String, f64)> {
    let query = vector(&query(at));
    let mut scored: Vec<_> =
        (0..DOCUMENTS).map(|at| (format!("d{at}"), cosine(&query, &vector(&text(at))))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.truncate(DEPTH);
    scored
}

#[test]
fn its_order_is_that_of_exact_cosines() {
    let server = address("LLULL_CHROMA");
    fill(&server, "exact");
    for more in ["", "batch = 5\nconcurrency = 2"] {
        let folder = study_of(&server, "exact", more);
        let results = retrieve(folder.path(), &server).unwrap();
        assert!(results.failed.is_empty() && results.notes.is_empty(), "{results:?}");
        assert_eq!(results.asked.figures().unwrap().n, QUERIES as u64);
        for at in 0..QUERIES {
            let found = results.run.ranking(&format!("q{at}")).unwrap();
            let found: Vec<_> = found.iter().map(|hit| (hit.document.to_owned(), hit.score)).collect();
            let expected = exact(at);
            let ids = |of: &[(String, f64)]| of.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
            assert_eq!(ids(&found), ids(&expected), "q{at}, {more:?}");
            for ((id, score), (_, cosine)) in found.iter().zip(&expected) {
                assert!((score - cosine).abs() < 1e-5, "{id}: {score} is not {cosine}");
            }
        }
        let kept = fs_err::read_to_string(&results.file).unwrap();
        let first: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
        let best = &first["results"][0];
        let number: usize = best["doc_id"].as_str().unwrap().trim_start_matches('d').parse().unwrap();
        assert_eq!(
            (best["text"].as_str(), best["title"].as_str()),
            (Some(&*text(number)), Some(&*format!("Title {number}")))
        );
    }
}

#[test]
fn a_collection_that_is_not_there() {
    let server = address("LLULL_CHROMA");
    let folder = study_of(&server, "nobody", "");
    let said = retrieve(folder.path(), &server).unwrap_err().to_string();
    assert!(said.starts_with("system chroma: http://127.0.0.1:") && said.contains("HTTP 404"), "{said}");
    assert!(said.contains("nobody"), "{said}");
}

/// Vectors of another length are refused by the server, and its words are shown.
#[test]
fn a_collection_of_other_vectors() {
    let server = address("LLULL_CHROMA");
    let made = reply(&server, DATABASE, Some(&json!({"name": "others"})));
    let id = made["id"].as_str().unwrap();
    let records = json!({"ids": ["a"], "embeddings": [[1.0, 0.0]], "documents": ["a"]});
    reply(&server, &format!("{DATABASE}/{id}/add"), Some(&records));
    let folder = study_of(&server, "others", "");
    let said = retrieve(folder.path(), &server).unwrap_err().to_string();
    assert!(said.contains("none of 12 queries was answered") && said.contains("dimension"), "{said}");
}
