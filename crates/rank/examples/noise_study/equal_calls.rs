//! Compares ways to ask at equal calls, query by query.
//!
//! The pools and the judge are those of `llull plan`, with documents in random order. Quality is nDCG@10 with the gain
//! 2^grade - 1 of `TournamentOutcome::order`. Three methods stop by themselves: llull, BlitzRank (Algorithm 1 of arXiv
//! 2602.05448), and llull's earlier schedule, which repeats the pairs of cycles. llull is stopped after as many calls
//! as each of the others took for the query. So is active Bradley-Terry: after every document was seen once, each
//! question shows the documents with the highest rating plus its standard error.

use std::fmt::Write;

use llull_core::{Ballot, Item, Seed};
use llull_rank::ratings::{Prior, RatingOptions, bradley_terry};
use llull_rank::simulate::{NoisyJudge, PlanOptions, SimulatedPrior, ndcg, play};
use llull_rank::{TournamentError, TournamentOptions};
use rayon::prelude::*;

pub(crate) const WINDOWS: [usize; 3] = [5, 10, 20];
pub(crate) const NOISES: [f64; 5] = [0.0, 0.35, 0.5, 0.8, 1.2];
/// Queries of each setting.
const QUERIES: u32 = 40;

pub(crate) const HEADING: &str =
    "window,noise,calls of,calls,llull,above it,+-,above active Bradley-Terry,+-\n";

/// The methods that stop by themselves.
const STOPPING: [&str; 3] = ["llull", "BlitzRank", "repeated cycles"];

/// With the calls that a method took: their number, and the quality of the method, of llull, and of active
/// Bradley-Terry.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Compared {
    calls: f64,
    own: f64,
    llull: f64,
    active: f64,
}

/// Returns a line for each method that stops by itself.
pub(crate) fn lines(window: usize, noise: f64) -> Result<String, TournamentError> {
    let tournament = TournamentOptions { window, ..TournamentOptions::default() };
    let options = PlanOptions { documents: 100, tournament, noise, ties: 0.0, prior: SimulatedPrior::Random };
    let found: Vec<[Compared; 3]> =
        (0..QUERIES).into_par_iter().map(|at| query(&options, at)).collect::<Result<_, _>>()?;
    let mut lines = String::new();
    for (at, name) in STOPPING.into_iter().enumerate() {
        let mean =
            |of: fn(&Compared) -> f64| super::mean(&found.iter().map(|one| of(&one[at])).collect::<Vec<_>>());
        let (calls, llull) = (mean(|one| one.calls).0, mean(|one| one.llull).0);
        let ((own, half), (active, half_active)) =
            (mean(|one| one.llull - one.own), mean(|one| one.llull - one.active));
        let _ = writeln!(
            lines,
            "{window},{noise},{name},{calls:.2},{llull:.4},{own:.4},{half:.4},{active:.4},{half_active:.4}"
        );
    }
    Ok(lines)
}

/// Returns the sentence of `docs/reference/tournaments.md`: the least and the largest lead of all lines.
pub(crate) fn sentence(lines: &str) -> String {
    let column = |at: usize, of: &str| {
        let rows = lines.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let leads = rows.filter(|row| row.get(2) == Some(&of));
        let leads = leads.filter_map(|row| row.get(at)?.parse::<f64>().ok());
        let (low, high) = leads
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), lead| (low.min(lead), high.max(lead)));
        let brief = |lead: f64| match format!("{lead:.2}").as_str() {
            "0.00" | "-0.00" => "0".to_owned(),
            text => text.replacen("0.", ".", 1),
        };
        format!("{} to {}", brief(low), brief(high))
    };
    format!(
        "At equal calls llull's nDCG@10 is {} above active Bradley-Terry's and {} above BlitzRank's (simulated).",
        column(7, "llull"),
        column(5, "BlitzRank")
    )
}

fn query(options: &PlanOptions, number: u32) -> Result<[Compared; 3], TournamentError> {
    let seed = Seed(3).stream(&format!("leaders {number}"));
    let (pool, judge) = options.topic(seed);
    let quality = |order: &[Item]| ndcg(order, &pool.grades, options.tournament.top);
    let tournament = TournamentOptions { seed: Seed(seed), ..options.tournament.clone() };
    let leaders = |calls: Option<u64>| play(&judge, &tournament, calls);
    let alone = leaders(None)?;
    let (blitz_calls, blitz) = blitz(options, &judge);
    let repeated = play(&judge, &TournamentOptions { rejudge: Some(1), ..tournament.clone() }, None)?;
    let active = active(options, &judge, [alone.calls, blitz_calls, repeated.calls]);
    let compared = |active: &[Item], calls: u64, own: &[Item], llull: &[Item]| {
        let [own, llull, active] = [own, llull, active].map(quality);
        Compared { calls: calls as f64, own, llull, active }
    };
    Ok([
        compared(&active[0], alone.calls, &alone.order, &alone.order),
        compared(&active[1], blitz_calls, &blitz, &leaders(Some(blitz_calls))?.order),
        compared(&active[2], repeated.calls, &repeated.order, &leaders(Some(repeated.calls))?.order),
    ])
}

/// BlitzRank's calls and order.
fn blitz(options: &PlanOptions, judge: &NoisyJudge) -> (u64, Vec<Item>) {
    let (n, window, top) = (options.documents, options.tournament.window, options.tournament.top);
    let mut reach = vec![vec![false; n]; n];
    let mut shown: Vec<Item> = Item::first(n).take(window).collect();
    let mut calls = 0;
    let order = loop {
        let groups = judge.answer(&shown, calls).groups;
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
    (calls.into(), order.into_iter().map(Item::at).collect())
}

/// The orders of active Bradley-Terry after these numbers of questions.
fn active(options: &PlanOptions, judge: &NoisyJudge, calls: [u64; 3]) -> [Vec<Item>; 3] {
    let window = options.tournament.window;
    // The order of a pool is random.
    let items: Vec<Item> = Item::first(options.documents).collect();
    let mut first = items.chunks(window);
    let mut ballots: Vec<Ballot> = Vec::new();
    let mut orders: [Vec<Item>; 3] = Default::default();
    while orders.iter().any(Vec::is_empty) {
        let shown = match first.next() {
            Some(shown) => shown.to_vec(),
            None => rated(options.documents, &ballots, 1.0).into_iter().take(window).collect(),
        };
        ballots.push(judge.answer(&shown, ballots.len() as u32));
        let now = calls.map(|calls| calls <= ballots.len() as u64);
        for (order, _) in orders.iter_mut().zip(now).filter(|(order, now)| *now && order.is_empty()) {
            *order = rated(options.documents, &ballots, 0.0);
        }
    }
    orders
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
