//! Comparisons as they were read, with remarks on the input.

use indexmap::{IndexMap, IndexSet};
use llull_core::{Ballots, Item};

/// Comparisons as they were read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BallotsFile {
    /// The comparisons, by topic.
    pub ballots: Ballots,
    /// By topic, for each of its ballots in their order, the item that stood on the left; `None` where the line has no sides:
    /// in rankings, in preferences and in `query winner loser`.
    pub lefts: IndexMap<Option<String>, Vec<Option<Item>>>,
    /// The judges by position, in the order in which they were first seen. The empty name stands for whoever
    /// made the comparisons that name no judge.
    pub judges: IndexSet<Box<str>>,
    /// What their user should know about the input.
    pub notes: BallotNotes,
}

/// What was noticed while comparisons were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BallotNotes {
    /// Lines, records of CSV, or subgroups of preferences, that hold a comparison.
    pub ballots: u64,
    /// Columns of CSV files that are not read, with their file.
    pub unread: Vec<(String, String)>,
    /// Files of preferences with how many of their subgroups prefer nothing: they have one item, or none above level 0.
    pub silent: Vec<(String, u64)>,
}

impl BallotNotes {
    /// What was not read, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let columns =
            self.unread.iter().map(|(file, column)| format!("{file}: the column {column:?} is not read"));
        let subgroups = self.silent.iter().map(|(file, count)| {
            let (subgroups, prefer, say) = match count {
                1 => ("subgroup", "prefers", "counts"),
                _ => ("subgroups", "prefer", "count"),
            };
            format!(
                "{file}: {count} {subgroups} of one item, or of none above level 0, {prefer} nothing and {say} for nothing"
            )
        });
        columns.chain(subgroups).collect()
    }
}
