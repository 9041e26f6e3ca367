//! With a judge that has an order, the tournament finds it.

use crate::judges::{by_level, mix, play, ranks, settings};
use llull_core::{Ballot, Item};
use llull_rank::{TieRule, Tournament, TournamentOptions, TournamentOutcome, tiers};
use proptest::prelude::*;

pub(crate) fn final_tiers(outcome: &TournamentOutcome) -> Vec<Vec<Item>> {
    outcome.tiers.iter().filter(|tier| tier.is_final).map(|tier| sorted(&tier.items)).collect()
}

pub(crate) fn sorted(items: &[Item]) -> Vec<Item> {
    let mut items = items.to_vec();
    items.sort_unstable();
    items
}

/// The items of each level, best first.
pub(crate) fn levels(levels: &[u32]) -> Vec<Vec<Item>> {
    let all: Vec<Item> = Item::first(levels.len()).collect();
    by_level(levels, &all).groups.into_iter().filter(|group| !group.is_empty()).collect()
}

proptest! {
    #[test]
    fn the_same_votes_counted_anew_settle_the_same(
        truth in prop::collection::vec(0..12u32, 1..40), mut options in settings(), ties: bool,
    ) {
        options.ties = if ties { TieRule::Equal } else { TieRule::Open };
        let mut tournament = Tournament::new(truth.len(), options).unwrap();
        let mut cast = Vec::new();
        let outcome = play(&mut tournament, |batch| {
            let ballot = by_level(&truth, &batch.items);
            cast.push(ballot.clone());
            vec![ballot]
        });
        let anew = tournament.recast(&cast);
        prop_assert_eq!(anew.outcome(), outcome);
        prop_assert_eq!(anew.split_pairs(), 0);
        // Without ballots everything is open.
        let nothing = tournament.recast(&[]).outcome();
        prop_assert_eq!((nothing.tiers.len(), nothing.complete), (1, truth.len() < 2));
    }

    #[test]
    fn a_transitive_judge_gives_exactly_its_order(items in 0..60usize, seed: u64, options in settings()) {
        let ranks = ranks(items, seed);
        let mut tournament = Tournament::new(items, options.clone()).unwrap();
        let outcome = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
        prop_assert!(outcome.complete && tournament.is_final());
        prop_assert_eq!((outcome.cycles.cyclic, outcome.unanswered), (0, 0));
        let found = final_tiers(&outcome);
        prop_assert!(found.len() >= options.top.min(items));
        prop_assert_eq!(&found[..], &levels(&ranks)[..found.len()]);
        prop_assert_eq!(sorted(&outcome.order), Item::first(items).collect::<Vec<_>>());
        prop_assert!(outcome.tiers.iter().take(found.len()).all(|tier| tier.support == (items > 1).then_some(1.0)));
    }

    #[test]
    fn unsure_is_not_a_contradiction(truth in prop::collection::vec(0..12u32, 1..40), mut options in settings()) {
        options.ties = TieRule::Open;
        let mut tournament = Tournament::new(truth.len(), options).unwrap();
        let outcome = play(&mut tournament, |batch| vec![by_level(&truth, &batch.items)]);
        prop_assert!(outcome.complete);
        // never against the judge: whatever is in a better final tier is at least as good
        let found = final_tiers(&outcome);
        for pair in found.windows(2) {
            let worst = pair[0].iter().map(|&item| truth[item.index()]).max();
            let best = pair[1].iter().map(|&item| truth[item.index()]).min();
            prop_assert!(worst <= best, "{:?}", found);
        }
    }

    #[test]
    fn planted_cycles_are_the_components(
        sizes in prop::collection::vec(1..6usize, 1..12), seed: u64, mut options in settings(),
    ) {
        // under `Open` a cycle of two is a pair without an edge
        (options.rejudge, options.ties) = (Some(0), TieRule::Equal);
        let truth = planted(&sizes, seed);
        let members = levels(&truth);
        let mut tournament = Tournament::new(truth.len(), options).unwrap();
        for cycle in &members {
            for (at, &item) in cycle.iter().enumerate() {
                let next = cycle[(at + 1) % cycle.len()];
                if next != item {
                    tournament.cast(&Ballot::strict([item, next]));
                }
            }
        }
        // the judge follows the components; inside one it has no opinion but ties
        let outcome = play(&mut tournament, |batch| vec![by_level(&truth, &batch.items)]);
        let found = final_tiers(&outcome);
        prop_assert_eq!(&found[..], &members[..found.len()]);
        prop_assert!(outcome.complete);
        for tier in outcome.tiers.iter().filter(|tier| tier.is_final) {
            prop_assert_eq!(tier.contradictory, tier.items.len() > 1);
            // Two that beat each other were put in order both ways, which is no cycle.
            prop_assert_eq!(tier.cyclic, tier.items.len() > 2);
        }
    }

    #[test]
    fn all_pairs_of_a_cyclic_judge_are_its_components(sizes in prop::collection::vec(1..8usize, 1..8), seed: u64) {
        // components of two cannot be cyclic without two answers about one pair
        let sizes: Vec<usize> = sizes.into_iter().map(|size| if size == 2 { 3 } else { size }).collect();
        let truth = planted(&sizes, seed);
        let members = levels(&truth);
        let mut ballots = Vec::new();
        for low in Item::first(truth.len()) {
            for high in Item::first(truth.len()).skip(low.index() + 1) {
                ballots.push(around(&members, &truth, low, high));
            }
        }
        let outcome = tiers(truth.len(), &ballots, TieRule::Equal);
        prop_assert_eq!(final_tiers(&outcome), members);
        prop_assert!(outcome.complete);
        let pairs = (truth.len() * truth.len().saturating_sub(1) * truth.len().saturating_sub(2) / 6) as u64;
        prop_assert_eq!(outcome.cycles.triangles, pairs);
    }

    #[test]
    fn a_cyclic_pairwise_judge_never_mixes_components(
        sizes in prop::collection::vec(1..6usize, 1..8), seed: u64, mut options in settings(),
    ) {
        options.window = 2;
        let truth = planted(&sizes, seed);
        let members = levels(&truth);
        let mut tournament = Tournament::new(truth.len(), options).unwrap();
        let outcome = play(&mut tournament, |batch| vec![around(&members, &truth, batch.items[0], batch.items[1])]);
        prop_assert!(outcome.complete);
        // a cycle with an inferred pair that was never compared is not seen, but components stay apart and in order
        let order: Vec<u32> = outcome.tiers.iter().filter(|tier| tier.is_final)
            .flat_map(|tier| tier.items.iter().map(|&item| truth[item.index()])).collect();
        prop_assert!(order.is_sorted());
        for tier in outcome.tiers.iter().filter(|tier| tier.is_final) {
            prop_assert!(tier.items.iter().all(|&item| truth[item.index()] == truth[tier.items[0].index()]));
        }
    }

    #[test]
    fn items_may_come_later(early in 0..40usize, late in 0..40usize, seed: u64, options in settings()) {
        let items = early + late;
        let ranks = ranks(items, seed);
        let judge = |batch: &llull_rank::Batch| vec![by_level(&ranks, &batch.items)];
        let mut grown = Tournament::new(early, options.clone()).unwrap();
        play(&mut grown, judge);
        grown.extend(items);
        let grown = play(&mut grown, judge);
        let mut whole = Tournament::new(items, options.clone()).unwrap();
        let whole = play(&mut whole, judge);
        let top = options.top.min(items);
        prop_assert!(grown.complete && whole.complete);
        prop_assert_eq!(&grown.order[..top], &whole.order[..top]);
        prop_assert_eq!(&final_tiers(&grown)[..top], &final_tiers(&whole)[..top]);
    }
}

/// Items in components of these sizes, shuffled: item to component, best first.
pub(crate) fn planted(sizes: &[usize], seed: u64) -> Vec<u32> {
    let mut truth: Vec<(u64, u32)> = sizes
        .iter()
        .enumerate()
        .flat_map(|(level, &size)| {
            (0..size).map(move |at| (mix(seed, (level * 100 + at) as u64), level as u32))
        })
        .collect();
    truth.sort_unstable();
    truth.into_iter().map(|(_, level)| level).collect()
}

/// Between components their order; inside one each item beats the next half of the cycle.
fn around(members: &[Vec<Item>], truth: &[u32], low: Item, high: Item) -> Ballot {
    let (one, other) = (truth[low.index()], truth[high.index()]);
    let low_wins = if one == other {
        let cycle = &members[one as usize];
        let place = |item: Item| cycle.iter().position(|&member| member == item).unwrap();
        let ahead = (place(high) + cycle.len() - place(low)) % cycle.len();
        2 * ahead < cycle.len() || (2 * ahead == cycle.len() && place(low) < place(high))
    } else {
        one < other
    };
    Ballot::strict(if low_wins { [low, high] } else { [high, low] })
}

#[test]
fn what_is_known_is_not_asked_again_when_items_come_later() {
    let ranks = ranks(100, 3);
    let mut tournament = Tournament::new(90, TournamentOptions::default()).unwrap();
    let before = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
    tournament.extend(100);
    let after = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
    assert!(after.complete);
    assert!(after.calls - before.calls <= 4, "{} calls for ten new items", after.calls - before.calls);
}

/// A cycle of three that another tournament, which numbers them differently, puts in order.
#[test]
fn what_another_tournament_finds_of_a_tier_takes_its_place() {
    let strict = |order: [u32; 4]| Ballot::strict(order.map(Item));
    let cycle = [[0, 1], [1, 2], [2, 0]].map(|pair| Ballot::strict(pair.map(Item)));
    let mut ballots =
        vec![Ballot { rest: vec![Item(3)], ..Ballot::new(vec![vec![Item(0), Item(1), Item(2)]]) }];
    ballots.extend(cycle);
    let mut outcome = tiers(4, &ballots, TieRule::Open);
    assert_eq!((outcome.tiers.len(), outcome.tiers[0].cyclic), (2, true));
    let asked = [2, 0, 1].map(Item);
    let found = tiers(3, &[Ballot::strict([1, 2, 0].map(Item))], TieRule::Open);

    let mut elsewhere = outcome.clone();
    elsewhere.refine(1, &asked, &found);
    elsewhere.refine(7, &asked, &found);
    elsewhere.refine(0, &asked, &tiers(4, &[strict([1, 2, 0, 3])], TieRule::Open));
    assert_eq!(elsewhere, outcome, "other items than the tier has");

    outcome.refine(0, &asked, &found);
    assert_eq!(outcome.order, [0, 1, 2, 3].map(Item));
    assert_eq!(outcome.tiers.len(), 4);
    assert!(outcome.tiers.iter().all(|tier| !tier.cyclic && tier.items.len() == 1 && tier.is_final));
}
