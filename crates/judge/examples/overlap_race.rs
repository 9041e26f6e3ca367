//! Token overlap over many texts, for `benches/token_overlap.py`.
//!
//!     overlap_race FILE JUDGE QUERIES
//!
//! Reads the first QUERIES lines of FILE, `{"query", "expected": [...], "retrieved": [...]}` each, and judges each
//! retrieved text by each expected one, by `token-overlap` or `token-overlap-evret` with evret's defaults. Prints
//! JSON: the number of contexts and of matches, and the seconds of judging, without those of reading. Each line is
//! dropped when its block is judged, so that memory does not grow with the file.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::io::{BufRead as _, BufReader};
use std::time::{Duration, Instant};

use llull_judge::{OverlapOptions, TokenOverlap};
use serde::Deserialize;

/// How many queries are read, and judged on all cores, at once.
const BLOCK: usize = 32;

#[derive(Deserialize)]
struct Query {
    query: String,
    expected: Vec<String>,
    retrieved: Vec<String>,
}

/// Returns how many contexts match.
fn judged(judge: &TokenOverlap, queries: &[Query]) -> usize {
    let matches = |query: &Query| {
        let [expected, retrieved] = [&query.expected, &query.retrieved]
            .map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
        let found = judge.judge_all(&query.query, &expected, &retrieved);
        found.iter().filter(|context| context.matches).count()
    };
    queries.iter().map(matches).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, judge, most] = arguments.as_slice() else {
        return Err("usage: overlap_race FILE JUDGE QUERIES".into());
    };
    let options = match judge.as_str() {
        "token-overlap" => OverlapOptions::default(),
        "token-overlap-evret" => OverlapOptions::of_evret(),
        other => return Err(format!("there is no {other}").into()),
    };
    let judge = TokenOverlap::new(options)?;
    let threads = std::thread::available_parallelism()?.get();
    let mut lines =
        BufReader::new(std::fs::File::options().read(true).open(file)?).lines().take(most.parse()?);
    let (mut contexts, mut matches, mut time) = (0, 0, Duration::ZERO);
    loop {
        let block: Vec<Query> = lines
            .by_ref()
            .take(BLOCK * threads)
            .map(|line| Ok(serde_json::from_str(&line?)?))
            .collect::<Result<_, Box<dyn std::error::Error>>>()?;
        if block.is_empty() {
            break;
        }
        contexts += block.iter().map(|query| query.expected.len() * query.retrieved.len()).sum::<usize>();
        let (start, judge) = (Instant::now(), &judge);
        matches += std::thread::scope(|scope| {
            let parts = block.chunks(block.len().div_ceil(threads));
            let parts: Vec<_> = parts.map(|part| scope.spawn(move || judged(judge, part))).collect();
            parts.into_iter().map(|part| part.join().map_err(|_| "judging failed")).sum::<Result<usize, _>>()
        })?;
        time += start.elapsed();
    }
    println!(
        "{}",
        serde_json::json!({ "contexts": contexts, "matches": matches, "seconds": time.as_secs_f64() })
    );
    Ok(())
}
