//! Compares priors by the order that they preserve in sparse comparisons.
//!
//! Run it by `cargo run --release -p llull-rank --example ratings_prior`. The comparisons are nearly transitive and
//! few.
//!
//! 100 items have normal qualities; a judge sees each with normal noise, drawn anew for each ballot. Prints, for each
//! prior, the mean over seeds of Kendall's tau between qualities and scores, with the standard error of its
//! difference from the default's.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use llull_core::{Ballot, Item};
use llull_rank::ratings::{Model, Prior, RatingError, RatingOptions, rate};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

const ITEMS: usize = 100;
const SEEDS: u64 = 200;
const PRIORS: [Prior; 9] = [
    Prior::Logistic(0.1),
    Prior::Logistic(0.001),
    Prior::Logistic(0.01),
    Prior::Logistic(0.03),
    Prior::Logistic(0.3),
    Prior::Logistic(1.0),
    Prior::Choix(0.0001),
    Prior::Choix(0.001),
    Prior::Choix(0.01),
];

fn main() -> Result<(), RatingError> {
    for (model, size, ballots) in [
        (Model::BradleyTerry, 2, 200),
        (Model::BradleyTerry, 2, 1000),
        (Model::BradleyTerry, 10, 15),
        (Model::BradleyTerry, 10, 60),
        (Model::PlackettLuce, 10, 15),
        (Model::PlackettLuce, 10, 60),
    ] {
        for noise in [0.0, 0.2, 0.5, 1.0] {
            println!("{model}, {ballots} ballots of {size}, noise {noise}:");
            study(model, size, ballots, noise)?;
        }
    }
    Ok(())
}

fn study(model: Model, size: usize, ballots: usize, noise: f64) -> Result<(), RatingError> {
    let mut usual = Vec::new();
    for prior in PRIORS {
        let options = RatingOptions { prior, standard_errors: false, ..RatingOptions::default() };
        let mut taus = Vec::new();
        for seed in 0..SEEDS {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let quality: Vec<f64> = (0..ITEMS).map(|_| normal(&mut random)).collect();
            let cast: Vec<Ballot> =
                (0..ballots).map(|_| ballot(&quality, size, noise, &mut random)).collect();
            taus.push(tau(&quality, &rate(model, ITEMS, &cast, &options)?.scores));
        }
        if usual.is_empty() {
            usual.clone_from(&taus);
        }
        let differences: Vec<f64> = taus.iter().zip(&usual).map(|(tau, usual)| tau - usual).collect();
        let difference = mean(&differences);
        let squares: Vec<f64> = differences.iter().map(|one| (one - difference).powi(2)).collect();
        let error = (mean(&squares) / (SEEDS - 1) as f64).sqrt();
        println!("  {:<18} {:.4}  {difference:+.4} ({error:.4})", format!("{prior:?}"), mean(&taus));
    }
    Ok(())
}

fn ballot(quality: &[f64], size: usize, noise: f64, random: &mut ChaCha8Rng) -> Ballot {
    let mut shown: Vec<usize> = (0..ITEMS).collect();
    let (shown, _) = shown.partial_shuffle(random, size);
    let mut seen: Vec<(f64, Item)> =
        shown.iter().map(|&item| (quality[item] + noise * normal(random), Item::at(item))).collect();
    seen.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ballot::strict(seen.into_iter().map(|(_, item)| item))
}

/// Box and Muller.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let [a, b] = [0; 2].map(|_| 1.0 - (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64);
    (-2.0 * a.ln()).sqrt() * (2.0 * std::f64::consts::PI * b).cos()
}

/// Of all pairs of items, those in order less those out of order; an item without a score is out of it.
fn tau(quality: &[f64], scores: &[Option<f64>]) -> f64 {
    let mut sum = 0.0;
    for (item, (one, score)) in quality.iter().zip(scores).enumerate() {
        for (other, other_score) in quality.iter().zip(scores).take(item) {
            let difference = score.zip(*other_score).map_or(0.0, |(a, b)| a - b);
            sum += if difference == 0.0 { 0.0 } else { ((one - other) * difference).signum() };
        }
    }
    sum / (ITEMS * (ITEMS - 1) / 2) as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
