//! Compares ratings with choix, evalica and scipy, and tests properties.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

mod golden;
mod properties;

use golden::*;
use llull_core::{Ballot, Item};
use llull_rank::ratings::{EloOptions, Model, Prior, RatingError, RatingOptions, Ratings, rate};

fn game(winner: u32, loser: u32) -> Ballot {
    Ballot::of([[winner], [loser]])
}

fn games(games: &[(u32, u32)]) -> Vec<Ballot> {
    games.iter().map(|&(winner, loser)| game(winner, loser)).collect()
}

fn tied_games() -> Vec<Ballot> {
    let ballot = |&(a, b, tied): &(u32, u32, bool)| if tied { Ballot::of([[a, b]]) } else { game(a, b) };
    TIED.iter().map(ballot).collect()
}

fn ballots() -> Vec<Ballot> {
    let ballot = |(groups, rest): &(&[&[u32]], &[u32])| {
        let rest = rest.iter().copied().map(Item).collect();
        Ballot { rest, ..Ballot::of(groups.iter().map(|group| group.iter().copied())) }
    };
    BALLOTS.iter().map(ballot).collect()
}

fn with_prior(prior: Prior) -> RatingOptions {
    RatingOptions { prior, ..RatingOptions::default() }
}

fn close(found: &[Option<f64>], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let worst = found
        .iter()
        .zip(expected)
        .map(|(found, expected)| (found.unwrap() - expected).abs())
        .fold(0.0, f64::max);
    assert!(worst < tolerance, "off by {worst:e}: {found:?}, not {expected:?}");
}

fn both_close(ratings: &Ratings, expected: &[(f64, f64)], tolerance: f64) {
    let (scores, errors): (Vec<f64>, Vec<f64>) = expected.iter().copied().unzip();
    close(&ratings.scores, &scores, tolerance);
    close(&ratings.se, &errors, tolerance);
}

#[test]
fn a_cycle_is_no_order() {
    for n in [3u32, 5, 7, 11] {
        let cycle: Vec<(u32, u32)> = (0..n).map(|at| (at, (at + 1) % n)).collect();
        // Elo alone knows an order: that of the games.
        for model in Model::ALL.into_iter().filter(|model| *model != Model::Elo) {
            let scores = rate(model, n as usize, &games(&cycle), &RatingOptions::default()).unwrap().scores;
            assert!(scores.iter().all(|score| *score == scores[0]), "{model} {n}: {scores:?}");
        }
    }
}

#[test]
fn bradley_terry_is_choixs_ilsr_pairwise() {
    for (prior, expected) in [(Prior::None, CHOIX_PAIRWISE_0), (Prior::Choix(0.1), CHOIX_PAIRWISE_01)] {
        let ratings = rate(Model::BradleyTerry, 9, &games(GAMES), &with_prior(prior)).unwrap();
        close(&ratings.scores, expected, 1e-10);
    }
    let chain = games(&[(0, 1), (1, 2), (2, 3)]);
    let ratings = rate(Model::BradleyTerry, 4, &chain, &with_prior(Prior::Choix(0.01))).unwrap();
    close(&ratings.scores, CHOIX_CHAIN, 1e-10);
}

/// choix takes the mean off all items at once, llull off each component.
#[test]
fn bradley_terry_of_components_is_choixs_but_for_their_means() {
    let ratings = rate(Model::BradleyTerry, 5, &games(ISLANDS), &with_prior(Prior::Choix(0.05))).unwrap();
    assert_eq!(ratings.components, Ballot::of([vec![0, 2], vec![1, 3, 4]]).groups);
    for component in [&[0_usize, 2][..], &[1, 3, 4]] {
        let mean = component.iter().map(|&item| CHOIX_ISLANDS[item]).sum::<f64>() / component.len() as f64;
        for &item in component {
            assert!((ratings.scores[item].unwrap() - (CHOIX_ISLANDS[item] - mean)).abs() < 1e-10);
        }
    }
}

#[test]
fn bradley_terry_and_its_errors_are_the_maximum_with_each_prior() {
    for (prior, expected) in [
        (Prior::None, BRADLEY_TERRY_NONE),
        (Prior::Logistic(0.5), BRADLEY_TERRY_LOGISTIC),
        (Prior::Choix(0.1), BRADLEY_TERRY_CHOIX),
    ] {
        both_close(&rate(Model::BradleyTerry, 9, &games(GAMES), &with_prior(prior)).unwrap(), expected, 1e-8);
    }
}

#[test]
fn bradley_terry_with_ties_is_evalicas() {
    let ratings = rate(Model::BradleyTerry, 7, &tied_games(), &with_prior(Prior::None)).unwrap();
    close(&ratings.scores, EVALICA_BRADLEY_TERRY, 1e-9);
}

#[test]
fn plackett_luce_is_choixs_ilsr_rankings() {
    let orders: Vec<Ballot> =
        RANKINGS.iter().map(|order| Ballot::strict(order.iter().copied().map(Item))).collect();
    for (prior, expected) in [(Prior::None, CHOIX_RANKINGS_0), (Prior::Choix(0.1), CHOIX_RANKINGS_01)] {
        close(&rate(Model::PlackettLuce, 8, &orders, &with_prior(prior)).unwrap().scores, expected, 1e-10);
    }
}

#[test]
fn plackett_luce_with_ties_and_rest_is_the_maximum_of_what_it_says() {
    for (prior, expected) in
        [(Prior::None, PLACKETT_LUCE_NONE), (Prior::Logistic(0.5), PLACKETT_LUCE_LOGISTIC)]
    {
        both_close(&rate(Model::PlackettLuce, 8, &ballots(), &with_prior(prior)).unwrap(), expected, 1e-8);
    }
}

#[test]
fn thurstone_is_choixs_expectation_propagation() {
    let chain = games(&[(0, 1), (1, 2), (2, 3)]);
    for (items, ballots, precision, expected) in [
        (9, games(GAMES), 1.0, CHOIX_PROBIT_1),
        (9, games(GAMES), 0.1, CHOIX_PROBIT_01),
        (4, chain, 1.0, CHOIX_PROBIT_CHAIN),
    ] {
        let options = RatingOptions { precision, ..RatingOptions::default() };
        let ratings = rate(Model::Thurstone, items, &ballots, &options).unwrap();
        both_close(&ratings, expected, 1e-8);
    }
}

#[test]
fn elo_is_evalicas() {
    let elo = EloOptions { initial: 1500.0, k: 24.0, ..EloOptions::default() };
    let options = RatingOptions { elo, ..RatingOptions::default() };
    close(&rate(Model::Elo, 9, &games(GAMES), &options).unwrap().scores, EVALICA_ELO_GAMES, 1e-9);
    let ratings = rate(Model::Elo, 7, &tied_games(), &RatingOptions::default()).unwrap();
    close(&ratings.scores, EVALICA_ELO_TIED, 1e-9);
}

#[test]
fn without_a_prior_an_unbeaten_item_is_an_error_that_names_it() {
    let ballots = games(&[(2, 1), (1, 2), (1, 3), (3, 2), (4, 3)]);
    for model in [Model::BradleyTerry, Model::JudgeAware, Model::PlackettLuce] {
        let found = rate(model, 5, &ballots, &with_prior(Prior::None));
        assert_eq!(found, Err(RatingError::NoMaximum { model, unbeaten: vec![Item(4)], component: 4 }));
    }
}

#[test]
fn too_few_iterations_are_an_error() {
    for model in [Model::BradleyTerry, Model::PlackettLuce, Model::Thurstone] {
        let options = RatingOptions { max_iterations: 2, ..RatingOptions::default() };
        let found = rate(model, 7, &tied_games(), &options);
        assert!(matches!(found, Err(RatingError::NotConverged { iterations: 2, .. })), "{model}: {found:?}");
    }
}

#[test]
fn ballots_that_make_no_sense_are_named() {
    for model in Model::ALL {
        let found =
            |ballot: Ballot| rate(model, 3, &[game(0, 1), ballot], &RatingOptions::default()).unwrap_err();
        assert_eq!(found(game(0, 3)), RatingError::UnknownItem { ballot: 1, item: Item(3), items: 3 });
        assert_eq!(found(game(2, 2)), RatingError::RepeatedItem { ballot: 1, item: Item(2) });
        let weighed = |weight| Ballot { weight, ..game(1, 2) };
        assert_eq!(found(weighed(0.0)), RatingError::BadWeight { ballot: 1, weight: 0.0 });
        assert!(matches!(found(weighed(f64::NAN)), RatingError::BadWeight { ballot: 1, .. }));
    }
}

#[test]
fn no_ballots_rate_nothing() {
    for model in Model::ALL {
        let alone = Ballot::of([[1]]);
        let mut unordered = Ballot::new(Vec::new());
        unordered.rest = [0, 2].map(Item).to_vec();
        let ratings = rate(model, 3, &[alone, unordered], &RatingOptions::default()).unwrap();
        assert_eq!((ratings.scores, ratings.se), (vec![None; 3], vec![None; 3]), "{model}");
        assert!(ratings.components.is_empty());
    }
}

#[test]
fn a_name_is_that_of_its_model() {
    for model in Model::ALL {
        assert_eq!(model.to_string().parse(), Ok(model));
    }
    let error = "trueskill".parse::<Model>().unwrap_err().to_string();
    for model in Model::ALL {
        assert!(error.contains(model.name()), "{error}");
    }
}

/// Three items lie far above 0 and three far below, and the prior of the fourth alone holds it at 0: how far the others
/// lie from it is lost in rounding errors, and the iterations used to run out over that.
#[test]
fn scores_that_shift_together_converge() {
    let weigh = |ballot: Ballot| Ballot { weight: 1e4, ..ballot };
    let ballots = [Ballot::of([vec![1], vec![7], vec![2], vec![0, 5], vec![3]]), game(7, 4)].map(weigh);
    let options = RatingOptions { standard_errors: false, ..with_prior(Prior::Logistic(1e-4)) };
    let ratings = rate(Model::BradleyTerry, 8, &ballots, &options).unwrap();
    let score = |item: usize| ratings.scores[item].unwrap();
    assert!(ratings.iterations < 100, "{}", ratings.iterations);
    assert!(score(1) > score(7) && score(7) > score(2) && score(2) > score(0) && score(0) > score(3));
    assert!((score(0) - score(5)).abs() < 1e-6 && score(7) > score(4));
}
