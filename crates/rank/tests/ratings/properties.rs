//! Tests properties of ratings for all comparisons.

use llull_core::{Ballot, Item};
use llull_rank::ratings::{Model, Prior, RatingError, RatingOptions, Ratings, rate};
use proptest::prelude::*;

use crate::{game, with_prior};

const ITEMS: u32 = 8;

/// A ballot of some of the items in some order, cut into groups and rest.
fn ballot() -> impl Strategy<Value = Ballot> {
    let order = Just((0..ITEMS).collect::<Vec<_>>()).prop_shuffle();
    (order, 2..=ITEMS as usize, prop::collection::vec(1_usize..4, 8), 0_usize..3, 1_u32..4).prop_map(
        |(mut order, size, cuts, rest, weight)| {
            order.truncate(size);
            let rest = order.split_off(size.saturating_sub(rest).max(1));
            let mut groups = Vec::new();
            for cut in cuts {
                let behind = order.split_off(cut.min(order.len()));
                groups.extend((!order.is_empty()).then_some(order));
                order = behind;
            }
            let rest = rest.into_iter().map(Item).collect();
            Ballot { rest, weight: f64::from(weight), ..Ballot::of(groups) }
        },
    )
}

fn ballots() -> impl Strategy<Value = Vec<Ballot>> {
    prop::collection::vec(ballot(), 1..12)
}

fn rated(model: Model, ballots: &[Ballot]) -> Ratings {
    rate(model, ITEMS as usize, ballots, &RatingOptions::default()).unwrap()
}

fn same(a: &[Option<f64>], b: &[Option<f64>], tolerance: f64) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance * a.abs().max(1.0),
            (a, b) => a == b,
        })
}

fn ordered(ratings: &Ratings, best_first: &[u32]) -> bool {
    best_first.windows(2).all(|two| ratings.scores[two[0] as usize] > ratings.scores[two[1] as usize])
}

/// The models whose scores do not depend on the order of the ballots.
fn unordered() -> impl Iterator<Item = Model> {
    Model::ALL.into_iter().filter(|model| *model != Model::Elo)
}

fn relabelled(ballots: &[Ballot], names: &[u32]) -> Vec<Ballot> {
    let name = |items: &Vec<Item>| items.iter().map(|item| Item(names[item.index()])).collect();
    let rename = |ballot: &Ballot| Ballot {
        groups: ballot.groups.iter().map(name).collect(),
        rest: name(&ballot.rest),
        ..ballot.clone()
    };
    ballots.iter().map(rename).collect()
}

proptest! {
    #[test]
    fn a_transitive_tournament_is_ordered_by_every_model(
        order in Just((0..ITEMS).collect::<Vec<_>>()).prop_shuffle(),
        games in Just((0..ITEMS).flat_map(|a| (a + 1..ITEMS).map(move |b| (a, b))).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let ballots: Vec<Ballot> =
            games.iter().map(|&(a, b)| game(order[a as usize], order[b as usize])).collect();
        for model in Model::ALL {
            prop_assert!(ordered(&rated(model, &ballots), &order), "{}: {:?}", model, rated(model, &ballots).scores);
        }
    }

    /// Of neighbours alone; Copeland only finds that the ends differ.
    #[test]
    fn a_transitive_chain_is_ordered(length in 3_u32..40, strength in 1_u32..6) {
        let ballots: Vec<Ballot> = (1..length).map(|worse| game(worse - 1, worse)).collect();
        let chain: Vec<u32> = (0..length).collect();
        for model in unordered().filter(|model| *model != Model::Copeland) {
            let options = with_prior(Prior::Logistic(f64::from(strength) / 10.0));
            let ratings = rate(model, length as usize, &ballots, &options).unwrap();
            prop_assert!(ordered(&ratings, &chain), "{}: {:?}", model, ratings.scores);
            prop_assert!(ratings.scores.iter().all(|score| score.unwrap().is_finite()));
        }
    }

    /// Far from the start, and where the likelihood is nearly flat. Where weights are a million times the prior, a
    /// score may be beyond computation, and an error reports that.
    #[test]
    fn weak_priors_and_heavy_weights_converge(ballots in ballots(), weak in 1_i32..5, heavy in 0_i32..5) {
        let heavier = |ballot: Ballot| Ballot { weight: ballot.weight * 10_f64.powi(heavy), ..ballot };
        let ballots: Vec<Ballot> = ballots.into_iter().map(heavier).collect();
        for prior in [Prior::Logistic(10_f64.powi(-weak)), Prior::Choix(10_f64.powi(-weak))] {
            for model in [Model::BradleyTerry, Model::PlackettLuce] {
                let found = rate(model, ITEMS as usize, &ballots, &with_prior(prior));
                let beyond = weak + heavy >= 6 && matches!(found, Err(RatingError::OutOfRange { .. }));
                prop_assert!(found.is_ok() || beyond, "{} with {:?}: {:?}", model, prior, found);
            }
        }
    }

    #[test]
    fn one_ranking_is_its_order(mut order in Just((0..ITEMS).collect::<Vec<_>>()).prop_shuffle(), rest in 0_usize..4) {
        let rest = order.split_off(order.len() - rest);
        let rest = rest.into_iter().map(Item).collect();
        let ballot = Ballot { rest, ..Ballot::strict(order.iter().copied().map(Item)) };
        for model in Model::ALL {
            let ratings = rated(model, std::slice::from_ref(&ballot));
            prop_assert!(ordered(&ratings, &order), "{}: {:?}", model, ratings.scores);
            for &worse in &ballot.rest {
                let behind = |&last: &u32| ratings.scores[last as usize] > ratings.scores[worse.index()];
                prop_assert!(order.last().is_none_or(behind));
            }
        }
    }

    #[test]
    fn names_do_not_matter(ballots in ballots(), names in Just((0..ITEMS).collect::<Vec<_>>()).prop_shuffle()) {
        for model in Model::ALL {
            let (plain, renamed) = (rated(model, &ballots), rated(model, &relabelled(&ballots, &names)));
            let back = |values: &[Option<f64>]| names.iter().map(|&name| values[name as usize]).collect::<Vec<_>>();
            prop_assert!(same(&plain.scores, &back(&renamed.scores), 1e-7), "{model}");
            prop_assert!(same(&plain.se, &back(&renamed.se), 1e-7), "{model}");
        }
    }

    #[test]
    fn a_weight_is_as_many_copies(ballots in ballots()) {
        let copies: Vec<Ballot> = ballots
            .iter()
            .flat_map(|ballot| vec![Ballot { weight: 1.0, ..ballot.clone() }; ballot.weight as usize])
            .collect();
        for model in unordered() {
            let (weighed, copied) = (rated(model, &ballots), rated(model, &copies));
            prop_assert!(same(&weighed.scores, &copied.scores, 1e-7), "{model}");
            prop_assert!(same(&weighed.se, &copied.se, 1e-7), "{model}");
        }
    }

    #[test]
    fn the_order_of_ballots_and_of_tied_items_does_not_matter(ballots in ballots()) {
        let mut turned = ballots.clone();
        turned.reverse();
        for ballot in &mut turned {
            ballot.groups.iter_mut().for_each(|group| group.reverse());
            ballot.rest.reverse();
        }
        for model in unordered() {
            prop_assert!(same(&rated(model, &ballots).scores, &rated(model, &turned).scores, 1e-7), "{model}");
        }
        turned.reverse();
        prop_assert!(same(&rated(Model::Elo, &ballots).scores, &rated(Model::Elo, &turned).scores, 1e-12));
    }

    /// All but Plackett-Luce, which is not symmetric.
    #[test]
    fn reversed_ballots_have_reversed_scores(ballots in ballots()) {
        let ballots: Vec<Ballot> = ballots.into_iter().map(|ballot| Ballot { rest: Vec::new(), ..ballot }).collect();
        let reversed: Vec<Ballot> = ballots
            .iter()
            .map(|ballot| Ballot { groups: ballot.groups.iter().rev().cloned().collect(), ..ballot.clone() })
            .collect();
        for model in Model::ALL.into_iter().filter(|model| *model != Model::PlackettLuce) {
            let sum = if model == Model::Elo { 2000.0 } else { 0.0 };
            let mirror = |value: &Option<f64>| value.map(|value| sum - value);
            let mirrored = |values: &[Option<f64>]| values.iter().map(mirror).collect::<Vec<_>>();
            let found = rated(model, &reversed).scores;
            prop_assert!(same(&rated(model, &ballots).scores, &mirrored(&found), 1e-7), "{model}");
        }
    }

    #[test]
    fn plackett_luce_of_two_items_is_bradley_terry(ballots in ballots()) {
        let pairs: Vec<Ballot> = ballots
            .iter()
            .filter_map(|ballot| match *ballot.items().take(2).collect::<Vec<_>>() {
                [a, b] if ballot.groups[0].len() > 1 => Some(Ballot::new(vec![vec![a, b]])),
                [a, b] => Some(Ballot::strict([a, b])),
                _ => None,
            })
            .collect();
        let (luce, terry) = (rated(Model::PlackettLuce, &pairs), rated(Model::BradleyTerry, &pairs));
        prop_assert!(same(&luce.scores, &terry.scores, 1e-8) && same(&luce.se, &terry.se, 1e-8));
    }

    #[test]
    fn components_are_rated_by_themselves(ballots in ballots()) {
        // The same ballots on items 0 to 7 and on 8 to 15.
        let shifted = relabelled(&ballots, &(ITEMS..2 * ITEMS).collect::<Vec<_>>());
        let both: Vec<Ballot> = ballots.iter().chain(&shifted).cloned().collect();
        for model in Model::ALL {
            let one = rated(model, &ballots);
            let two = rate(model, 2 * ITEMS as usize, &both, &RatingOptions::default()).unwrap();
            let (first, second) = two.scores.split_at(ITEMS as usize);
            prop_assert!(same(&one.scores, first, 1e-7) && same(&one.scores, second, 1e-7), "{model}");
            prop_assert_eq!(two.components.len(), 2 * one.components.len());
        }
    }

    #[test]
    fn copeland_is_its_definition(ballots in ballots()) {
        let copeland = rated(Model::Copeland, &ballots);
        for item in 0..ITEMS {
            let (mut beaten, mut compared) = (0.0, 0.0);
            for other in (0..ITEMS).filter(|&other| other != item) {
                let votes: Vec<(f64, f64)> = ballots.iter().filter_map(|ballot| outcome(ballot, item, other)).collect();
                let margin: f64 = votes.iter().map(|(result, weight)| (2.0 * result - 1.0) * weight).sum();
                beaten += if margin == 0.0 { 0.0 } else { margin.signum() };
                compared += votes.iter().map(|(_, weight)| weight).sum::<f64>();
            }
            prop_assert_eq!(copeland.scores[item as usize], (compared > 0.0).then_some(beaten));
        }
    }
}

/// 1 if the ballot has `item` before `other`, 0 if behind, 0.5 if tied, and the ballot's weight; nothing if it does
/// not compare them.
fn outcome(ballot: &Ballot, item: u32, other: u32) -> Option<(f64, f64)> {
    let place = |item: u32| {
        let item = Item(item);
        let rest = ballot.rest.contains(&item).then_some(ballot.groups.len());
        ballot.groups.iter().position(|group| group.contains(&item)).or(rest)
    };
    let (one, two) = (place(item)?, place(other)?);
    if one == two && one == ballot.groups.len() {
        return None;
    }
    let result = match one.cmp(&two) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    Some((result, ballot.weight))
}
