//! How files are read that are not written as TREC does.

use std::sync::Arc;

use clap::Args;
use llull::core::Topics;
use llull::data::{Columns, ReadQrelsOptions, RepeatedGrades, RunOrder, ThirdColumn};
use llull::files::RunForm;

use super::choices::choices;

/// How labels are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub(crate) struct LabelReading {
    /// Round decimal grades to whole ones, halves away from 0. Without it they are read only where no measure needs
    /// more than their order
    #[arg(long)]
    pub(crate) round: bool,
    /// Which grade counts if a pair has several: first, last, median (the lower of two in the middle) or votes (the
    /// most frequent, of several the lowest). Without it such a file is refused
    #[arg(long, value_name = "WHICH")]
    pub(crate) repeats: Option<RepeatedGrades>,
}

impl LabelReading {
    pub(crate) fn options(self, columns: &Columns) -> ReadQrelsOptions {
        ReadQrelsOptions {
            round: self.round,
            repeats: self.repeats,
            columns: columns.clone(),
            ..ReadQrelsOptions::default()
        }
    }
}

/// How runs are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub(crate) struct RunReading {
    /// What orders the documents of runs, and what the third of three columns is (query, document, X; without this
    /// option X has to be 1, 2, 3 and so on in each query). By default the score of six columns, as in trec_eval
    #[arg(long, value_name = "WHAT", value_parser = choices([
        ("score", DocumentOrder::Score, "The score, the highest first"),
        (
            "score32",
            DocumentOrder::Score32,
            "The score as a 32-bit number, as in trec_eval 9: nearly equal ones tie",
        ),
        ("rank", DocumentOrder::Rank, "The rank, the lowest first: scores are distances, all equal, or absent"),
    ]))]
    pub(crate) order: Option<DocumentOrder>,
}

/// The number that orders the documents of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentOrder {
    Score,
    Score32,
    Rank,
}

impl RunReading {
    /// How runs are read that may name queries of this file by their texts.
    pub(crate) fn form_beside(self, columns: &Columns, topics: Option<&Topics>) -> RunForm {
        RunForm { queries: topics.cloned().map(Arc::new), ..self.form(columns) }
    }

    pub(crate) fn form(self, columns: &Columns) -> RunForm {
        let (order, third) = match self.order {
            None => (RunOrder::Score, None),
            Some(DocumentOrder::Score | DocumentOrder::Score32) => {
                (RunOrder::Score, Some(ThirdColumn::Score))
            }
            Some(DocumentOrder::Rank) => (RunOrder::Rank, Some(ThirdColumn::Rank)),
        };
        let float32 = self.order == Some(DocumentOrder::Score32);
        RunForm { third, order, float32, columns: columns.clone(), queries: None }
    }
}
