//! How files are read that are not written as TREC does.

use clap::{ArgAction, Args};
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
        ReadQrelsOptions { round: self.round, repeats: self.repeats, columns: columns.clone() }
    }
}

/// How runs are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub(crate) struct RunReading {
    /// What the third of three columns is, `query document X`: rank or score. Without it such a run is refused
    #[arg(long, value_name = "WHAT")]
    pub(crate) third: Option<ThirdColumn>,
    /// What orders the documents of six columns: score, the highest first, as in trec_eval; or rank, the lowest first,
    /// for runs whose scores are distances, all equal, or absent
    #[arg(long, value_name = "WHAT", default_value = "score")]
    pub(crate) order: RunOrder,
    /// How scores are compared: float64, or float32 as in trec_eval 9, where scores that differ by less tie and are in
    /// descending order of document id
    #[arg(
        id = "ties",
        long,
        value_name = "PRECISION",
        default_value = "float64",
        hide_possible_values = true,
        action = ArgAction::Set,
        value_parser = choices([("float64", false, "As 64-bit numbers"), ("float32", true, "As 32-bit numbers")])
    )]
    pub(crate) float32: bool,
}

impl RunReading {
    pub(crate) fn form(self, columns: &Columns) -> RunForm {
        let Self { third, order, float32 } = self;
        RunForm { third, order, float32, columns: columns.clone(), queries: None }
    }
}
