//! Tests the order under a noisy judge, with the same votes.
//!
//! It is `examples/noise_study` in small, on topics of its own.

use llull_core::{Ballot, Item};
use llull_rank::ratings::{RatingOptions, bradley_terry};
use llull_rank::simulate::{NoisyJudge, SimulatedPool, SimulatedPrior, ndcg};
use llull_rank::{Schedule, Tournament, TournamentOptions, TournamentOutcome};

const TOPICS: u64 = 120;
const DOCUMENTS: usize = 100;

/// A tournament that accepts every cycle at once, with a Bradley-Terry rating of its votes.
fn topic(prior: SimulatedPrior, noise: f64, seed: u64) -> (SimulatedPool, TournamentOutcome, Vec<Item>) {
    let pool = SimulatedPool::new(DOCUMENTS, prior, seed);
    let judge = NoisyJudge { noise, ..NoisyJudge::new(pool.worth.clone(), seed) };
    let options = TournamentOptions {
        schedule: Schedule::Sequential,
        rejudge: Some(0),
        ..TournamentOptions::default()
    };
    let mut tournament = Tournament::new(DOCUMENTS, options).unwrap();
    let mut ballots: Vec<Ballot> = Vec::new();
    while let Some(batch) = tournament.next(1).first() {
        ballots.push(judge.answer(&batch.items, batch.round));
        tournament.observe(batch, &ballots[ballots.len() - 1..]);
    }
    let options = RatingOptions { standard_errors: false, ..RatingOptions::default() };
    let scores = bradley_terry(DOCUMENTS, &ballots, &options).unwrap().scores;
    let mut rated: Vec<Item> = Item::first(DOCUMENTS).collect();
    rated.sort_by(|&a, &b| {
        let score = |item: Item| scores[item.index()].unwrap_or(f64::NEG_INFINITY);
        score(b).total_cmp(&score(a))
    });
    (pool, tournament.outcome(), rated)
}

/// By how much the nDCG@10 of order and ranking is above that of Bradley-Terry on the same votes.
fn above_bradley_terry(prior: SimulatedPrior, noise: f64) -> (f64, f64) {
    let (mut order, mut ranking) = (0.0, 0.0);
    for seed in 0..TOPICS {
        let (pool, outcome, rated) = topic(prior, noise, 7_000 + seed);
        let quality = |items: &[Item]| ndcg(items, &pool.grades, 10);
        order += (quality(&outcome.order) - quality(&rated)) / TOPICS as f64;
        ranking += (quality(&outcome.ranking) - quality(&rated)) / TOPICS as f64;
    }
    (order, ranking)
}

// issue 3: the study's setting
#[test]
fn the_runs_order_makes_more_of_the_same_votes() {
    let (order, ranking) = above_bradley_terry(SimulatedPrior::Worth(1.2), 0.5);
    assert!(order > 0.0 && ranking > 0.008, "{order} {ranking}");
}

#[test]
fn an_order_that_says_nothing_does_little_harm() {
    let (order, ranking) = above_bradley_terry(SimulatedPrior::Random, 0.5);
    assert!(order > -0.008 && ranking > -0.004, "{order} {ranking}");
}

#[test]
fn a_perfect_judge_is_taken_at_its_word() {
    for seed in 0..20 {
        let (pool, outcome, _) = topic(SimulatedPrior::Worth(1.2), 0.0, seed);
        assert_eq!(outcome.order[..10], pool.true_order()[..10]);
    }
    let (order, ranking) = above_bradley_terry(SimulatedPrior::Worth(1.2), 0.0);
    assert!(order >= 0.0 && ranking > -0.005, "{order} {ranking}");
}
