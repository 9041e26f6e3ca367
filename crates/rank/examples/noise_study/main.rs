//! Measures the effect of noise on an order, and of more calls.
//!
//! `cargo run -p llull-rank --example noise_study -- docs` writes `noise-study.csv`, `noise-study.svg` and
//! `equal-calls.csv` in `docs`. With `--check` behind it, it writes nothing, and ends with an error if they differ or
//! if the docs have other figures. CI runs that; of `equal-calls.csv` it computes one setting, since all take minutes.
//!
//! 100 documents: 5 of grade 3, 10 of 2, 20 of 1, 65 of 0, each worth its grade + N(0, 0.35), met in the order of
//! worth + N(0, 1.2). A judge is shown 10 at a time and orders them by worth + N(0, 0.5), drawn anew for every
//! answer. Quality is nDCG@10 with the gain 2^grade - 1, over 200 topics.
//!
//! - *components*: the sequential schedule, every vote an edge, votes that cancel out an edge each way; tiers are the
//!   strongly connected components, and inside a component the prior order decides. What BlitzRank (arXiv 2602.05448)
//!   does.
//! - *Bradley-Terry*: on the same votes; and on llull's with half as many calls again.
//! - *llull*: `TournamentOutcome::order` with that many calls, half as many again, and so on, every cycle repeated
//!   until the calls are used up; and with the usual settings, which limit the repetitions.
//! - *ranking*: `TournamentOutcome::ranking` of the same tournaments.
//! - *sliding window*, *heapsort*: `llull_rank::simulate`'s, for the same judge.

#![allow(clippy::print_stdout, reason = "a study says what it found")]

mod chart;
mod equal_calls;

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use chart::{Axis, Chart, Point, Series};
use equal_calls::{HEADING, NOISES, WINDOWS, lines, sentence};
use llull_core::{Ballot, Item, Seed};
use llull_rank::ratings::{RatingOptions, bradley_terry};
use llull_rank::simulate::{NoisyJudge, SimulatedPool, SimulatedPrior, heapsort, ndcg, sliding_window};
use llull_rank::{Schedule, TieRule, Tournament, TournamentOptions, TournamentOutcome};
use rayon::prelude::*;

const TOPICS: u32 = 200;
const DOCUMENTS: usize = 100;
const WINDOW: usize = 10;
const TOP: usize = 10;
const NOISE: f64 = 0.5;
const PRIOR: SimulatedPrior = SimulatedPrior::Worth(1.2);

/// How many calls llull may make, in shares of those that the components took.
const BUDGETS: [f64; 6] = [0.5, 0.75, 1.0, 1.25, 1.5, 2.0];

/// The cost and the quality of one way to an order, on one topic.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    calls: f64,
    ndcg: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, only_checks) = match arguments.as_slice() {
        [folder] => (PathBuf::from(folder), false),
        [folder, check] if check == "--check" => (PathBuf::from(folder), true),
        _ => return Err("usage: noise_study FOLDER [--check], for example noise_study docs".into()),
    };
    equal_calls(&folder, only_checks)?;
    let topics: Vec<Vec<(String, Found)>> =
        (0..TOPICS).into_par_iter().map(topic).collect::<Result<_, _>>()?;
    let names: Vec<String> = topics.first().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let rows: Vec<(String, Vec<Found>)> = names
        .into_iter()
        .enumerate()
        .map(|(at, name)| (name, topics.iter().map(|found| found[at].1).collect()))
        .collect();
    let csv = csv(&rows)?;
    if !only_checks {
        print!("{csv}");
    }
    for (name, made) in [("noise-study.csv", csv), ("noise-study.svg", picture(&rows).svg()?)] {
        let path = folder.join(name);
        if !only_checks {
            fs_err::write(path, made)?;
        } else if fs_err::read_to_string(&path)? != made {
            return Err(format!("{} is out of date; run noise_study without --check", path.display()).into());
        }
    }
    Ok(())
}

/// Writes the table of equal calls, or checks the setting that takes least, and the sentence in the docs.
fn equal_calls(folder: &Path, only_checks: bool) -> Result<(), Box<dyn Error>> {
    let path = folder.join("equal-calls.csv");
    if !only_checks {
        let mut made = HEADING.to_owned();
        for window in WINDOWS {
            for noise in NOISES {
                let lines = lines(window, noise)?;
                print!("{lines}");
                made.push_str(&lines);
            }
        }
        fs_err::write(&path, made)?;
    }
    let written = fs_err::read_to_string(&path)?;
    if only_checks && !written.contains(&lines(20, 0.5)?) {
        return Err(format!("{} is out of date; run noise_study without --check", path.display()).into());
    }
    let page = folder.join("reference/tournaments.md");
    let words = fs_err::read_to_string(&page)?.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = sentence(&written);
    if !words.contains(&sentence) {
        return Err(format!("{} lacks the sentence: {sentence}", page.display()).into());
    }
    Ok(())
}

/// Every way on one topic.
fn topic(number: u32) -> Result<Vec<(String, Found)>, String> {
    let seed = Seed(1).stream(&format!("noise study {number}"));
    let pool = SimulatedPool::new(DOCUMENTS, PRIOR, seed);
    let judge = NoisyJudge { noise: NOISE, ..NoisyJudge::new(pool.worth.clone(), seed) };
    let found =
        |calls: u64, order: &[Item]| Found { calls: calls as f64, ndcg: ndcg(order, &pool.grades, TOP) };

    let (plain, ballots) = play(&judge, Some(0), u64::MAX)?;
    let mut all = vec![("components".to_owned(), found(plain.calls, &by_component(&plain)))];
    all.push(("Bradley-Terry".to_owned(), found(plain.calls, &rated(&ballots)?)));
    for budget in BUDGETS {
        let calls = (budget * plain.calls as f64).round() as u64;
        let (outcome, ballots) = play(&judge, Some(u32::MAX), calls)?;
        all.push((format!("llull, {budget}x"), found(outcome.calls, &outcome.order)));
        all.push((format!("ranking, {budget}x"), found(outcome.calls, &outcome.ranking)));
        if budget == 1.5 {
            all.push((format!("Bradley-Terry, {budget}x"), found(outcome.calls, &rated(&ballots)?)));
        }
    }
    let (usual, _) = play(&judge, TournamentOptions::default().rejudge, u64::MAX)?;
    all.push(("llull, as usual".to_owned(), found(usual.calls, &usual.order)));
    for top in [WINDOW / 2, TOP] {
        let window = sliding_window(&judge, DOCUMENTS, WINDOW, top);
        all.push((
            format!("sliding window, passes: {}", top * 2 / WINDOW),
            found(window.calls, &window.order),
        ));
    }
    let heap = heapsort(&judge, DOCUMENTS, WINDOW, TOP);
    all.push(("heapsort".to_owned(), found(heap.calls, &heap.order)));
    all.push(("the order met".to_owned(), found(0, &Item::first(DOCUMENTS).collect::<Vec<_>>())));
    all.push(("a perfect judge".to_owned(), found(0, &pool.true_order())));
    Ok(all)
}

/// Plays until nothing is left to ask or the calls are used up; with the ballots that were cast.
fn play(
    judge: &NoisyJudge,
    rejudge: Option<u32>,
    max_calls: u64,
) -> Result<(TournamentOutcome, Vec<Ballot>), String> {
    let options = TournamentOptions {
        window: WINDOW,
        top: TOP,
        schedule: Schedule::Sequential,
        ties: TieRule::Equal,
        rejudge,
        ..TournamentOptions::default()
    };
    let mut tournament = Tournament::new(DOCUMENTS, options).map_err(|error| error.to_string())?;
    let mut ballots = Vec::new();
    while (ballots.len() as u64) < max_calls {
        let wave = tournament.next(1);
        let Some(batch) = wave.first() else { break };
        let ballot = judge.answer(&batch.items, batch.round);
        tournament.observe(batch, std::slice::from_ref(&ballot));
        ballots.push(ballot);
    }
    Ok((tournament.outcome(), ballots))
}

/// The order of Bradley-Terry's scores.
fn rated(ballots: &[Ballot]) -> Result<Vec<Item>, String> {
    let options = RatingOptions { standard_errors: false, ..RatingOptions::default() };
    let ratings = bradley_terry(DOCUMENTS, ballots, &options).map_err(|error| error.to_string())?;
    Ok(by_score(&ratings.scores))
}

/// Tiers in their order, each in the prior order.
fn by_component(outcome: &TournamentOutcome) -> Vec<Item> {
    let tier = |items: &[Item]| {
        let mut items = items.to_vec();
        items.sort_unstable();
        items
    };
    outcome.tiers.iter().flat_map(|it| tier(&it.items)).collect()
}

/// Scores descending, equal ones in the prior order; items without a score are last.
fn by_score(scores: &[Option<f64>]) -> Vec<Item> {
    let mut scored: Vec<(Item, f64)> =
        (0..).map(Item).zip(scores.iter().map(|score| score.unwrap_or(f64::NEG_INFINITY))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.into_iter().map(|(item, _)| item).collect()
}

/// A mean with half the width of its 95% interval (normal; there are hundreds of topics).
fn mean(sample: &[f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let variance = sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

fn point(name: &str, found: &[Found]) -> Point {
    let (x, _) = mean(&found.iter().map(|it| it.calls).collect::<Vec<_>>());
    let (y, half) = mean(&found.iter().map(|it| it.ndcg).collect::<Vec<_>>());
    let label = name.strip_prefix("ranking, ").unwrap_or_default();
    Point { x, y, half, label: label.to_owned() }
}

/// One row a way: calls, nDCG, and by how much it is above the first two ways on the same topics.
fn csv(rows: &[(String, Vec<Found>)]) -> Result<String, std::fmt::Error> {
    let mut csv = format!("# nDCG@{TOP} and calls of {TOPICS} topics; +- is half of a 95% interval\n");
    writeln!(csv, "order,calls,ndcg,+-,above components,+-,above Bradley-Terry,+-")?;
    for (name, found) in rows {
        let Point { x, y, half, .. } = point(name, found);
        write!(csv, "\"{name}\",{x:.2},{y:.4},{half:.4}")?;
        for (_, other) in rows.iter().take(2) {
            let gains: Vec<f64> = found.iter().zip(other).map(|(one, other)| one.ndcg - other.ndcg).collect();
            let (gain, half) = mean(&gains);
            write!(csv, ",{gain:.4},{half:.4}")?;
        }
        csv.push('\n');
    }
    Ok(csv)
}

fn picture(rows: &[(String, Vec<Found>)]) -> Chart {
    let x = Axis { low: 10.0, high: 40.0, step: 5.0 };
    let series = |prefix: &str, name: &str, color, radius| {
        let named = rows.iter().filter(|(row, _)| row.starts_with(prefix) && !row.ends_with("as usual"));
        let points = named.map(|(row, found)| point(row, found)).filter(|point| point.x >= x.low);
        Series { name: name.to_owned(), color, radius, points: points.collect() }
    };
    let perfect = rows.iter().find(|(name, _)| name == "a perfect judge");
    Chart {
        title: "A noisy judge: what its order is worth, by what it cost".to_owned(),
        x_label: format!(
            "calls a query (mean of {TOPICS}; {DOCUMENTS} documents, {WINDOW} at a time, top {TOP})"
        ),
        y_label: format!("nDCG@{TOP}, with 95% intervals"),
        x,
        y: Axis { low: 0.88, high: 1.0, step: 0.02 },
        level: (perfect.map_or(1.0, |(name, found)| point(name, found).y), "a perfect judge".to_owned()),
        series: vec![
            series("ranking", "llull, the ranking across tiers", "#4ea3dd", 3.5),
            series("llull", "llull, the order of the tiers", "#0b62a4", 3.5),
            series("Bradley-Terry", "Bradley-Terry on the same votes", "#2e8b57", 6.0),
            series("components", "components, contradictions as they are", "#c2410c", 6.0),
            series("sliding", "sliding window, one pass and two", "#7c3aed", 6.0),
            series("heapsort", "heapsort", "#666666", 6.0),
        ],
    }
}
