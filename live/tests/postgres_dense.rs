//! Compares dense retrieval through pgvector with that in memory.

use std::num::NonZeroUsize;
use std::time::Duration;

use llull::candidates::{
    DenseIndex, Fields, PostgresAddress, PostgresQuery, PostgresSearch, PostgresTable, QueryToPostgres,
};
use llull::core::Topic;
use llull::encoder::{EncodeError, Encoder, KeptVectors, TextRole, Vectors};
use llull_conformance::cranfield;
use llull_live::Database;

/// Vectors of the pieces of three letters of a text, each added at a place and with a sign that its letters decide.
/// `conformance/small_collections.py` compares MiniLM's vectors, since a build without optimisations takes minutes for
/// them.
struct Pieces;

impl Encoder for Pieces {
    fn name(&self) -> &str {
        "pieces"
    }

    fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
        let vector = |text: &str| {
            let mut vector = vec![0f32; 384];
            for piece in text.to_lowercase().as_bytes().windows(3) {
                let hash = piece
                    .iter()
                    .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
                vector[hash as usize % 384] += if hash >> 31 == 0 { 1.0 } else { -1.0 };
            }
            vector
        };
        Vectors::normalized(384, texts.iter().map(|text| (vector(text), false)))
    }

    fn batch(&self) -> usize {
        100
    }
}

#[test]
fn pgvector_finds_what_memory_finds() {
    const DEPTH: usize = 100;
    let (documents, topics) = cranfield();
    let database = Database::create("cranfield");
    database.execute(
        "CREATE EXTENSION vector; CREATE TABLE passages (id text, title text, body text, embedding vector(384))",
    );
    let texts: Vec<_> = documents.iter().map(|document| Fields::All.of(document)).collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let vectors = Pieces.encode(&texts, TextRole::Document).unwrap();
    let stored =
        vectors.iter().zip(&texts).map(|((vector, _), text)| (!text.trim().is_empty()).then_some(vector));
    database.insert("passages", documents.iter().zip(stored));

    let topics: Vec<&Topic> = topics.iter().collect();
    let queries: Vec<&str> = topics.iter().map(|topic| topic.text.as_str()).collect();
    let queries = Pieces.encode(&queries, TextRole::Query).unwrap();
    let asked: Vec<QueryToPostgres<'_>> = topics
        .iter()
        .zip(queries.iter())
        .map(|(topic, (vector, _))| QueryToPostgres { topic, vector: Some(vector) })
        .collect();
    let table = PostgresTable { table: "passages".into(), id: "id".into(), title: None, text: None };
    let search = PostgresSearch {
        address: &PostgresAddress::parse(database.address()).unwrap(),
        query: &PostgresQuery::by_vector(&table, "embedding").unwrap(),
        timeout: Duration::from_secs(30),
        connections: NonZeroUsize::new(2).unwrap(),
    };
    let mut lines = Vec::new();
    search.run(&asked, DEPTH, &mut lines, &mut |_| {}).unwrap();
    let lines = String::from_utf8(lines).unwrap();

    let mut told = |_: usize| {};
    let mut index = DenseIndex::new(&Pieces, KeptVectors::in_memory(), Fields::All, &mut told);
    for document in &documents {
        index.add(document).unwrap();
    }
    let rankings = index.retrieve(&topics, DEPTH).unwrap();
    assert_eq!((lines.lines().count(), rankings.len()), (225, 225));
    for ((line, ranking), topic) in lines.lines().zip(&rankings).zip(&topics) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["query_id"], topic.id.as_str());
        let mut stored: Vec<(&str, f64)> = line["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| (result["doc_id"].as_str().unwrap(), result["score"].as_f64().unwrap()))
            .collect();
        let mut memory: Vec<(&str, f64)> = ranking.iter().map(|hit| (hit.document, hit.score)).collect();
        assert_eq!((stored.len(), memory.len()), (DEPTH, DEPTH));
        // In the order of identifiers: documents with one cosine may come in any order.
        stored.sort_by(|a, b| a.0.cmp(b.0));
        memory.sort_by(|a, b| a.0.cmp(b.0));
        for (stored, memory) in stored.iter().zip(&memory) {
            assert_eq!(stored.0, memory.0, "query {}", topic.id);
            assert!((stored.1 - memory.1).abs() < 1e-6, "query {}: {stored:?} {memory:?}", topic.id);
        }
    }
}
