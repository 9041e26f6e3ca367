//! A run with remarks, and the options for reading it.

use std::{collections::BTreeSet, sync::Arc};

use llull_core::{Run, Topics};

use super::rank_check::RunContradiction;
use crate::{
    RowPlace,
    tables::{Columns, TableNotes},
    trec::repeat::Repeat,
};

/// The settings for reading a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRunOptions {
    /// The number of best documents to keep for each query, in the official order; `None` keeps all.
    pub depth: Option<usize>,
    /// The name of the run; `None` takes the tag of the first line, or else the name of the file without its
    /// extension.
    pub name: Option<String>,
    /// The meaning of the third of three columns; `None` refuses such lines, unless it is 1, 2, 3 and so on in each
    /// query.
    pub third: Option<ThirdColumn>,
    /// The order of the documents in six columns.
    pub order: RunOrder,
    /// Whether scores are compared as 32-bit numbers, as trec_eval 9 does: then those that differ less tie.
    pub float32: bool,
    /// The columns of a table that the user names.
    pub columns: Columns,
    /// The queries of a study: a table may name them by their texts, and saved replies by their order.
    pub queries: Option<Arc<Topics>>,
}

/// The meaning of the third column in `qid docid X`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThirdColumn {
    /// The rank, the lowest being the best.
    Rank,
    /// The score, the highest being the best.
    Score,
}

impl ThirdColumn {
    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Score => "score",
        }
    }
}

impl std::str::FromStr for ThirdColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "rank" => Ok(Self::Rank),
            "score" => Ok(Self::Score),
            _ => Err(format!("{text:?} is neither rank nor score")),
        }
    }
}

/// The order of the documents of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunOrder {
    /// The score, the highest first, as in trec_eval, which does not read the rank.
    #[default]
    Score,
    /// The rank, the lowest first. The score is not read; a document's score is then its rank with the sign changed.
    Rank,
}

impl RunOrder {
    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Rank => "rank",
        }
    }
}

impl std::str::FromStr for RunOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "rank" => Ok(Self::Rank),
            "score" => Ok(Self::Score),
            _ => Err(format!("{text:?} is neither rank nor score")),
        }
    }
}

/// The run of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// The run.
    pub run: Run,
    /// Remarks on the file.
    pub notes: RunNotes,
}

/// Remarks on the file of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// The number of lines that hold a result.
    pub lines: u64,
    /// The number of lines that repeat a document of their query. The better place counts; trec_eval refuses such a
    /// run. The number is exact without a depth. With a depth it is exact if the lines of each query are consecutive
    /// and fewer than 65,536; otherwise repetitions below the depth may be missing. They change nothing.
    pub duplicates: u64,
    /// The first of them.
    pub first_duplicate: Option<Repeat>,
    /// The number of lines with words behind the tag, which are not read.
    pub trailing: u64,
    /// The first of them, from 1.
    pub first_trailing: Option<u64>,
    /// The queries of which the depth [cuts documents whose scores tie as 32-bit numbers](llull_core::Ranked), so that
    /// trec_eval 9 has others above it. They are known as far as duplicates are.
    pub cut_among_ties: BTreeSet<String>,
    /// How the run contradicts itself, if it does.
    pub contradiction: Option<RunContradiction>,
    /// How a table was read; empty for TREC's columns.
    pub table: TableNotes,
}

impl RunNotes {
    /// Counts lines that repeat a document of `topic`; `first` is the first of them.
    pub(super) fn count(&mut self, duplicates: usize, first: Option<(u64, &str)>, topic: &str) {
        self.duplicates += duplicates as u64;
        if let Some((line, document)) = first
            && self.first_duplicate.as_ref().is_none_or(|before| RowPlace::Line(line) < before.place)
        {
            self.first_duplicate =
                Some(Repeat { place: line.into(), topic: topic.to_owned(), document: document.to_owned() });
        }
    }
}
