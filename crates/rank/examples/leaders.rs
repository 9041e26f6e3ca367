//! Measures tournaments with a noisy judge.
//!
//! `cargo run --release -p llull-rank --example leaders -- QUERIES WINDOWS NOISES` prints a line for each window and
//! noise, with the pools and the judge of `llull plan`. Quality is nDCG@10 with the gain 2^grade - 1: of the tiers with
//! ties in the order of the rating, and of the rating across tiers. `repeat 1` is the schedule before version 1.

#![allow(clippy::print_stdout, reason = "a study says what it found")]

use std::error::Error;

use llull_core::Seed;
use llull_rank::simulate::{PlanOptions, SimulatedPrior, ndcg, play};
use llull_rank::{TournamentError, TournamentOptions, TournamentOutcome};
use rayon::prelude::*;

/// A tournament, with the quality of its tiers and of its rating.
type Played = (TournamentOutcome, [f64; 2]);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, queries, windows, noises] = arguments.as_slice() else {
        return Err(
            "usage: leaders QUERIES WINDOWS NOISES, for example leaders 120 5,10,20 0,0.35,0.5,0.8,1.2"
                .into(),
        );
    };
    let queries: u32 = queries.parse()?;
    println!("window noise  rule       calls  p95  waves  tiers  rating  spread  contradict");
    for window in windows.split(',') {
        for noise in noises.split(',') {
            for (name, rejudge) in [("leaders", None), ("repeat 1", Some(1))] {
                let tournament =
                    TournamentOptions { window: window.parse()?, rejudge, ..TournamentOptions::default() };
                let options = PlanOptions {
                    documents: 100,
                    tournament,
                    noise: noise.parse()?,
                    ties: 0.0,
                    prior: SimulatedPrior::Random,
                };
                let found: Vec<Played> =
                    (0..queries).into_par_iter().map(|at| query(&options, at)).collect::<Result<_, _>>()?;
                let mean =
                    |of: &dyn Fn(&Played) -> f64| found.iter().map(of).sum::<f64>() / f64::from(queries);
                let mut calls: Vec<u64> = found.iter().map(|(outcome, _)| outcome.calls).collect();
                calls.sort_unstable();
                println!(
                    "{window:>6} {noise:>5}  {name:9} {:>6.2} {:>4} {:>6.2} {:>6.3} {:>7.3} {:>7.2} {:>11.2}",
                    mean(&|(outcome, _)| outcome.calls as f64),
                    calls.get(calls.len() * 95 / 100).copied().unwrap_or_default(),
                    mean(&|(outcome, _)| outcome.waves as f64),
                    mean(&|(_, [tiers, _])| *tiers),
                    mean(&|(_, [_, rating])| *rating),
                    mean(&|(outcome, _)| outcome.spread.unwrap_or(f64::NAN)),
                    mean(&|(outcome, _)| f64::from(u8::from(
                        outcome.tiers.iter().any(|tier| tier.contradictory)
                    ))),
                );
            }
        }
    }
    Ok(())
}

fn query(options: &PlanOptions, number: u32) -> Result<Played, TournamentError> {
    let seed = Seed(3).stream(&format!("leaders {number}"));
    let (pool, judge) = options.topic(seed);
    let options = TournamentOptions { seed: Seed(seed), ..options.tournament.clone() };
    let outcome = play(&judge, &options, None)?;
    let top = options.top;
    let quality = [ndcg(&outcome.order, &pool.grades, top), ndcg(&outcome.ranking, &pool.grades, top)];
    Ok((outcome, quality))
}
