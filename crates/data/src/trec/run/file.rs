//! A run as it was read, and how it is read.

use llull_core::Run;

use crate::trec::repeat::Repeat;

/// How a run is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRunOptions {
    /// Keep only the best so many documents of a topic, in the official order; `None` keeps all.
    pub depth: Option<usize>,
    /// The run's name; `None` takes the tag of its first line, or else the file's name without its extension.
    pub name: Option<String>,
}

/// A run as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// The run.
    pub run: Run,
    /// What its user should know about the file.
    pub notes: RunNotes,
}

/// What was noticed while a run was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// Lines that hold a result.
    pub lines: u64,
    /// Lines that repeat a document of their topic. The better place was kept; trec_eval refuses such a run.
    /// Exact without a depth, and with one as long as each topic's lines stand together and are fewer than 65,536;
    /// otherwise those below the depth may go uncounted. They change nothing.
    pub duplicates: u64,
    /// The first of them.
    pub first_duplicate: Option<Repeat>,
    /// Lines with words behind the tag, which are not read.
    pub trailing: u64,
    /// The first of them, from 1.
    pub first_trailing: Option<u64>,
}

impl RunNotes {
    /// Counts lines that repeat a document of `topic`; `first` is the first of them.
    pub(super) fn count(&mut self, duplicates: usize, first: Option<(u64, &str)>, topic: &str) {
        self.duplicates += duplicates as u64;
        if let Some((line, document)) = first
            && self.first_duplicate.as_ref().is_none_or(|before| line < before.line)
        {
            self.first_duplicate =
                Some(Repeat { line, topic: topic.to_owned(), document: document.to_owned() });
        }
    }
}
