//! Trains on tables of answers about pairs, and applies saved learners.

use std::collections::BTreeMap;
use std::path::Path;

use llull_core::PairChoice;
use llull_data::{FeatureColumns, FeaturesFile, read_features, shown_path};
use llull_learner::{FeatureTable, PairFeature, SavedLearner, TrainOptions, Trained, TrainingTable, train};

use crate::training::error::TrainingError;

/// A training table, and counts of the rows and features that were left out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedTable {
    /// The pairs whose better side is known.
    pub table: TrainingTable,
    /// The number of pairs whose target is Neither; their better side is unknown.
    pub neither: usize,
    /// Pairs without a target.
    pub without_target: usize,
    /// The names of features without an answer about any of the pairs; they are left out.
    pub without_answers: Vec<String>,
}

/// The answer of a saved learner for one row.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedRow {
    /// The line of the file, from 1.
    pub line: u64,
    /// The query, if the column was named.
    pub group: Option<String>,
    /// The side, or Neither below the threshold.
    pub answer: PairChoice,
    /// The confidence of the answer, from -1 (surely the right-hand side) to 1.
    pub score: f64,
}

/// Reads a table with a target and a group. A header may end in `@N`: an answer to that feature costs N calls;
/// otherwise it costs 1, or the number in `calls`.
///
/// # Errors
/// Returns an error if the file is no such table, or `calls` names a feature that it lacks.
pub fn read_training_table(
    path: &Path,
    columns: &FeatureColumns,
    calls: &BTreeMap<String, u32>,
) -> Result<LearnedTable, TrainingError> {
    let file = read_features(path, columns)?;
    let name = || shown_path(path);
    let known: Vec<usize> = (0..file.lines.len())
        .filter(|row| file.targets.get(*row).is_some_and(|target| target.vote() != 0))
        .collect();
    let of = |answer: PairChoice| file.targets.iter().filter(|target| **target == answer).count();
    let (neither, without_target) = (of(PairChoice::Neither), of(PairChoice::Missing));
    let table = feature_table(&file, &known, calls, path)?;
    let lhs = known.iter().map(|row| file.targets[*row] == PairChoice::Lhs).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut group = |row: &usize| {
        let next = places.len();
        // Without a column of groups, every pair has a query of its own.
        file.groups.get(*row).map_or(*row, |name| *places.entry(name).or_insert(next))
    };
    let groups = known.iter().map(&mut group).collect();
    let wrong = |source| TrainingError::Table { file: name(), source };
    let table = TrainingTable::new(table, lhs, groups).map_err(wrong)?;
    Ok(LearnedTable { table, neither, without_target, without_answers: Vec::new() })
}

/// Trains on a table; see [`llull_learner::train()`].
///
/// # Errors
/// Returns an error that names the file if there are too few queries, or an option is out of range.
pub fn train_file(
    path: &Path,
    table: &TrainingTable,
    options: &TrainOptions,
) -> Result<Trained, TrainingError> {
    train(table, options).map_err(|source| TrainingError::Train { file: shown_path(path), source })
}

/// Applies a saved learner to every row of a table; other columns are ignored.
///
/// # Errors
/// Returns an error if the file is no such table, or lacks a column that the learner reads.
pub fn apply_learner(
    learner: &SavedLearner,
    path: &Path,
    group: Option<&str>,
    threshold: f64,
) -> Result<Vec<AppliedRow>, TrainingError> {
    let needed: Vec<String> = learner.needed().into_iter().map(str::to_owned).collect();
    let group = group.map(str::to_owned);
    let columns = FeatureColumns { group, only: needed, ..FeatureColumns::default() };
    let file = read_features(path, &columns)?;
    let rows: Vec<usize> = (0..file.lines.len()).collect();
    let table = feature_table(&file, &rows, &BTreeMap::new(), path)?;
    let wrong = |source| TrainingError::Saved { file: shown_path(path), source };
    let answers = learner.apply(&table, threshold).map_err(wrong)?;
    let row = |(at, (answer, score)): (usize, (PairChoice, f64))| AppliedRow {
        line: file.lines[at],
        group: file.groups.get(at).cloned(),
        answer,
        score,
    };
    Ok(answers.into_iter().enumerate().map(row).collect())
}

/// The features of a file as a table of these rows.
fn feature_table(
    file: &FeaturesFile,
    rows: &[usize],
    calls: &BTreeMap<String, u32>,
    path: &Path,
) -> Result<FeatureTable, TrainingError> {
    let unknown = calls.keys().find(|name| !file.names.contains(name));
    if let Some(feature) = unknown {
        return Err(TrainingError::NoFeature { file: shown_path(path), feature: feature.clone() });
    }
    let features = file.names.iter().zip(&file.calls).map(|(name, own)| PairFeature {
        name: name.clone(),
        calls: calls.get(name).copied().unwrap_or(*own),
    });
    let columns = file.columns.iter().map(|column| rows.iter().map(|row| column[*row]).collect()).collect();
    FeatureTable::new(features.collect(), columns)
        .map_err(|source| TrainingError::Table { file: shown_path(path), source })
}
