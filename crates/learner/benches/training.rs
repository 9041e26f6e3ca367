//! Measures the training on 1,544 pairs with the answers of 78 judges.
//!
//! It runs every learner in folds of folds, and all 79,157 subsets of up to three judges. `cargo bench -p
//! llull-learner --bench training` fails when it takes 20 seconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use llull_core::{PairChoice, Seed, SplitMix64};
use llull_learner::{FeatureTable, LearnerSettings, PairFeature, TrainOptions, TrainingTable, train};

const LIMIT: Duration = Duration::from_secs(20);
const PAIRS: usize = 1_544;
const JUDGES: usize = 78;
const QUERIES: usize = 54;

/// Pairs of which some are hard for every judge. A judge names the right side of an easy one in 85 to 97 of 100, and
/// its answer changes with the order of the two in a tenth.
fn table() -> TrainingTable {
    let mut stream = SplitMix64::new(Seed(11).stream("pairs"));
    let lhs: Vec<bool> = (0..PAIRS).map(|_| stream.next_u64().is_multiple_of(2)).collect();
    let right_of_100: Vec<u64> =
        (0..PAIRS).map(|_| if stream.next_u64().is_multiple_of(5) { 45 } else { 97 }).collect();
    let mut columns = Vec::new();
    for judge in 0..JUDGES as u64 {
        let answer = |(lhs, right): (&bool, &u64)| {
            let better = if *lhs { PairChoice::Lhs } else { PairChoice::Rhs };
            match stream.next_u64() % 100 {
                0..10 => PairChoice::Neither,
                _ if stream.next_u64() % 100 < right - judge % 13 => better,
                _ => better.mirrored(),
            }
        };
        columns.push(lhs.iter().zip(&right_of_100).map(answer).collect());
    }
    let features = (0..JUDGES).map(|at| PairFeature { name: format!("judge {at}"), calls: 2 }).collect();
    let groups = (0..PAIRS).map(|pair| pair * QUERIES / PAIRS).collect();
    TrainingTable::new(FeatureTable::new(features, columns).unwrap(), lhs, groups).unwrap()
}

fn main() -> ExitCode {
    let table = table();
    let options = TrainOptions::new(LearnerSettings::new(Seed(42)));
    let start = Instant::now();
    let trained = train(&table, &options).unwrap();
    let time = start.elapsed();
    assert_eq!(trained.subsets_counted, 78 + 78 * 77 / 2 + 78 * 77 * 76 / 6);
    println!("{PAIRS} x {JUDGES}, {} subsets: {:.2} s", trained.subsets_counted, time.as_secs_f64());
    if time >= LIMIT { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
