//! Compares systems as if their documents were equally long.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Item;

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::reference::{Place, Votes};
use crate::{AuditOptions, AuditedCollection, AuditedSystem, CheckKind};

/// A larger change of a system's share of wins gets a warning, if it is also more than a quarter of it.
const DECENT: f64 = 0.1;

/// With more systems than this, each is compared with the first one only.
const MOST_SYSTEMS: usize = 8;

/// How many documents of each system are compared in a query, the first that the other did not return. All pairs of a
/// hundred and a hundred would add little.
const MOST_DOCUMENTS: usize = 20;

/// With fewer pairs of documents there is nothing to fit.
const LEAST_PAIRS: usize = 50;

/// One document of each system: the query, whether the first system's is the better one (a half for equal worth), and
/// by how much the first system's is longer.
struct Meeting {
    query: usize,
    won: f64,
    longer: f64,
}

/// Returns the change in a system's share of wins over another with lengths held equal: the largest change among pairs
/// of systems, in shares of wins.
///
/// The documents that only one of the two returned are compared. The log odds of a win are theta + phi tanh(d/sd),
/// where d is the difference of lengths and sd its standard deviation. Theta alone is the share at equal length
/// (Dubois et al., Length-controlled AlpacaEval, arXiv 2404.04475).
pub(crate) fn length_controlled(
    own: &Votes,
    worth: &BTreeMap<Place, f64>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let pairs = pairs_of_systems(collection);
    let looked_at = pairs.len() as f64;
    let moved = pairs.into_iter().filter_map(|(first, second)| {
        let meetings = meetings(first, second, worth, collection, options.depth);
        let moved = Move::of(&meetings)?;
        Some((first, second, moved, meetings.len()))
    });
    let (first, second, moved, n) = moved.max_by(|a, b| a.2.by.value.abs().total_cmp(&b.2.by.value.abs()))?;
    let by = moved.by;
    let gains = ndcg_at_equal_length((first, second), own, collection, options.depth);
    let gains = gains.map_or_else(String::new, |[as_judged, equal]| {
        format!(
            " The difference in nDCG@{} is {as_judged:+.2}, and {equal:+.2} at equal length.",
            options.depth
        )
    });
    let large = by.value.abs() > 0.25 * (moved.raw - 0.5).abs();
    let equal = moved.raw - by.value;
    let won = format!(
        "{:.0}% of {n} pairs of documents, and {:.0}% at equal length",
        100.0 * moved.raw,
        100.0 * equal
    );
    let effect = if (moved.raw - 0.5) * (equal - 0.5) < 0.0 {
        "reverses"
    } else if (moved.raw - 0.5).abs() < (equal - 0.5).abs() {
        "hides part of"
    } else {
        "explains part of"
    };
    Some(Finding {
        n,
        value: Some(by.value),
        interval: by.interval(options.confidence, (-1.0, 1.0)),
        chance: Some(0.0),
        p: Some(if large { (by.p_beyond(0.0, DECENT) * looked_at).min(1.0) } else { 1.0 }),
        conclusion: format!(
            "Length {effect} the difference between {} and {}: the former wins {won}.{gains}",
            first.name, second.name
        ),
        remedy: "Compare the systems on documents cut to one length, too.",
        ..Finding::of_figures(
            CheckKind::LengthControlled,
            format!("{} beats {} in {won}.{gains} No two systems change more.", first.name, second.name),
        )
    })
}

fn pairs_of_systems(collection: &AuditedCollection) -> Vec<(&AuditedSystem, &AuditedSystem)> {
    let systems = &collection.systems;
    let firsts = if systems.len() > MOST_SYSTEMS { 1 } else { systems.len() };
    (0..firsts)
        .flat_map(|one| systems.iter().skip(one + 1).map(move |other| (one, other)))
        .filter_map(|(one, other)| Some((systems.get(one)?, other)))
        .collect()
}

fn meetings(
    first: &AuditedSystem,
    second: &AuditedSystem,
    worth: &BTreeMap<Place, f64>,
    collection: &AuditedCollection,
    depth: usize,
) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for query in 0..collection.documents.len() {
        let known = |item: &Item| {
            Some((*worth.get(&(query, *item))?, collection.document(query, *item).characters? as f64))
        };
        let alone = |system, other: &AuditedSystem| -> Vec<(f64, f64)> {
            let others: BTreeSet<&Item> = ranked(other, query, depth).collect();
            let own = ranked(system, query, depth).filter(|item| !others.contains(item));
            own.filter_map(known).take(MOST_DOCUMENTS).collect()
        };
        let theirs = alone(second, first);
        for (own_worth, own_length) in alone(first, second) {
            for &(other_worth, other_length) in &theirs {
                let won =
                    if own_worth == other_worth { 0.5 } else { f64::from(u8::from(own_worth > other_worth)) };
                meetings.push(Meeting { query, won, longer: own_length - other_length });
            }
        }
    }
    meetings
}

/// Returns the mean difference of two systems' nDCG (linear gains) by a judge's grades, and with the part of the grades
/// that length explains taken out: their regression on the logarithm of length, within queries. `None` for a judge that
/// compares, or if all documents of each query are equally long.
fn ndcg_at_equal_length(
    (first, second): (&AuditedSystem, &AuditedSystem),
    own: &Votes,
    collection: &AuditedCollection,
    depth: usize,
) -> Option<[f64; 2]> {
    let mut queries: BTreeMap<usize, Vec<(Item, f64, f64)>> = BTreeMap::new();
    for (&(query, item), grade) in &own.grades {
        let characters = collection.document(query, item).characters? as f64;
        queries.entry(query).or_default().push((item, *grade, libm::log1p(characters)));
    }
    let (mut with_grade, mut alone) = (0.0, 0.0);
    for graded in queries.values_mut() {
        let n = graded.len() as f64;
        let [grade, length] = [
            graded.iter().map(|one| one.1).sum::<f64>() / n,
            graded.iter().map(|one| one.2).sum::<f64>() / n,
        ];
        for one in graded.iter_mut() {
            one.2 -= length;
            with_grade += one.2 * (one.1 - grade);
            alone += one.2 * one.2;
        }
    }
    let slope = (alone > 0.0).then_some(with_grade / alone)?;
    let difference = |slope: f64| -> f64 {
        let of_query = |(query, graded): (&usize, &Vec<(Item, f64, f64)>)| {
            let gains: BTreeMap<Item, f64> = graded
                .iter()
                .map(|(item, grade, longer)| (*item, (grade - slope * longer).max(0.0)))
                .collect();
            let mut best: Vec<f64> = gains.values().copied().collect();
            best.sort_by(|a, b| b.total_cmp(a));
            let ideal = discounted(best.into_iter().take(depth));
            let dcg = |system| {
                discounted(ranked(system, *query, depth).map(|item| gains.get(item).copied().unwrap_or(0.0)))
            };
            if ideal > 0.0 { (dcg(first) - dcg(second)) / ideal } else { 0.0 }
        };
        queries.iter().map(of_query).sum::<f64>() / queries.len() as f64
    };
    // Adding 0 turns -0 into 0.
    Some([0.0, slope].map(|slope| (100.0 * difference(slope)).round() / 100.0 + 0.0))
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains.zip(2_u32..).map(|(gain, place)| gain / libm::log2(f64::from(place))).sum()
}

/// The documents that a system returned for a query, best first.
fn ranked(system: &AuditedSystem, query: usize, depth: usize) -> impl Iterator<Item = &Item> {
    system.rankings.get(query).into_iter().flatten().take(depth)
}

/// A share of wins, and by how much it exceeds that at equal length.
struct Move {
    raw: f64,
    by: Clustered,
}

impl Move {
    /// The error is that of the queries' influences.
    fn of(meetings: &[Meeting]) -> Option<Self> {
        if meetings.len() < LEAST_PAIRS {
            return None;
        }
        let n = meetings.len() as f64;
        let mean = meetings.iter().map(|one| one.longer).sum::<f64>() / n;
        let deviation =
            (meetings.iter().map(|one| (one.longer - mean) * (one.longer - mean)).sum::<f64>() / n).sqrt();
        if deviation == 0.0 {
            return None;
        }
        let units: Vec<(f64, f64)> =
            meetings.iter().map(|one| (one.won, libm::tanh(one.longer / deviation))).collect();
        let raw = units.iter().map(|unit| unit.0).sum::<f64>() / n;
        let fit = Fit::of(&units)?;
        let equal = fit.chance(0.0);
        // How far each meeting moves the share of wins, and the share at equal length, to first order.
        let influences = meetings.iter().zip(&units).map(|(one, unit)| {
            (one.query, (unit.0 - raw) / n - equal * (1.0 - equal) * fit.moves_theta(*unit))
        });
        let influences: Vec<(usize, f64)> = influences.collect();
        Some(Self { raw, by: Clustered::of_influences(raw - equal, &influences) })
    }
}

/// The logistic regression of the wins on the difference of lengths. A prior of one unit of information on both
/// coefficients makes it exist even if every longer document wins.
struct Fit {
    theta: f64,
    phi: f64,
    /// The first row of the inverse of the information.
    inverse: (f64, f64),
}

impl Fit {
    /// By Newton's method. `None` without a maximum.
    fn of(units: &[(f64, f64)]) -> Option<Self> {
        let mut fit = Self { theta: 0.0, phi: 0.0, inverse: (0.0, 0.0) };
        for _ in 0..50 {
            let (mut g0, mut g1, mut h00, mut h01, mut h11) = (-fit.theta, -fit.phi, 1.0, 0.0, 1.0);
            for &(won, x) in units {
                let p = fit.chance(x);
                let weight = p * (1.0 - p);
                g0 += won - p;
                g1 += (won - p) * x;
                h00 += weight;
                h01 += weight * x;
                h11 += weight * x * x;
            }
            let determinant = h00 * h11 - h01 * h01;
            let step = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant);
            fit.theta += step.0.clamp(-2.0, 2.0);
            fit.phi += step.1.clamp(-2.0, 2.0);
            fit.inverse = (h11 / determinant, -h01 / determinant);
            if step.0.abs() + step.1.abs() < 1e-10 {
                return Some(fit);
            }
        }
        None
    }

    /// The chance of a win at a difference of lengths.
    fn chance(&self, x: f64) -> f64 {
        1.0 / (1.0 + libm::exp(-(self.theta + self.phi * x)))
    }

    /// How far a meeting moves theta, to first order.
    fn moves_theta(&self, (won, x): (f64, f64)) -> f64 {
        (won - self.chance(x)) * (self.inverse.0 + self.inverse.1 * x)
    }
}
