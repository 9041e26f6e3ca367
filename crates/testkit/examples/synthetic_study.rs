//! Writes a synthetic collection for timing llull on large data.
//!
//! It has queries, runs and true grades.
//!
//! ```text
//! cargo run --release -p llull-testkit --example synthetic_study -- DIR
//! ```
#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::{io, path::PathBuf};

use clap::Parser;
use llull_core::Seed;
use llull_testkit::SyntheticStudy;

/// Writes a synthetic collection. Without options: 1,000 queries and 104,855 pairs in three runs of depth 50.
#[derive(Parser)]
struct Options {
    /// The folder; created if missing.
    dir: PathBuf,
    /// Number of queries.
    #[arg(long, default_value_t = SyntheticStudy::default().topics)]
    topics: usize,
    /// Number of pairs of query and document in all runs together.
    #[arg(long, default_value_t = SyntheticStudy::default().pairs)]
    pairs: usize,
    /// Number of runs.
    #[arg(long, default_value_t = SyntheticStudy::default().runs)]
    runs: usize,
    /// Number of documents that a run returns for a query.
    #[arg(long, default_value_t = SyntheticStudy::default().depth)]
    depth: usize,
    /// The seed of all draws.
    #[arg(long, default_value_t = SyntheticStudy::default().seed.0)]
    seed: u64,
}

fn main() -> io::Result<()> {
    let Options { dir, topics, pairs, runs, depth, seed } = Options::parse();
    let files = SyntheticStudy { topics, pairs, runs, depth, seed: Seed(seed) }.write(&dir)?;
    println!("{} queries, {} pairs, {} runs in {}", topics, files.pairs, files.runs.len(), dir.display());
    Ok(())
}
