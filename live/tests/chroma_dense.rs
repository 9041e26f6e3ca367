//! Compares dense retrieval through Chroma with that in memory.
//!
//! The vectors are MiniLM's of real titles.
//!
//! Needs the weights: `scripts/minilm` gets them; `LLULL_MODELS` says where they are, by default `target/models`.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::cell::RefCell;

use llull::candidates::{DenseIndex, Fields};
use llull::config::Overrides;
use llull::core::{Document, Topic};
use llull::encoder::{KeptVectors, TextRole, encode_kept};
use llull::reach::Trust;
use llull::{LiveRequests, Study};
use llull_conformance::{cranfield, minilm};
use llull_live::{address, reply};
use serde_json::json;

const DATABASE: &str = "/api/v2/tenants/default_tenant/databases/default_database/collections";
/// Few, since a build without optimisations takes a second and more for each.
const DOCUMENTS: usize = 30;
const QUERIES: usize = 6;
const DEPTH: usize = 5;

/// llull makes the vectors of queries during the search; those in Chroma were stored before, by the same model.
#[test]
fn chroma_finds_what_memory_finds() {
    let server = address("LLULL_CHROMA");
    let model = minilm();
    let (documents, topics) = cranfield();
    let documents: Vec<Document> =
        documents.into_iter().filter(|document| !document.title.is_empty()).take(DOCUMENTS).collect();
    let topics: Vec<&Topic> = topics.iter().take(QUERIES).collect();
    // Each text goes through the model once.
    let mut kept = KeptVectors::in_memory();
    let mut vectors = |texts: &[&str], role| -> Vec<Vec<f32>> {
        let rows = encode_kept(&model, &mut kept, texts, role, &mut |_| {}).unwrap();
        rows.into_iter().map(|row| kept.vector(row).to_vec()).collect()
    };

    let made = json!({"name": "titles", "configuration": {"hnsw": {"space": "cosine"}}});
    let made = reply(&server, DATABASE, Some(&made));
    let titles: Vec<&str> = documents.iter().map(|document| document.title.as_str()).collect();
    let records = json!({
        "ids": documents.iter().map(|document| document.id.as_str()).collect::<Vec<_>>(),
        "embeddings": vectors(&titles, TextRole::Document),
        "documents": titles,
    });
    reply(&server, &format!("{DATABASE}/{}/add", made["id"].as_str().unwrap()), Some(&records));

    let folder = tempfile::tempdir().unwrap();
    let lines: String = topics.iter().map(|topic| format!("{}\t{}\n", topic.id, topic.text)).collect();
    fs_err::write(folder.path().join("topics.tsv"), lines).unwrap();
    let config = format!(
        "version = 1\ntopics = \"topics.tsv\"\n[retrieve]\ndepth = {DEPTH}\n[[systems]]\nname = \"chroma\"\n\
         retriever = \"chroma\"\n[systems.chroma]\nurl = \"{server}\"\ncollection = \"titles\"\n\
         encoder = \"minilm\"\nbatch = 8\nretries = 0\n"
    );
    fs_err::write(folder.path().join("llull.toml"), config).unwrap();
    let trust = Trust::default().with(&server).unwrap();
    let study = Study::open_trusting(folder.path(), &Overrides::default(), &trust).unwrap();
    let vectors = RefCell::new(vectors);
    let encode = |name: &str, texts: &[&str]| {
        assert_eq!(name, "minilm");
        Ok((vectors.borrow_mut())(texts, TextRole::Query))
    };
    study
        .retrieval()
        .ask_live(LiveRequests { environment: &|_| None, vectors: &encode }, false, |_| ())
        .unwrap();
    let results = study.retrieval().live_results(&study.topics().unwrap()).unwrap().remove(0).1;
    assert!(results.failed.is_empty(), "{results:?}");

    let mut told = |_: usize| {};
    let mut index = DenseIndex::new(&model, kept, Fields::Title, &mut told);
    documents.iter().for_each(|document| index.add(document).unwrap());
    for (topic, expected) in topics.iter().zip(index.retrieve(&topics, DEPTH).unwrap()) {
        let found = results.run.ranking(&topic.id).unwrap();
        let ids = |ranking: &llull::core::Ranking| {
            ranking.iter().map(|hit| hit.document.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ids(found), ids(&expected), "{}", topic.id);
        for (found, expected) in found.iter().zip(expected.iter()) {
            assert!((found.score - expected.score).abs() < 1e-5, "{}: {}", topic.id, found.document);
        }
    }
}
