//! Tests the design's figures of cost with a perfect judge.

use crate::judges::{by_level, mix, play, ranks};
use llull_rank::{Schedule, Tournament, TournamentOptions, TournamentOutcome};

const SEEDS: u64 = 200;

fn outcomes(
    items: usize,
    window: usize,
    top: usize,
    schedule: Schedule,
    ranks: impl Fn(u64) -> Vec<u32>,
) -> Vec<TournamentOutcome> {
    let options = TournamentOptions { window, top, schedule, ..TournamentOptions::default() };
    (0..SEEDS)
        .map(|seed| {
            let ranks = ranks(seed);
            let mut tournament = Tournament::new(items, options.clone()).unwrap();
            let outcome = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
            assert!(outcome.complete);
            outcome
        })
        .collect()
}

fn mean_max(outcomes: &[TournamentOutcome], figure: fn(&TournamentOutcome) -> u64) -> (f64, u64) {
    let sum: u64 = outcomes.iter().map(figure).sum();
    (sum as f64 / outcomes.len() as f64, outcomes.iter().map(figure).max().unwrap())
}

/// Never more than this in the design.
fn bound(items: usize, window: usize, top: usize) -> f64 {
    let (n, k, m) = (items as f64, window as f64, top as f64);
    1.25 * ((n - 1.0) / (k - 1.0) + (m - 1.0) / (k - 1.0) * (1.0 + m.ln() / k.ln()))
}

fn sequential(items: usize, window: usize, top: usize) -> f64 {
    let outcomes = outcomes(items, window, top, Schedule::Sequential, |seed| ranks(items, seed));
    let (mean, max) = mean_max(&outcomes, |outcome| outcome.calls);
    assert!((max as f64) < bound(items, window, top), "({items}, {window}, {top}): {max} calls");
    mean
}

#[test]
fn twenty_five_horses_run_seven_races() {
    for schedule in [Schedule::Sequential, Schedule::Balanced] {
        let outcomes = outcomes(25, 5, 3, schedule, |seed| ranks(25, seed));
        assert!(outcomes.iter().all(|outcome| outcome.calls == 7));
    }
}

#[test]
fn the_top_ten_of_a_hundred() {
    assert!(sequential(100, 10, 10) <= 14.2);
    assert!(sequential(100, 5, 10) <= 33.6);
}

// Seven calls minus the chance that six are enough, which is that no group of 20 holds 4 of the best 9
// (hypergeometric). So any schedule of five disjoint batches and one of their best expects 6.3715; the mean of 200
// seeds has a standard error of 0.034.
#[test]
fn the_top_ten_of_a_hundred_in_wide_windows() {
    assert!((sequential(100, 20, 10) - 6.3715).abs() <= 3.0 * 0.034);
}

#[test]
fn the_full_order_of_a_hundred() {
    assert!(sequential(100, 10, 100) <= 37.7);
}

#[test]
fn a_good_guess_saves_calls() {
    let informed = |seed: u64| {
        let mut ranks: Vec<u32> = (0..100).collect();
        let uniform = |word: u64| (mix(seed, word) >> 11) as f64 / (1u64 << 53) as f64;
        let normal = |rank: u32| {
            let (a, b) = (uniform(2 * u64::from(rank)), uniform(2 * u64::from(rank) + 1));
            (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
        };
        ranks.sort_by(|&a, &b| {
            (f64::from(a) + 20.0 * normal(a)).total_cmp(&(f64::from(b) + 20.0 * normal(b)))
        });
        ranks
    };
    for schedule in [Schedule::Sequential, Schedule::Balanced] {
        let outcomes = outcomes(100, 10, 10, schedule, informed);
        assert!(mean_max(&outcomes, |outcome| outcome.calls).0 <= 13.4);
    }
}

#[test]
fn fewer_waves_cost_few_calls() {
    let (fewest, _) =
        mean_max(&outcomes(100, 10, 10, Schedule::Sequential, |seed| ranks(100, seed)), |outcome| {
            outcome.calls
        });
    for (schedule, waves) in [(Schedule::Balanced, 6), (Schedule::Parallel, 5)] {
        let outcomes = outcomes(100, 10, 10, schedule, |seed| ranks(100, seed));
        assert!(mean_max(&outcomes, |outcome| outcome.waves).1 <= waves);
        assert!(mean_max(&outcomes, |outcome| outcome.calls).0 <= 1.2 * fewest);
    }
}
