//! Leaders from the first contradiction on.

use llull_core::{Ballot, Item, Seed};
use llull_rank::simulate::{NoisyJudge, SimulatedPool, SimulatedPrior, ndcg};
use llull_rank::{Batch, Tournament, TournamentOptions, TournamentOutcome};
use proptest::prelude::*;

use crate::judges::{by_level, play, ranks, settings, whimsical};

fn noisy(items: usize, noise: f64, seed: u64) -> NoisyJudge {
    let pool = SimulatedPool::new(items, SimulatedPrior::Random, seed);
    NoisyJudge { noise, ..NoisyJudge::new(pool.worth, seed) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_judge_without_contradictions_sees_the_same_questions(
        items in 1..60usize, seed: u64, options in settings(), repeats in 0..3u32,
    ) {
        let ranks = ranks(items, seed);
        let questions = |rejudge: Option<u32>| {
            let mut tournament =
                Tournament::new(items, TournamentOptions { rejudge, ..options.clone() }).unwrap();
            let mut asked: Vec<Batch> = Vec::new();
            let outcome = play(&mut tournament, |batch| {
                asked.push(batch.clone());
                vec![by_level(&ranks, &batch.items)]
            });
            (asked, outcome)
        };
        let (leaders, repeated) = (questions(None), questions(Some(repeats)));
        prop_assert_eq!(&leaders, &repeated);
        prop_assert!(!leaders.1.credible);
    }

    #[test]
    fn a_tournament_is_played_again_from_its_answers(
        items in 2..60usize, seed: u64, mut options in settings(), noise in 0.0..2.0f64, reversed: bool,
    ) {
        options.rejudge = None;
        let judge = noisy(items, noise, seed);
        let run = |backwards: bool| {
            let mut tournament = Tournament::new(items, options.clone()).unwrap();
            let (mut asked, mut cast) = (Vec::new(), Vec::new());
            loop {
                let mut wave = tournament.next(usize::MAX);
                if wave.is_empty() {
                    break;
                }
                asked.extend(wave.clone());
                if backwards {
                    wave.reverse();
                }
                for batch in &wave {
                    cast.push(judge.answer(&batch.items, batch.round));
                    tournament.observe(batch, &cast[cast.len() - 1..]);
                }
            }
            let outcome = tournament.outcome();
            (asked, outcome, tournament.recast(&cast).outcome())
        };
        let (first, again) = (run(false), run(reversed));
        prop_assert_eq!(&first, &again);
        prop_assert_eq!(first.1, first.2);
    }

    #[test]
    fn any_judge_comes_to_an_end_with_every_item_in_one_tier(
        items in 1..50usize, seed: u64, mut options in settings(), silent in 0..5u32,
    ) {
        options.rejudge = None;
        let mut tournament = Tournament::new(items, options).unwrap();
        let mut asked = 0;
        let outcome = play(&mut tournament, |batch| {
            asked += 1;
            if silent > 0 && asked % 5 < silent { Vec::new() } else { vec![whimsical(seed, batch)] }
        });
        let mut all: Vec<Item> = outcome.tiers.iter().flat_map(|tier| tier.items.iter().copied()).collect();
        prop_assert_eq!(&all, &outcome.order);
        all.sort_unstable();
        prop_assert_eq!(all, Item::first(items).collect::<Vec<_>>());
        prop_assert!(!outcome.credible || outcome.complete);
    }
}

fn outcome(noise: f64, window: usize, rejudge: Option<u32>, seed: u64) -> (TournamentOutcome, f64) {
    let pool = SimulatedPool::new(100, SimulatedPrior::Random, seed).graded_by_worth();
    let judge = NoisyJudge { noise, ..NoisyJudge::new(pool.worth.clone(), seed) };
    let options = TournamentOptions { window, rejudge, seed: Seed(seed), ..TournamentOptions::default() };
    let mut tournament = Tournament::new(100, options).unwrap();
    let outcome = play(&mut tournament, |batch| vec![judge.answer(&batch.items, batch.round)]);
    let quality = ndcg(&outcome.order, &pool.grades, 10);
    (outcome, quality)
}

/// The mean calls and nDCG@10 of 40 queries.
fn mean(noise: f64, window: usize, rejudge: Option<u32>) -> (f64, f64) {
    let found = (0..40).map(|seed| outcome(noise, window, rejudge, 500 + seed));
    let (calls, quality): (Vec<f64>, Vec<f64>) =
        found.map(|(outcome, quality)| (outcome.calls as f64 / 40.0, quality / 40.0)).unzip();
    (calls.iter().sum(), quality.iter().sum())
}

// design/tournament-noise.md, "Own stop rule", window 10, noise 0.8: tiers .756 before, .963 after with 25.1 calls;
// with a bound of four standard errors of 40 queries.
#[test]
fn leaders_repair_the_order_of_a_noisy_judge() {
    let (calls, leaders) = mean(0.8, 10, None);
    let (_, repeated) = mean(0.8, 10, Some(1));
    assert!(leaders > 0.94 && leaders > repeated + 0.03, "{leaders} {repeated}");
    assert!(calls < 28.0, "{calls}");
}

#[test]
fn the_spread_shows_the_noise() {
    let spread = |noise: f64| {
        (0..10).map(|seed| outcome(noise, 10, None, 900 + seed).0.spread.unwrap()).sum::<f64>() / 10.0
    };
    let found = [0.0, 0.5, 1.2].map(spread);
    assert!(found[0] > 6.0 && found[0] > found[1] && found[1] > found[2] && found[2] < 2.0, "{found:?}");
}

#[test]
fn a_tier_ends_before_an_item_that_is_likely_to_be_worse() {
    // 0 and 1 contradict each other, both are far above 2 and 3.
    let mut tournament =
        Tournament::new(4, TournamentOptions { top: 1, ..TournamentOptions::default() }).unwrap();
    for _ in 0..6 {
        tournament.cast(&Ballot::strict([0, 1, 2, 3].map(Item)));
        tournament.cast(&Ballot::strict([1, 0, 2, 3].map(Item)));
    }
    let outcome = tournament.outcome();
    assert!(outcome.credible && !outcome.complete, "{outcome:?}");
    let tiers: Vec<usize> = outcome.tiers.iter().map(|tier| tier.items.len()).collect();
    assert_eq!(tiers, [2, 1, 1]);
    assert_eq!(outcome.cycles.cyclic, 0);
}

#[test]
fn who_joins_a_contradicting_tournament_is_compared_first() {
    let options = TournamentOptions { window: 3, top: 2, ..TournamentOptions::default() };
    let mut tournament = Tournament::new(3, options).unwrap();
    for (better, worse) in [(0, 1), (1, 2), (2, 0)] {
        tournament.cast(&Ballot::strict([better, worse].map(Item)));
    }
    play(&mut tournament, |batch| vec![whimsical(3, batch)]);
    tournament.extend(6);
    let wave = tournament.next(usize::MAX);
    assert_eq!(wave[0].items, [3, 4, 5].map(Item));
}
