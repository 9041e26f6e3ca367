//! Calls against waves of the three schedules, with a judge that never errs.
//!
//!     cargo run --release -p llull-rank --example tournament_curve

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use llull_core::{Ballot, Item};
use llull_rank::{Schedule, Tournament, TournamentError, TournamentOptions, TournamentOutcome};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEEDS: u64 = 200;

/// Plays one tournament; item `i` has true rank `rank[i]`.
fn play(rank: &[u32], options: &TournamentOptions) -> Result<TournamentOutcome, TournamentError> {
    let mut tournament = Tournament::new(rank.len(), options.clone())?;
    loop {
        let wave = tournament.next(usize::MAX);
        if wave.is_empty() {
            return Ok(tournament.outcome());
        }
        for batch in &wave {
            let mut groups: Vec<Vec<Item>> = batch.items.iter().map(|&item| vec![item]).collect();
            groups.sort_by_key(|group| rank[group[0].index()]);
            tournament.observe(batch, &[Ballot::new(groups)]);
        }
    }
}

/// The true ranks of items in prior order: random, or ordered by rank + N(0, noise n).
fn ranks(items: usize, noise: Option<f64>, seed: u64) -> Vec<u32> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut ranks: Vec<u32> = (0..items as u32).collect();
    match noise {
        None => ranks.shuffle(&mut chance),
        Some(noise) => {
            let key: Vec<f64> =
                (0..items).map(|rank| rank as f64 + noise * items as f64 * normal(&mut chance)).collect();
            ranks.sort_by(|&a, &b| key[a as usize].total_cmp(&key[b as usize]));
        }
    }
    ranks
}

fn normal(chance: &mut ChaCha8Rng) -> f64 {
    let (a, b): (f64, f64) = (chance.random(), chance.random());
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

fn main() -> Result<(), TournamentError> {
    println!("items window  top prior    schedule     calls mean   max   waves mean   max   bound*1.25");
    let shapes = [
        (25, 5, 3),
        (100, 10, 10),
        (100, 20, 10),
        (100, 5, 10),
        (100, 10, 100),
        (100, 2, 10),
        (1000, 20, 10),
        (1000, 10, 10),
        (1000, 20, 100),
    ];
    for (items, window, top) in shapes {
        for noise in [None, Some(0.2)] {
            for schedule in [Schedule::Sequential, Schedule::Balanced, Schedule::Parallel] {
                let options = TournamentOptions { window, top, schedule, ..TournamentOptions::default() };
                let outcomes = (0..if items > 500 { 20 } else { SEEDS })
                    .map(|seed| play(&ranks(items, noise, seed), &options))
                    .collect::<Result<Vec<TournamentOutcome>, _>>()?;
                assert!(outcomes.iter().all(|outcome| outcome.complete));
                let mean = |figure: fn(&TournamentOutcome) -> u64| {
                    outcomes.iter().map(|outcome| figure(outcome) as f64).sum::<f64>() / outcomes.len() as f64
                };
                let max =
                    |figure: fn(&TournamentOutcome) -> u64| outcomes.iter().map(figure).max().unwrap_or(0);
                let (n, k, m) = (items as f64, window as f64, top as f64);
                let bound = 1.25 * ((n - 1.0) / (k - 1.0) + (m - 1.0) / (k - 1.0) * (1.0 + m.ln() / k.ln()));
                println!(
                    "{items:5} {window:6} {top:4} {:8} {schedule:12?} {:10.2} {:5} {:12.2} {:5} {bound:12.2}",
                    if noise.is_some() { "ranks" } else { "random" },
                    mean(|o| o.calls),
                    max(|o| o.calls),
                    mean(|o| o.waves),
                    max(|o| o.waves),
                );
            }
        }
    }
    Ok(())
}
