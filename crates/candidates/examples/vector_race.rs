//! Dense search over given vectors, for `benches/dense_search.py`.
//!
//!     vector_race DOCUMENTS QUERIES DIMENSIONS DEPTH REPEATS
//!
//! The first two are files of vectors of length 1, as 32-bit numbers, little endian. Prints JSON: the seconds of each
//! repeat, and the documents and cosines that each query finds.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::Instant;

use llull_candidates::{DenseIndex, Fields};
use llull_core::{Document, Topic};
use llull_encoder::{EncodeError, Encoder, KeptVectors, TextRole, Vectors};

/// Gives the text `d7` the vector 7 of the documents, and `q7` that of the queries.
struct Given {
    dimensions: usize,
    documents: Vec<f32>,
    queries: Vec<f32>,
}

impl Encoder for Given {
    fn name(&self) -> &str {
        "given"
    }

    fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
        let vector = |text: &&str| -> Vec<f32> {
            let (kind, number) = text.split_at(1);
            let vectors = if kind == "d" { &self.documents } else { &self.queries };
            let start = number.parse().map_or(0, |number: usize| number * self.dimensions);
            vectors.get(start..start + self.dimensions).unwrap_or_default().to_vec()
        };
        Vectors::normalized(self.dimensions, texts.iter().map(|text| (vector(text), false)))
    }

    fn batch(&self) -> usize {
        1000
    }
}

fn vectors(file: &str) -> std::io::Result<Vec<f32>> {
    let bytes =
        std::io::Read::bytes(std::io::BufReader::new(std::fs::File::options().read(true).open(file)?));
    let bytes: Vec<u8> = bytes.collect::<Result<_, _>>()?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [documents, queries, dimensions, depth, repeats] = arguments.as_slice() else {
        return Err("usage: vector_race DOCUMENTS QUERIES DIMENSIONS DEPTH REPEATS".into());
    };
    let (dimensions, depth): (usize, usize) = (dimensions.parse()?, depth.parse()?);
    let given = Given { dimensions, documents: vectors(documents)?, queries: vectors(queries)? };
    let count = |vectors: &[f32]| vectors.len() / dimensions;
    let topic = |number: usize| Topic { id: number.to_string(), text: format!("q{number}") };
    let topics: Vec<Topic> = (0..count(&given.queries)).map(topic).collect();
    let asked: Vec<&Topic> = topics.iter().collect();
    let (mut seconds, mut found) = (Vec::new(), Vec::new());
    for _ in 0..repeats.parse()? {
        let mut told = |_: usize| {};
        let mut index = DenseIndex::new(&given, KeptVectors::in_memory(), Fields::Text, &mut told);
        for number in 0..count(&given.documents) {
            let text = format!("d{number}");
            index.add(&Document { id: number.to_string(), title: String::new(), text })?;
        }
        let start = Instant::now();
        let rankings = index.retrieve(&asked, depth)?;
        seconds.push(start.elapsed().as_secs_f64());
        found = rankings
            .iter()
            .map(|ranking| ranking.iter().map(|hit| (hit.document.to_owned(), hit.score)).collect())
            .collect::<Vec<Vec<(String, f64)>>>();
    }
    println!("{}", serde_json::json!({ "seconds": seconds, "found": found }));
    Ok(())
}
