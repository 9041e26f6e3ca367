//! Scores pairs by learners that have not seen their queries.

use crate::curve::mean_precision;
use crate::fit::{LearnerSettings, fit};
use crate::folds;
use crate::learner::LearnerKind;
use crate::table::TrainingTable;

/// Scores of some rows, in their order, each by a learner fitted to the other folds.
pub(crate) fn out_of_fold(
    kind: LearnerKind,
    table: &TrainingTable,
    rows: &[usize],
    folds: &[usize],
    settings: &LearnerSettings,
) -> Vec<f64> {
    let mut scores = vec![0.0; rows.len()];
    for fold in 0..folds::count(folds) {
        let others: Vec<usize> =
            rows.iter().zip(folds).filter(|(_, own)| **own != fold).map(|(row, _)| *row).collect();
        let fitted = fit(kind, table, &others, settings);
        for (at, row) in rows.iter().enumerate().filter(|(at, _)| folds[*at] == fold) {
            scores[at] = fitted.score_row(table.table(), *row);
        }
    }
    scores
}

/// The predictions of each learner for some rows by folds, and the best learner.
pub(crate) struct Chosen {
    pub(crate) best: LearnerKind,
    /// In the order of the kinds that were tried.
    pub(crate) tried: Vec<(LearnerKind, Vec<f64>)>,
}

impl Chosen {
    /// Tries each kind on `count` folds over the queries of these rows. The best has the highest mean precision over
    /// all coverages.
    pub(crate) fn of(
        kinds: &[LearnerKind],
        table: &TrainingTable,
        rows: &[usize],
        count: usize,
        settings: &LearnerSettings,
    ) -> Self {
        let folds = folds::by_group(rows, table.groups(), count, settings.seed);
        let lhs: Vec<bool> = rows.iter().map(|row| table.lhs()[*row]).collect();
        let mut best: Option<(f64, LearnerKind)> = None;
        let mut tried = Vec::new();
        for kind in kinds {
            let scores = out_of_fold(*kind, table, rows, &folds, settings);
            let mean = mean_precision(&scores, &lhs);
            if best.is_none_or(|(most, _)| mean > most) {
                best = Some((mean, *kind));
            }
            tried.push((*kind, scores));
        }
        Self { best: best.map_or(LearnerKind::Vote, |(_, kind)| kind), tried }
    }

    /// The scores of the best.
    pub(crate) fn scores(&self) -> &[f64] {
        let best = self.tried.iter().find(|(kind, _)| *kind == self.best);
        best.map_or(&[], |(_, scores)| scores.as_slice())
    }
}

/// Scores of all rows where the learner, too, was chosen without their queries.
pub(crate) struct Nested {
    /// From -1 to 1: the sign of the learner's score, and the share of the other folds' pairs that are less sure.
    /// Scores of different learners are not on one scale; these are.
    pub(crate) scores: Vec<f64>,
    /// The learner that each fold's others chose.
    pub(crate) chosen: Vec<LearnerKind>,
}

impl Nested {
    pub(crate) fn of(
        kinds: &[LearnerKind],
        table: &TrainingTable,
        folds: &[usize],
        settings: &LearnerSettings,
    ) -> Self {
        let count = folds::count(folds);
        let (mut scores, mut chosen) = (vec![0.0; folds.len()], Vec::new());
        for fold in 0..count {
            let others: Vec<usize> = (0..folds.len()).filter(|row| folds[*row] != fold).collect();
            let inner = Chosen::of(kinds, table, &others, count, settings);
            let mut sure: Vec<f64> = inner.scores().iter().map(|score| score.abs()).collect();
            sure.sort_unstable_by(f64::total_cmp);
            let fitted = fit(inner.best, table, &others, settings);
            for row in (0..folds.len()).filter(|row| folds[*row] == fold) {
                let score = fitted.score_row(table.table(), row);
                scores[row] =
                    if score == 0.0 { 0.0 } else { share_below(&sure, score.abs()).copysign(score) };
            }
            chosen.push(inner.best);
        }
        Self { scores, chosen }
    }
}

/// The share of ascending values below this one, equal ones half; above 0.
fn share_below(sorted: &[f64], value: f64) -> f64 {
    let below = sorted.partition_point(|other| *other < value);
    let upto = sorted.partition_point(|other| *other <= value);
    ((below + upto) as f64 + 1.0) / (2 * sorted.len() + 2) as f64
}
