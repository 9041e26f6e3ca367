//! Tests that the exhaustive schedule finds components exactly.
//!
//! A schedule that is certain of them has to compare every pair.

use crate::cyclic_panel::CyclicPanel;
use crate::judges::{by_level, mix, play, ranks, schedules, settings};
use crate::promises::{final_tiers, levels, planted, sorted};
use llull_core::{Ballot, Item};
use llull_rank::{Schedule, TieRule, Tournament, TournamentOptions};
use proptest::prelude::*;

/// A judge that prefers one of every two items, by whatever rule: row beats column.
type Graph = Vec<Vec<bool>>;

fn graph(items: usize, seed: u64) -> Graph {
    // mostly the lower number, so that there are several components
    let upset = |low: usize, high: usize| mix(seed, (low * items + high) as u64).is_multiple_of(4);
    let beats = |a: usize, b: usize| if a < b { !upset(a, b) } else { a > b && upset(b, a) };
    (0..items).map(|a| (0..items).map(|b| beats(a, b)).collect()).collect()
}

/// The strongly connected components of a graph in order, by Warshall's closure and the number of items that each
/// reaches.
fn condensation(beats: &Graph) -> Vec<Vec<Item>> {
    let items = beats.len();
    let mut reaches = beats.clone();
    for via in 0..items {
        for from in 0..items {
            for to in 0..items {
                reaches[from][to] |= reaches[from][via] && reaches[via][to];
            }
        }
    }
    // every two are connected, so components form a line and the better one reaches more
    let reached = |item: usize| (0..items).filter(|&other| other != item && reaches[item][other]).count();
    let mut order: Vec<Item> = Item::first(items).collect();
    order.sort_by_key(|&item| (std::cmp::Reverse(reached(item.index())), item));
    let together = |a: &Item, b: &Item| reaches[a.index()][b.index()] && reaches[b.index()][a.index()];
    order.chunk_by(together).map(sorted).collect()
}

/// A panel whose majority is the graph on the items shown: two ballots an edge, which agree on it and cancel out
/// everywhere else (McGarvey, A theorem on the construction of voting paradoxes, Econometrica 21, 1953).
fn panel(beats: &Graph, items: &[Item]) -> Vec<Ballot> {
    let edges = items.iter().flat_map(|&a| items.iter().map(move |&b| (a, b)));
    edges
        .filter(|&(a, b)| a != b && beats[a.index()][b.index()])
        .flat_map(|(a, b)| {
            let rest: Vec<Item> = items.iter().copied().filter(|&item| item != a && item != b).collect();
            let back = rest.iter().rev().copied();
            [Ballot::strict([a, b].into_iter().chain(rest.clone())), Ballot::strict(back.chain([a, b]))]
        })
        .collect()
}

fn exhaustive(options: &TournamentOptions) -> TournamentOptions {
    TournamentOptions { schedule: Schedule::Exhaustive, ..options.clone() }
}

proptest! {
    #[test]
    fn any_panel_gives_exactly_its_components(items in 0..9usize, seed: u64, options in settings()) {
        let beats = graph(items, seed);
        let mut tournament = Tournament::new(items, exhaustive(&options)).unwrap();
        let outcome = play(&mut tournament, |batch| panel(&beats, &batch.items));
        prop_assert_eq!(final_tiers(&outcome), condensation(&beats));
        prop_assert!(outcome.complete);
        let triangles = items * items.saturating_sub(1) * items.saturating_sub(2) / 6;
        prop_assert_eq!(outcome.cycles.triangles as usize, triangles);
        prop_assert!(outcome.tiers.iter().all(|tier| tier.contradictory == (tier.items.len() > 1)));
    }

    #[test]
    fn any_pairwise_judge_gives_exactly_its_components(
        items in 0..30usize, seed: u64, top in 1..35usize, rejudge in prop::option::of(0..3u32),
    ) {
        let beats = graph(items, seed);
        let (schedule, ties) = (Schedule::Exhaustive, TieRule::Open);
        let options = TournamentOptions { window: 2, top, schedule, ties, rejudge, ..TournamentOptions::default() };
        let mut tournament = Tournament::new(items, options).unwrap();
        let outcome = play(&mut tournament, |batch| {
            let (low, high) = (batch.items[0], batch.items[1]);
            let order = if beats[low.index()][high.index()] { [low, high] } else { [high, low] };
            vec![Ballot::strict(order)]
        });
        prop_assert_eq!(final_tiers(&outcome), condensation(&beats));
        prop_assert!(outcome.complete);
        prop_assert!(rejudge > Some(0) || outcome.calls as usize == items * items.saturating_sub(1) / 2);
    }

    #[test]
    fn planted_cycles_of_a_panel_are_exactly_the_components(
        sizes in prop::collection::vec(1..6usize, 1..12), seed: u64, mut options in settings(),
    ) {
        // the panel ties two that are opposite in a cycle, and a cycle of two is but a tie
        options.ties = TieRule::Equal;
        let truth = planted(&sizes, seed);
        let judges = CyclicPanel { components: levels(&truth) };
        let mut tournament = Tournament::new(truth.len(), exhaustive(&options)).unwrap();
        let outcome = play(&mut tournament, |batch| judges.answer(&batch.items));
        prop_assert_eq!(final_tiers(&outcome), levels(&truth));
        prop_assert!(outcome.complete);
    }

    /// If a judge sees a cycle and reports its members as equal, no inferred pair of them has to be compared: under
    /// every schedule the tiers are exactly its components, as far as they were requested.
    #[test]
    fn cycles_reported_as_ties_are_exactly_the_components(
        sizes in prop::collection::vec(1..6usize, 1..14), seed: u64, schedule in schedules(), mut options in settings(),
    ) {
        (options.schedule, options.ties) = (schedule, TieRule::Equal);
        let truth = planted(&sizes, seed);
        let mut tournament = Tournament::new(truth.len(), options.clone()).unwrap();
        let outcome = play(&mut tournament, |batch| vec![by_level(&truth, &batch.items)]);
        let found = final_tiers(&outcome);
        prop_assert_eq!(&found[..], &levels(&truth)[..found.len()]);
        prop_assert!(found.iter().map(Vec::len).sum::<usize>() >= options.top.min(truth.len()));
        prop_assert!(schedule != Schedule::Exhaustive || found.len() == levels(&truth).len());
        prop_assert!(outcome.complete && outcome.tiers.iter().all(|tier| !tier.cyclic && !tier.contradictory));
    }

    /// A judge that cuts a cycle open, at another place in every answer, may hide it, and never mixes it with others.
    #[test]
    fn cycles_cut_open_are_never_mixed(
        sizes in prop::collection::vec(1..6usize, 1..12), seed: u64, mut options in settings(),
    ) {
        // credible tiers are no components
        options.rejudge = options.rejudge.or(Some(1));
        let truth = planted(&sizes, seed);
        let mut tournament = Tournament::new(truth.len(), options).unwrap();
        let outcome = play(&mut tournament, |batch| {
            let mut items = batch.items.clone();
            let set = u64::from(batch.items[0].0) << 32;
            let cut = |item: Item| mix(seed ^ u64::from(batch.round), set | u64::from(item.0));
            items.sort_by_key(|&item| (truth[item.index()], cut(item)));
            vec![Ballot::strict(items)]
        });
        prop_assert!(outcome.complete);
        let finals = outcome.tiers.iter().filter(|tier| tier.is_final);
        let sure: Vec<&[Item]> = finals.map(|tier| &tier.items[..]).collect();
        prop_assert!(sure.iter().all(|tier| tier.iter().all(|&item| truth[item.index()] == truth[tier[0].index()])));
        prop_assert!(sure.iter().map(|tier| truth[tier[0].index()]).is_sorted());
    }

    /// Why every pair is needed: reverse one that was not compared, and no answer changes, but the components do.
    #[test]
    fn a_pair_never_asked_hides_a_cycle(
        items in 4..25usize, seed: u64, at: prop::sample::Index, schedule in 0..3usize,
    ) {
        let schedule = [Schedule::Sequential, Schedule::Balanced, Schedule::Parallel][schedule];
        let options = TournamentOptions { window: 2, top: items, schedule, ..TournamentOptions::default() };
        let ranks = ranks(items, seed);
        let mut asked = vec![vec![false; items]; items];
        let mut tournament = Tournament::new(items, options.clone()).unwrap();
        let honest = play(&mut tournament, |batch| {
            asked[batch.items[0].index()][batch.items[1].index()] = true;
            vec![by_level(&ranks, &batch.items)]
        });
        let inferred: Vec<(usize, usize)> = (0..items)
            .flat_map(|low| (low + 1..items).map(move |high| (low, high)))
            .filter(|&(low, high)| !asked[low][high])
            .collect();
        prop_assume!(!inferred.is_empty());
        let (low, high) = *at.get(&inferred);
        let mut beats: Graph = (0..items).map(|a| (0..items).map(|b| ranks[a] < ranks[b]).collect()).collect();
        (beats[low][high], beats[high][low]) = (beats[high][low], beats[low][high]);
        let answer = |batch: &llull_rank::Batch| {
            let (a, b) = (batch.items[0], batch.items[1]);
            let order = if beats[a.index()][b.index()] { [a, b] } else { [b, a] };
            vec![Ballot::strict(order)]
        };
        let turned = play(&mut Tournament::new(items, options.clone()).unwrap(), answer);
        prop_assert_eq!(&turned, &honest);
        let truth = condensation(&beats);
        prop_assert_eq!(truth.len(), items - ranks[low].abs_diff(ranks[high]) as usize);
        prop_assert_ne!(&final_tiers(&turned), &truth);
        let all = play(&mut Tournament::new(items, exhaustive(&options)).unwrap(), answer);
        prop_assert_eq!(final_tiers(&all), truth);
    }
}

/// Schönheim, On coverings, Pacific Journal of Mathematics 14, 1964: the fewest sets of k that hold every pair of n.
fn fewest(items: usize, window: usize) -> usize {
    (items * (items - 1).div_ceil(window - 1)).div_ceil(window)
}

#[test]
fn every_pair_costs_at_most_so_many_calls() {
    for (items, window, factor) in [(25, 5, 1.7), (40, 10, 1.8), (100, 10, 1.8), (100, 20, 1.8), (60, 2, 1.0)]
    {
        let options =
            TournamentOptions { window, schedule: Schedule::Exhaustive, ..TournamentOptions::default() };
        let ranks = ranks(items, 5);
        let mut tournament = Tournament::new(items, options).unwrap();
        let outcome = play(&mut tournament, |batch| vec![by_level(&ranks, &batch.items)]);
        let most = factor * fewest(items, window) as f64;
        assert!(outcome.calls as f64 <= most, "({items}, {window}): {} calls", outcome.calls);
    }
}

#[test]
fn until_every_pair_was_judged_nothing_is_final() {
    let options = TournamentOptions {
        window: 4,
        top: 3,
        schedule: Schedule::Exhaustive,
        ..TournamentOptions::default()
    };
    let ranks = ranks(12, 1);
    let mut tournament = Tournament::new(12, options).unwrap();
    loop {
        let wave = tournament.next(1);
        let outcome = tournament.outcome();
        assert_eq!(outcome.complete, wave.is_empty());
        assert_eq!(outcome.tiers.iter().any(|tier| tier.is_final), wave.is_empty());
        let Some(batch) = wave.first() else { break };
        tournament.observe(batch, &[by_level(&ranks, &batch.items)]);
    }
    assert_eq!(
        tournament.outcome().order,
        (0..12)
            .map(|rank| ranks.iter().position(|&it| it == rank).unwrap())
            .map(Item::at)
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_pair_that_brings_no_answer_leaves_the_rest_final() {
    let ranks = ranks(12, 1);
    let mut by_rank: Vec<Item> = Item::first(12).collect();
    by_rank.sort_by_key(|&item| ranks[item.index()]);
    for window in [2, 4] {
        for (failing, settled) in [([2, 9], 12), ([6, 7], 6)] {
            let options = TournamentOptions {
                window,
                top: 6,
                schedule: Schedule::Exhaustive,
                ..TournamentOptions::default()
            };
            let failing = failing.map(|rank: usize| by_rank[rank]);
            let mut tournament = Tournament::new(12, options).unwrap();
            let outcome = play(&mut tournament, |batch| {
                let fails = failing.iter().all(|item| batch.items.contains(item));
                if fails { Vec::new() } else { vec![by_level(&ranks, &batch.items)] }
            });
            assert!(outcome.unanswered > 0, "the pair was asked about");
            assert_eq!(
                final_tiers(&outcome),
                by_rank[..settled].chunks(1).collect::<Vec<_>>(),
                "window {window}"
            );
            assert!(outcome.complete && tournament.is_final());
        }
    }
}
