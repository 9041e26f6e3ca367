//! Qrels as they were read, with remarks on the file.

use llull_core::Qrels;

use crate::trec::repeat::Repeat;

/// Labels as they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// The labels.
    pub qrels: Qrels,
    /// What their user should know about the file.
    pub notes: QrelsNotes,
}

/// What was noticed while qrels were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsNotes {
    /// Lines that hold a label.
    pub lines: u64,
    /// Lines that repeat a pair with the same grade. They change nothing.
    pub repeats: u64,
    /// The first of them.
    pub first_repeat: Option<Repeat>,
    /// How many different grades above 0 there were, where [`read_qrels_order`] numbered them because some were fractions.
    pub levels: Option<usize>,
}

impl QrelsNotes {
    /// Counts a line that repeats an earlier one.
    pub(crate) fn repeat(&mut self, line: u64, topic: &str, document: &str) {
        self.repeats += 1;
        let repeat = || Repeat { line, topic: topic.to_owned(), document: document.to_owned() };
        self.first_repeat.get_or_insert_with(repeat);
    }
}
