//! Tables of features of pairs, and of the sides to predict.

use llull_core::PairChoice;
use serde::{Deserialize, Serialize};

/// A question about a pair that a judge answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairFeature {
    /// Its name.
    pub name: String,
    /// The number of calls for an answer: 1, or 2 for both orders; 0 for an answer without a call.
    pub calls: u32,
}

/// Answers about pairs: a column for each feature, a row for each pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureTable {
    features: Vec<PairFeature>,
    columns: Vec<Vec<PairChoice>>,
    rows: usize,
}

/// Answers about pairs with known better sides, and the query of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingTable {
    table: FeatureTable,
    /// Whether the left-hand side is the better one.
    lhs: Vec<bool>,
    groups: Vec<usize>,
    group_count: usize,
}

/// Why columns are no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A column is longer or shorter than the others.
    #[error("the column of {name:?} has {found} rows, the table {expected}")]
    Length {
        /// The name of the column.
        name: String,
        /// Its length.
        found: usize,
        /// The length of the others.
        expected: usize,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

impl FeatureTable {
    /// Makes a table of columns, one for each feature, all of one length.
    ///
    /// # Errors
    /// Returns an error if there is no column, columns differ in length or number, or two features have one name.
    pub fn new(features: Vec<PairFeature>, columns: Vec<Vec<PairChoice>>) -> Result<Self, TableError> {
        let rows = columns
            .first()
            .ok_or(TableError::Problem(
                "no features: a table needs at least one column besides target and group".to_owned(),
            ))?
            .len();
        if features.len() != columns.len() {
            let (found, expected) = (features.len(), columns.len());
            return Err(TableError::Length { name: "names".into(), found, expected });
        }
        for (at, (feature, column)) in features.iter().zip(&columns).enumerate() {
            if column.len() != rows {
                let name = feature.name.clone();
                return Err(TableError::Length { name, found: column.len(), expected: rows });
            }
            if features[..at].iter().any(|other| other.name == feature.name) {
                return Err(TableError::Problem(format!(
                    "two features are named {:?}: rename one of them",
                    feature.name
                )));
            }
        }
        Ok(Self { features, columns, rows })
    }

    /// Returns the number of pairs.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the features, in the order of their columns.
    pub fn features(&self) -> &[PairFeature] {
        &self.features
    }

    /// Returns the answers to one feature, in the order of the pairs.
    ///
    /// # Panics
    /// Panics if there is no such feature.
    pub fn column(&self, feature: usize) -> &[PairChoice] {
        &self.columns[feature]
    }

    /// Returns the answers about one pair, in the order of the features.
    ///
    /// # Panics
    /// Panics if there is no such row.
    pub fn row(&self, row: usize) -> Vec<PairChoice> {
        self.columns.iter().map(|column| column[row]).collect()
    }
}

impl TrainingTable {
    /// Adds to a table whether the left-hand side is the better one of each pair, and the number of its query.
    ///
    /// # Errors
    /// Returns an error if one of them has another length than the table.
    pub fn new(table: FeatureTable, lhs: Vec<bool>, groups: Vec<usize>) -> Result<Self, TableError> {
        for (name, found) in [("target", lhs.len()), ("group", groups.len())] {
            if found != table.rows {
                return Err(TableError::Length { name: name.into(), found, expected: table.rows });
            }
        }
        let group_count = groups.iter().max().map_or(0, |last| last + 1);
        Ok(Self { table, lhs, groups, group_count })
    }

    /// Returns the features.
    pub fn table(&self) -> &FeatureTable {
        &self.table
    }

    /// Returns whether the left-hand side of each pair is the better one.
    pub fn lhs(&self) -> &[bool] {
        &self.lhs
    }

    /// Returns the query of each pair.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Returns the number of queries.
    pub fn group_count(&self) -> usize {
        self.group_count
    }
}
