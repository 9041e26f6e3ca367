//! Qrels that were read, with remarks on the file.

use llull_core::Qrels;

use crate::{tables::TableNotes, trec::repeat::Repeat};

/// The labels of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// The labels.
    pub qrels: Qrels,
    /// Remarks on the file.
    pub notes: QrelsNotes,
}

/// Remarks on a file of qrels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsNotes {
    /// The number of lines that hold a label.
    pub lines: u64,
    /// The number of lines that repeat a pair with the same grade. They change nothing.
    pub repeats: u64,
    /// The first of them.
    pub first_repeat: Option<Repeat>,
    /// The number of pairs with several grades, of which [`ReadQrelsOptions::repeats`] chose one. They are not among
    /// `repeats`.
    ///
    /// [`ReadQrelsOptions::repeats`]: crate::ReadQrelsOptions::repeats
    pub regraded: u64,
    /// The number of lines whose grade is a word for a missing one (`ERROR`, `null`): such a pair has no label.
    pub missing: u64,
    /// The first of them, from 1.
    pub first_missing: Option<u64>,
    /// Whether the lines have three columns, `qid docid grade`, without BEIR's header.
    pub three_columns: bool,
    /// The number of different grades above 0, if [`read_qrels_order`](crate::read_qrels_order) numbered them
    /// because some were fractions.
    pub levels: Option<usize>,
    /// How a table was read; empty for TREC's columns.
    pub table: TableNotes,
}

impl QrelsNotes {
    /// Counts a line that repeats an earlier one.
    pub(crate) fn repeat(&mut self, line: u64, topic: &str, document: &str) {
        self.repeats += 1;
        let repeat = || Repeat { line, topic: topic.to_owned(), document: document.to_owned() };
        self.first_repeat.get_or_insert_with(repeat);
    }
}
