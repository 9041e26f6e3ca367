//! Measures the speed of judging a large study.
//!
//! The study has 1,000 queries, 104,855 pairs and 3 in-process judges, and its ledger is on disk. A second run only
//! reads. `cargo bench -p llull-runner` prints seconds and peak memory.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::{sync::Arc, time::Instant};

use llull_core::{Document, Paradigm, Scale, Topic};
use llull_judge::{IdfBuilder, Similarity};
use llull_runner::{
    Cancel, DocumentIndex, Driver, Exhaustive, Judge, Pair, PooledDocument, RunOptions, Silent,
    SimilarityJudge, TopicIndex, Workload,
};
use llull_store::SqliteLedger;

const TOPICS: u32 = 1_000;
const PAIRS: u32 = 104_855;

/// Passages of 60 words, the typical length in MS MARCO.
fn text(seed: u32, words: u32) -> String {
    let word = |at: u32| {
        let drawn = (seed ^ at.wrapping_mul(2_654_435_761)).wrapping_mul(2_246_822_519);
        // A few words are in most texts, and most words are in few texts.
        format!("w{}", (drawn >> 16) % (1 << (drawn % 14)))
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

fn main() {
    let topics: Vec<Topic> =
        (0..TOPICS).map(|at| Topic { id: (1_000_000 + at).to_string(), text: text(at, 7) }).collect();
    let documents: Vec<Document> = (0..PAIRS)
        .map(|at| Document { id: at.to_string(), text: text(at + 77_777, 60), ..Document::default() })
        .collect();
    let mut idf = IdfBuilder::new(topics.iter().map(|topic| topic.text.as_str()));
    documents.iter().for_each(|document| idf.add(&document.text));
    let idf = idf.finish();
    let judges: Vec<Arc<dyn Judge>> = [2, 3, 4]
        .into_iter()
        .map(|high| {
            let similarity = Similarity::new(Scale::new(0, high).unwrap(), idf.clone());
            Arc::new(SimilarityJudge::new(format!("0 to {high}"), similarity, Paradigm::Graded, 2))
                as Arc<dyn Judge>
        })
        .collect();
    let pair = |at| Pair { topic: TopicIndex(at * TOPICS / PAIRS), document: DocumentIndex(at) };
    let pairs = (0..PAIRS).map(pair).collect();
    let documents = documents.into_iter().map(PooledDocument::Found).collect();
    let workload = Arc::new(Workload::new(topics, documents, pairs).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    println!("memory with the texts                 {:>6} MB", peak_mb());
    for what in ["judge", "judge again, all in the ledger"] {
        let start = Instant::now();
        let mut store = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
        let (options, cancel) = (RunOptions::default(), Cancel::new());
        let driver =
            Driver { runtime: runtime.handle(), options: &options, reporter: &Silent, cancel: &cancel };
        let mut plan = Exhaustive::new(Arc::clone(&workload));
        let outcome = driver.run(&mut plan, &judges, &mut store).unwrap();
        assert!(outcome.evidence.is_complete());
        let tasks: usize = outcome.judges.iter().map(|judge| judge.planned).sum();
        println!("{tasks} {what:30} {:6.2} s, {} MB", start.elapsed().as_secs_f64(), peak_mb());
    }
    let size = folder.path().join("ledger.sqlite").metadata().unwrap().len();
    println!("ledger                                {:>6} MB", size / 1_000_000);
}

/// Returns the peak of resident memory so far, or 0 if the system does not report it.
fn peak_mb() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1000
}
