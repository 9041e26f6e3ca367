//! Learns weights of judges within queries, shrunk towards equal ones.

use super::combine_error::CombineError;
use super::combined::{Combined, JudgeModel};
use super::grades::PanelGrades;
use super::method::PanelMethod;
use crate::linear_system::solve;

/// A weight is expected to lie within this share of the equal weight from it.
const SPREAD: f64 = 0.5;

/// Learns a weight for each judge from human labels.
///
/// It learns within each query: the human grades, less their mean in the query, are regressed on those of the judges,
/// less theirs. So the weights improve the order of documents, and a judge gains nothing from finding the queries with
/// many relevant ones.
///
/// Deviations from equal weights are penalised as in ridge regression (Hoerl and Kennard, Technometrics 12(1), 1970)
/// by the variance of the residuals under equal weights over the square of half that weight. That is the posterior
/// mean where weights are normal about the equal one with half of it as their deviation. So with few labels the panel
/// counts as its mean, and twenty judges do not fit noise.
pub(super) fn weighted(panel: &PanelGrades, truth: &[Option<usize>]) -> Result<Combined, CombineError> {
    let rows = centred(panel, truth);
    let judges = panel.judges();
    let weights = learnt(&rows, judges).ok_or(CombineError::NothingToLearn)?;
    let means = judges_means(panel);
    let human_labels: Vec<f64> = truth.iter().flatten().map(|place| *place as f64).collect();
    let level = human_labels.iter().sum::<f64>() / human_labels.len().max(1) as f64;
    let models = weights.iter().map(|weight| JudgeModel::Weight(*weight)).collect();
    let mut combined = Combined::new(PanelMethod::Weights, panel, models);
    let low = f64::from(panel.scale().low());
    for pair in 0..panel.pairs() {
        let given = panel.places(pair);
        if given.is_empty() {
            combined.push_missing();
            continue;
        }
        let mut value = low + level;
        let mut shares = vec![0.0; panel.levels()];
        for given in given {
            let weight = weights.get(given.judge()).copied().unwrap_or_default();
            value += weight * (given.place() as f64 - means.get(given.judge()).copied().unwrap_or_default());
            if let Some(share) = shares.get_mut(given.place()) {
                *share += weight.max(0.0);
            }
        }
        super::confusion::to_shares(&mut shares);
        combined.push(weighted_middle(&shares).map(|place| panel.grade(place)), Some(value), &shares);
    }
    Ok(combined)
}

/// A labelled pair: the human grade and each judge's, less their means in the query; 0 for a missing grade.
struct Row {
    human: f64,
    judges: Vec<f64>,
}

fn centred(panel: &PanelGrades, truth: &[Option<usize>]) -> Vec<Row> {
    let mut queries: std::collections::BTreeMap<usize, Vec<(usize, f64)>> = std::collections::BTreeMap::new();
    for (pair, place) in truth.iter().enumerate() {
        if let (Some(place), Some(query)) = (place, panel.query(pair)) {
            queries.entry(query).or_default().push((pair, *place as f64));
        }
    }
    let mut rows = Vec::new();
    for pairs in queries.into_values() {
        let mean = pairs.iter().map(|(_, human)| human).sum::<f64>() / pairs.len() as f64;
        let (mut sums, mut counts) = (vec![0.0; panel.judges()], vec![0.0; panel.judges()]);
        for given in pairs.iter().flat_map(|(pair, _)| panel.places(*pair)) {
            sums[given.judge()] += given.place() as f64;
            counts[given.judge()] += 1.0;
        }
        for (pair, human) in pairs {
            let mut judges = vec![0.0; panel.judges()];
            for given in panel.places(pair) {
                judges[given.judge()] = given.place() as f64 - sums[given.judge()] / counts[given.judge()];
            }
            rows.push(Row { human: human - mean, judges });
        }
    }
    rows
}

/// The weights; `None` if the panel's mean does not rise with the human grades, or there is nothing to learn from.
fn learnt(rows: &[Row], judges: usize) -> Option<Vec<f64>> {
    let sum = |row: &Row| row.judges.iter().sum::<f64>();
    let squares: f64 = rows.iter().map(|row| sum(row) * sum(row)).sum();
    let products: f64 = rows.iter().map(|row| sum(row) * row.human).sum();
    let equal = products / squares;
    if !(equal > 0.0 && equal.is_finite()) {
        return None;
    }
    let rests: Vec<f64> = rows.iter().map(|row| row.human - equal * sum(row)).collect();
    let variance = rests.iter().map(|rest| rest * rest).sum::<f64>() / rests.len() as f64;
    let spread = SPREAD * equal;
    // If equal weights fit exactly, no deviation from them can improve the fit.
    if variance == 0.0 {
        return Some(vec![equal; judges]);
    }
    let mut system = vec![vec![0.0; judges]; judges];
    let mut right = vec![0.0; judges];
    for (row, rest) in rows.iter().zip(&rests) {
        for (one, own) in row.judges.iter().enumerate().filter(|(_, own)| **own != 0.0) {
            right[one] += own * rest;
            for (value, other) in system[one].iter_mut().zip(&row.judges) {
                *value += own * other;
            }
        }
    }
    for (judge, row) in system.iter_mut().enumerate() {
        row[judge] += variance / (spread * spread);
    }
    Some(solve(system, right)?.into_iter().map(|more| equal + more).collect())
}

/// Each judge's mean place.
fn judges_means(panel: &PanelGrades) -> Vec<f64> {
    let (mut sums, mut counts) = (vec![0.0; panel.judges()], vec![0.0_f64; panel.judges()]);
    for given in (0..panel.pairs()).flat_map(|pair| panel.places(pair)) {
        sums[given.judge()] += given.place() as f64;
        counts[given.judge()] += 1.0;
    }
    sums.iter().zip(counts).map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// The lowest grade that half of the weight does not exceed; `None` if no judge with a weight graded the pair.
pub(super) fn weighted_middle(shares: &[f64]) -> Option<usize> {
    let mut below = 0.0;
    shares.iter().position(|share| {
        below += share;
        below >= 0.5
    })
}
