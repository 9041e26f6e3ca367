//! Comparisons that were read, with remarks on the input.

use indexmap::{IndexMap, IndexSet};
use llull_core::{Ballots, Item};

/// The comparisons of some input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BallotsFile {
    /// The comparisons by query.
    pub ballots: Ballots,
    /// By query, for each of its ballots in their order, the item that was on the left. `None` if the line
    /// has no sides: in rankings, in preferences and in `query winner loser`.
    pub lefts: IndexMap<Option<String>, Vec<Option<Item>>>,
    /// The names of the judges by position, in the order in which they first occur. The empty name is the judge of
    /// comparisons that name none.
    pub judges: IndexSet<Box<str>>,
    /// Remarks on the input.
    pub notes: BallotNotes,
}

/// Remarks on the input of comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BallotNotes {
    /// The number of lines, CSV records or subgroups of preferences that hold a comparison.
    pub ballots: u64,
    /// Columns of CSV files that are not read, each with its file.
    pub unread: Vec<(String, String)>,
    /// Files of preferences, each with the number of its subgroups that prefer nothing: they have one item,
    /// or none above level 0.
    pub silent: Vec<(String, u64)>,
}

impl BallotNotes {
    /// Returns a sentence on each part of the input that is not read.
    pub fn remarks(&self) -> Vec<String> {
        let columns =
            self.unread.iter().map(|(file, column)| format!("{file}: the column {column:?} is not read"));
        let subgroups = self.silent.iter().map(|(file, count)| {
            let (subgroups, prefer, are) = match count {
                1 => ("subgroup", "prefers", "is"),
                _ => ("subgroups", "prefer", "are"),
            };
            format!(
                "{file}: {count} {subgroups} of one item, or of none above level 0, {prefer} nothing and {are} not \
                 counted"
            )
        });
        columns.chain(subgroups).collect()
    }
}
