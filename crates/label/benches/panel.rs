//! Measures the combination of panels as large as published ones.
//!
//! These have 26,341 pairs of 5 judges and 4,423 of 20. `cargo bench -p llull-label --bench panel` fails when a method
//! takes a second.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench fails by panicking and prints what it measured"
)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use llull_core::{Grade, Scale, Seed, SplitMix64};
use llull_label::panel::{PanelGrades, PanelMethod, choose_method, combine};
use llull_stats::BootstrapOptions;

const LIMIT: Duration = Duration::from_secs(1);
const METHODS: [&str; 8] =
    ["majority", "median", "mean", "ordinal", "dawid-skene", "weights", "best:3", "judge:0"];

/// Grades of judges that share half of their mistakes, as language models do, and human grades of every tenth pair.
fn panel(pairs: usize, judges: usize, queries: usize) -> (PanelGrades, Vec<Option<Grade>>) {
    let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), judges);
    let mut stream = SplitMix64::new(Seed(7).stream("panel"));
    let mut truth = Vec::with_capacity(pairs);
    for pair in 0..pairs {
        let people = [0, 0, 0, 0, 1, 1, 2, 3][(stream.next_u64() % 8) as usize];
        let shared = (stream.next_u64() % 4) as Grade - 1;
        let mut given = Vec::with_capacity(judges);
        for judge in 0..judges {
            let own = (stream.next_u64() % 3) as Grade - 1;
            let off = if stream.next_u64().is_multiple_of(2) { shared } else { own };
            if !stream.next_u64().is_multiple_of(50) {
                given.push((judge, (people + off).clamp(0, 3)));
            }
        }
        panel.push(pair * queries / pairs, given).unwrap();
        truth.push(pair.is_multiple_of(10).then_some(people));
    }
    (panel, truth)
}

fn main() -> ExitCode {
    let mut slow = false;
    for (pairs, judges, queries) in [(26_341, 5, 82), (4_423, 20, 25)] {
        let (panel, truth) = panel(pairs, judges, queries);
        for name in METHODS {
            let method: PanelMethod = name.parse().unwrap();
            let start = Instant::now();
            let combined = combine(&panel, method, Some(&truth)).unwrap();
            let time = start.elapsed();
            assert_eq!(combined.grades.len(), pairs);
            println!("{pairs} x {judges} {name}: {:.3} s", time.as_secs_f64());
            slow |= time >= LIMIT;
        }
        let start = Instant::now();
        let choice = choose_method(&panel, &truth, &BootstrapOptions::new(Seed(42))).unwrap();
        let time = start.elapsed().as_secs_f64();
        println!("{pairs} x {judges} the choice of a method, {}: {time:.3} s", choice.grade);
    }
    if slow { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
