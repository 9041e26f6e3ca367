//! Tests that the tournament ends, whatever judges answer or fail to.

use crate::judges::{by_level, mix, play, ranks, settings, whimsical};
use llull_core::{Ballot, Item};
use llull_rank::{TieRule, Tournament, TournamentOptions, TournamentOutcome, tiers};
use proptest::prelude::*;

prop_compose! {
    fn ballots(items: u32)(
        seeds in prop::collection::vec((any::<u64>(), 2..7usize, 0..3u32, 1..5u32), 0..30),
    ) -> Vec<Ballot> {
        seeds.into_iter().map(|(seed, size, ties, weight)| ballot(items, seed, size, ties, weight)).collect()
    }
}

fn ballot(items: u32, seed: u64, size: usize, ties: u32, weight: u32) -> Ballot {
    let mut shown: Vec<Item> = Item::first(items as usize).collect();
    shown.sort_by_key(|&item| mix(seed, u64::from(item.0)));
    shown.truncate(size);
    let rest = if ties == 2 { shown.split_off(size / 2) } else { Vec::new() };
    let groups = shown.chunks(if ties == 1 { 2 } else { 1 }).map(<[Item]>::to_vec).collect();
    // tenths are no binary fractions: their sums depend on the order unless they are added exactly
    Ballot { rest, weight: f64::from(weight) / 10.0, ..Ballot::new(groups) }
}

fn items_of(outcome: &TournamentOutcome) -> Vec<Vec<Item>> {
    let mut tiers: Vec<Vec<Item>> = outcome.tiers.iter().map(|tier| tier.items.clone()).collect();
    tiers.iter_mut().for_each(|tier| tier.sort_unstable());
    tiers
}

proptest! {
    #[test]
    fn the_order_of_arrival_changes_nothing(items in 2..50usize, seed: u64, options in settings(), panel in 1..4u32) {
        let mut forwards = Tournament::new(items, options.clone()).unwrap();
        let mut shuffled = Tournament::new(items, options).unwrap();
        loop {
            let wave = forwards.next(usize::MAX);
            let mut again = shuffled.next(usize::MAX);
            prop_assert_eq!(&wave, &again);
            if wave.is_empty() {
                break;
            }
            let calls = forwards.outcome().calls;
            again.sort_by_key(|batch| mix(seed ^ calls, u64::from(batch.items[0].0)));
            let answer = |batch: &llull_rank::Batch| -> Vec<Ballot> {
                (0..panel)
                    .filter(|&judge| !mix(seed, u64::from(batch.items[0].0 + judge)).is_multiple_of(5))
                    .map(|judge| {
                        let weight = 0.1 + f64::from(judge) / 3.0;
                        Ballot { judge, weight, ..whimsical(seed ^ u64::from(judge), batch) }
                    })
                    .collect()
            };
            for batch in &wave {
                forwards.observe(batch, &answer(batch));
            }
            for batch in &again {
                let mut ballots = answer(batch);
                ballots.reverse();
                shuffled.observe(batch, &ballots);
            }
            prop_assert_eq!(format!("{:?}", forwards.outcome()), format!("{:?}", shuffled.outcome()));
        }
    }

    #[test]
    fn it_ends_whatever_is_answered(items in 0..40usize, seed: u64, options in settings(), missing in 0..6u64) {
        let mut tournament = Tournament::new(items, options).unwrap();
        let outcome = play(&mut tournament, |batch| {
            let chance = mix(seed, u64::from(batch.round) << 32 | u64::from(batch.items[0].0));
            match chance % 6 {
                luck if luck < missing => Vec::new(),
                4 => vec![Ballot::new(vec![batch.items[..1].to_vec()])],
                5 => vec![ballot(items as u32, chance, 3.min(items), 1, 1)],
                _ => vec![whimsical(seed, batch)],
            }
        });
        let mut all = outcome.order.clone();
        all.sort_unstable();
        prop_assert_eq!(all, Item::first(items).collect::<Vec<_>>());
        let mut all = outcome.ranking.clone();
        all.sort_unstable();
        prop_assert_eq!(all, Item::first(items).collect::<Vec<_>>());
        prop_assert_eq!(outcome.complete, tournament.is_final());
        prop_assert_eq!(outcome.tiers.iter().flat_map(|tier| tier.items.clone()).collect::<Vec<_>>(), outcome.order);
    }

    #[test]
    fn outvoted_is_as_good_as_unsaid(kept in ballots(10), outvoted in ballots(10)) {
        // every pair of `outvoted` is contradicted by a heavier reverse ballot; only the difference counts
        let reverse = |ballot: &Ballot, weight: f64| Ballot {
            groups: ballot.groups.iter().rev().cloned().collect(), rest: Vec::new(), judge: 1, weight,
        };
        let outvoted: Vec<Ballot> = outvoted.into_iter().filter(|ballot| ballot.rest.is_empty()).collect();
        let with_reverse = |it: &Ballot| [it.clone(), reverse(it, it.weight + 2.0)];
        let both = kept.iter().cloned().chain(outvoted.iter().flat_map(with_reverse));
        let net = kept.iter().cloned().chain(outvoted.iter().map(|it| reverse(it, 2.0)));
        let both = tiers(10, &both.collect::<Vec<_>>(), TieRule::Equal);
        let net = tiers(10, &net.collect::<Vec<_>>(), TieRule::Equal);
        prop_assert_eq!(items_of(&both), items_of(&net));
        prop_assert_eq!(both.cycles, net.cycles);
    }
}

#[test]
fn one_document_that_no_judge_answers_about_leaves_the_others_in_order() {
    let ranks = ranks(40, 11);
    let mut tournament =
        Tournament::new(40, TournamentOptions { top: 5, ..TournamentOptions::default() }).unwrap();
    let poison = Item(7);
    let outcome = play(&mut tournament, |batch| {
        if batch.items.contains(&poison) { Vec::new() } else { vec![by_level(&ranks, &batch.items)] }
    });
    assert_eq!(outcome.unanswered, 4, "as often as documented");
    assert!(!outcome.complete && !tournament.is_final(), "it may be the best of all");
    assert!(outcome.tiers.iter().all(|tier| !tier.is_final));
    let mut best: Vec<Item> = Item::first(40).filter(|&item| item != poison).collect();
    best.sort_by_key(|&item| ranks[item.index()]);
    let found: Vec<Item> = outcome.order.iter().copied().filter(|&item| item != poison).collect();
    assert_eq!(found[..5], best[..5]);
}

#[test]
fn when_nothing_is_answered_little_is_asked() {
    let mut tournament = Tournament::new(100, TournamentOptions::default()).unwrap();
    let outcome = play(&mut tournament, |_| Vec::new());
    assert_eq!((outcome.calls, outcome.unanswered), (90, 90));
    assert_eq!(outcome.tiers.len(), 1);
    assert_eq!(outcome.order, Item::first(100).collect::<Vec<_>>());
}

#[test]
fn a_careless_answer_is_outvoted() {
    let mut tournament =
        Tournament::new(9, TournamentOptions { window: 3, top: 3, ..TournamentOptions::default() }).unwrap();
    let ranks: Vec<u32> = (0..9).collect();
    for pair in [[0, 1], [1, 2]] {
        tournament.cast(&by_level(&ranks, &pair.map(Item)));
    }
    tournament.cast(&Ballot::of([[2], [0]]));
    assert!(tournament.outcome().tiers.iter().any(|tier| tier.cyclic));
    let outcome = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
    assert_eq!(outcome.order[..3], [0, 1, 2].map(Item));
    assert!(outcome.complete && outcome.tiers.iter().all(|tier| !tier.cyclic || !tier.is_final));
}

/// Answers that no order fits were all called cycles, even without a cycle.
#[test]
fn a_contradiction_between_answers_is_no_cycle() {
    let mut both_ways = Tournament::new(2, TournamentOptions::default()).unwrap();
    let mut led_back_by_ties = Tournament::new(3, TournamentOptions::default()).unwrap();
    for pair in [[0, 1], [1, 0]] {
        both_ways.cast(&Ballot::strict(pair.map(Item)));
    }
    led_back_by_ties.cast(&Ballot::strict([0, 1].map(Item)));
    for tied in [[1, 2], [2, 0]] {
        led_back_by_ties.cast(&Ballot::of([tied]));
    }
    for tournament in [both_ways, led_back_by_ties] {
        let outcome = tournament.outcome();
        assert_eq!(outcome.tiers.len(), 1);
        assert!(outcome.tiers[0].contradictory && !outcome.tiers[0].cyclic, "{outcome:?}");
        assert_eq!((outcome.cycles.cyclic, outcome.cycles.largest_component), (0, 1));
    }
}

#[test]
fn a_cycle_that_stays_is_a_tier_and_is_asked_about_so_often() {
    // rock, paper, scissors, above everything else
    let truth = [0, 0, 0, 1, 2, 3];
    let options = TournamentOptions { window: 2, top: 3, rejudge: Some(2), ..TournamentOptions::default() };
    let mut tournament = Tournament::new(6, options).unwrap();
    for (better, worse) in [(0, 1), (1, 2), (2, 0)] {
        tournament.cast(&Ballot::of([[better], [worse]]));
    }
    let mut asked = 0;
    let outcome = play(&mut tournament, |batch| {
        let (low, high) = (batch.items[0], batch.items[1]);
        if high > Item(2) {
            return vec![by_level(&truth, &batch.items)];
        }
        asked += 1;
        let follows = high.index() - low.index() == 1;
        vec![Ballot::strict(if follows { [low, high] } else { [high, low] })]
    });
    let best = &outcome.tiers[0];
    assert!(best.cyclic && best.is_final && outcome.complete);
    let mut members = best.items.clone();
    members.sort_unstable();
    assert_eq!(members, [0, 1, 2].map(Item));
    assert_eq!((outcome.cycles.cyclic, outcome.cycles.largest_component), (1, 3));
    assert_eq!(asked, 9, "three pairs, once and twice more");
}
