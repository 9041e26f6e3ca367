//! Times statistics on numbers from a file, for benches/significance.py: `statistics_race alpha|pairs FILE REPEATS`.
//!
//! `alpha`: a line per unit with the grade of every rater, `.` for none; the agreement of the raters, every figure
//! with its interval from 1,000 resamples of the units. `pairs`: a line per run with its value for every query; the
//! sign-flip permutation test of all pairs, 10,000 draws each. Prints one object: the least seconds of all repeats,
//! and the result.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::Instant;

use llull_core::Seed;
use llull_stats::{BootstrapOptions, PairOptions, PairTest, PanelRatings, compare_all, panel_agreement};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, file, repeats] = arguments.as_slice() else {
        return Err("usage: statistics_race alpha|pairs FILE REPEATS".into());
    };
    let text = fs_err::read_to_string(file)?;
    let race = match what.as_str() {
        "alpha" => alpha,
        "pairs" => pairs,
        other => return Err(format!("{other}: alpha or pairs").into()),
    };
    let (mut least, mut found) = (f64::INFINITY, Value::Null);
    for _ in 0..repeats.parse::<usize>()? {
        let (seconds, said) = race(&text)?;
        least = least.min(seconds);
        found = said;
    }
    println!("{}", json!({"seconds": least, "found": found}));
    Ok(())
}

fn alpha(text: &str) -> Result<(f64, Value), Failure> {
    let unit = |line: &str| line.split(' ').filter(|grade| *grade != ".").map(str::parse).collect();
    let units = text.lines().map(unit).collect::<Result<Vec<Vec<i32>>, _>>()?;
    let options = BootstrapOptions { resamples: 1_000, ..BootstrapOptions::new(Seed(1)) };
    let start = Instant::now();
    // The bootstrap resamples queries and the peer resamples units, so here every unit is a query.
    let ratings = PanelRatings::new(units.into_iter().map(|unit| [unit]))?;
    let found = panel_agreement(&ratings, Some(&options))?;
    Ok((start.elapsed().as_secs_f64(), serde_json::to_value(&found)?))
}

fn pairs(text: &str) -> Result<(f64, Value), Failure> {
    let run = |line: &str| line.split(' ').map(str::parse).collect();
    let runs = text.lines().map(run).collect::<Result<Vec<Vec<f64>>, _>>()?;
    let options = PairOptions::new(PairTest::Permutation, Seed(1));
    let start = Instant::now();
    let found = compare_all(&runs, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    let pairs = found.pairs.iter().map(|pair| json!([pair.baseline, pair.candidate, pair.p]));
    Ok((seconds, pairs.collect()))
}
