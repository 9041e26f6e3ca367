//! Measures tournaments with a noisy judge.
//!
//! `cargo run --release -p llull-rank --example leaders -- QUERIES WINDOWS NOISES` prints a line for each window and
//! noise, with the pools and the judge of `llull plan`. Quality is nDCG@10 with the gain 2^grade - 1: of the tiers with
//! ties in the order of the rating, and of the rating across tiers. `repeat 1` is the schedule before version 1.
//! `active` has no graph: after every document was seen once, each question shows the documents with the highest
//! Bradley-Terry rating plus its standard error, as many questions as `leaders` took for the query. `blitz` is
//! BlitzRank (Algorithm 1 of arXiv 2602.05448), which stops by itself; beside it are `leaders` and `active` stopped
//! after as many questions.

#![allow(clippy::print_stdout, reason = "a study says what it found")]

use std::error::Error;

use llull_core::{Ballot, Item, Seed};
use llull_rank::ratings::{Prior, RatingOptions, bradley_terry};
use llull_rank::simulate::{NoisyJudge, PlanOptions, SimulatedPrior, ndcg, play};
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
                if rejudge.is_none() {
                    let active: Vec<f64> = (0..queries)
                        .into_par_iter()
                        .zip(&found)
                        .map(|(at, (leaders, _))| active(&options, at, leaders.calls))
                        .collect();
                    let differences =
                        found.iter().zip(&active).map(|((_, [tiers, _]), active)| tiers - active);
                    let (mean, _) = mean_and_error(active.iter().copied());
                    let (difference, error) = mean_and_error(differences);
                    println!(
                        "{window:>6} {noise:>5}  active    the same calls  {mean:>6.3}; leaders' tiers are \
                         {difference:+.3} ± {error:.3}"
                    );
                    let blitz: Vec<[f64; 4]> = (0..queries)
                        .into_par_iter()
                        .map(|at| blitz(&options, at))
                        .collect::<Result<_, _>>()?;
                    let [calls, quality] = [0, 1].map(|of| mean_and_error(blitz.iter().map(|one| one[of])).0);
                    let ahead = |of: usize| mean_and_error(blitz.iter().map(|one| one[of] - one[1]));
                    let ((leaders, error), (active, error_active)) = (ahead(2), ahead(3));
                    println!(
                        "{window:>6} {noise:>5}  blitz     {calls:>6.2} calls    {quality:>6.3}; with these calls \
                         leaders are {leaders:+.3} ± {error:.3}, active {active:+.3} ± {error_active:.3}"
                    );
                }
            }
        }
    }
    Ok(())
}

fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    (mean, (values.map(|one| (one - mean).powi(2)).sum::<f64>() / (n * (n - 1.0))).sqrt())
}

/// BlitzRank's calls and quality, and with as many calls the quality of leaders and of active Bradley-Terry.
fn blitz(options: &PlanOptions, number: u32) -> Result<[f64; 4], TournamentError> {
    let seed = Seed(3).stream(&format!("leaders {number}"));
    let (pool, judge) = options.topic(seed);
    let (n, window, top) = (options.documents, options.tournament.window, options.tournament.top);
    let mut reach = vec![vec![false; n]; n];
    let mut shown: Vec<Item> = Item::first(n).take(window).collect();
    let mut calls = 0;
    let order = loop {
        let groups = NoisyJudge::answer(&judge, &shown, calls).groups;
        calls += 1;
        for (at, better) in groups.iter().enumerate() {
            for worse in groups.iter().skip(at + 1).flatten() {
                better.iter().for_each(|better| reach[better.index()][worse.index()] = true);
            }
        }
        for through in 0..n {
            let onwards = reach[through].clone();
            for from in reach.iter_mut().filter(|from| from[through]) {
                from.iter_mut().zip(&onwards).for_each(|(there, onwards)| *there |= onwards);
            }
        }
        let others = |item: usize| (0..n).filter(move |other| *other != item);
        let above = |item: usize| others(item).filter(|other| reach[*other][item]).count();
        let below = |item: usize| others(item).filter(|other| reach[item][*other]).count();
        let is_resolved = |item: usize| others(item).all(|other| reach[item][other] || reach[other][item]);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_cached_key(|item| (above(*item), below(*item)));
        if order.iter().take(top).all(|item| is_resolved(*item)) {
            break order;
        }
        // One of each unresolved component, those of several items first.
        let mut taken: Vec<usize> = Vec::new();
        for item in order.iter().copied().filter(|item| !is_resolved(*item)) {
            if !taken.iter().any(|other| reach[item][*other] && reach[*other][item]) {
                taken.push(item);
            }
        }
        taken.sort_by_key(|item| !others(*item).any(|other| reach[*item][other] && reach[other][*item]));
        shown = taken.into_iter().take(window).map(Item::at).collect();
    };
    let order: Vec<Item> = order.into_iter().map(Item::at).collect();
    let tournament = TournamentOptions { seed: Seed(seed), ..options.tournament.clone() };
    let leaders = play(&judge, &tournament, Some(u64::from(calls)))?.order;
    let active = active(options, number, u64::from(calls));
    let [blitz, leaders] = [order, leaders].map(|order| ndcg(&order, &pool.grades, top));
    Ok([f64::from(calls), blitz, leaders, active])
}

/// The quality of active Bradley-Terry with so many questions.
fn active(options: &PlanOptions, number: u32, calls: u64) -> f64 {
    let (pool, judge) = options.topic(Seed(3).stream(&format!("leaders {number}")));
    let (window, top) = (options.tournament.window, options.tournament.top);
    let mut ballots: Vec<Ballot> = Vec::new();
    let ask = |ballots: &mut Vec<Ballot>, shown: &[Item]| {
        let round = ballots.len() as u32;
        ballots.push(NoisyJudge::answer(&judge, shown, round));
    };
    // The order of a pool is random.
    for shown in Item::first(options.documents).collect::<Vec<_>>().chunks(window) {
        ask(&mut ballots, shown);
    }
    while (ballots.len() as u64) < calls {
        let by_bound = rated(options.documents, &ballots, 1.0);
        ask(&mut ballots, by_bound.get(..window).unwrap_or(&by_bound));
    }
    ndcg(&rated(options.documents, &ballots, 0.0), &pool.grades, top)
}

/// The items by rating plus so many standard errors, best first.
fn rated(items: usize, ballots: &[Ballot], errors: f64) -> Vec<Item> {
    let options = RatingOptions {
        prior: Prior::Normal(3.0),
        standard_errors: errors > 0.0,
        ..RatingOptions::default()
    };
    let Ok(found) = bradley_terry(items, ballots, &options) else { return Item::first(items).collect() };
    let bound = |item: Item| {
        let at = item.index();
        let score = found.scores.get(at).copied().flatten().unwrap_or(f64::NEG_INFINITY);
        score + errors * found.se.get(at).copied().flatten().unwrap_or(0.0)
    };
    let mut order: Vec<Item> = Item::first(items).collect();
    order.sort_by(|a, b| bound(*b).total_cmp(&bound(*a)).then(a.cmp(b)));
    order
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
