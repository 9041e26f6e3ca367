//! Writes a synthetic collection with topics, runs and true grades, for timing llull on something large.
//!
//! ```text
//! cargo run --release -p llull-testkit --example synthetic_study -- DIR
//! ```
#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::{io, path::PathBuf};

use clap::Parser;
use llull_core::Seed;
use llull_testkit::SyntheticStudy;

/// Writes a synthetic collection. Without options: 1,000 topics and 104,855 pairs in three runs of depth 50.
#[derive(Parser)]
struct Options {
    /// The folder; made if missing.
    dir: PathBuf,
    /// Topics.
    #[arg(long, default_value_t = SyntheticStudy::default().topics)]
    topics: usize,
    /// Pairs of topic and document in all runs together.
    #[arg(long, default_value_t = SyntheticStudy::default().pairs)]
    pairs: usize,
    /// Runs.
    #[arg(long, default_value_t = SyntheticStudy::default().runs)]
    runs: usize,
    /// Documents that a run returns for a topic.
    #[arg(long, default_value_t = SyntheticStudy::default().depth)]
    depth: usize,
    /// The source of it all.
    #[arg(long, default_value_t = SyntheticStudy::default().seed.0)]
    seed: u64,
}

fn main() -> io::Result<()> {
    let Options { dir, topics, pairs, runs, depth, seed } = Options::parse();
    let files = SyntheticStudy { topics, pairs, runs, depth, seed: Seed(seed) }.write(&dir)?;
    println!("{} topics, {} pairs, {} runs in {}", topics, files.pairs, files.runs.len(), dir.display());
    Ok(())
}
