//! The arguments of `llull evaluate --review`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::number_ranges::at_least_one;

/// How annotators answer.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("asking_people").args(["review", "read"]).multiple(true))]
pub(crate) struct AnswerReviewArgs {
    /// Have annotators mark in the browser which passages hold the expected answers, in place of measuring. Judges'
    /// answers are hidden; human answers are saved in the ledger. docs/reference/expected-answers.md has the keys
    #[arg(long, conflicts_with_all = ["dry_run", "report", "per_query"])]
    pub(crate) review: bool,
    /// The annotator. Without it, each visitor of the page enters a name
    #[arg(long = "as", value_name = "NAME", requires = "asking_people")]
    pub(crate) annotator: Option<String>,
    /// Which contexts (query, expected answer, passage) are shown
    #[arg(long, value_enum, default_value_t, requires = "review")]
    pub(crate) queue: AnswerQueue,
    /// The contexts of this query of the dataset, by its identifier
    #[arg(long, value_name = "ID", requires = "review", conflicts_with = "queue")]
    pub(crate) query: Option<String>,
    /// How many annotators answer each context; by default any number
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "review")]
    pub(crate) overlap: Option<usize>,
    /// How many contexts are shown at most; in the random queue a random sample of so many
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "review")]
    pub(crate) most: Option<usize>,
    /// Write the contexts as a sheet, .csv, .tsv or .xlsx, in place of serving them, with --as NAME's open ones. - is
    /// standard output
    #[arg(short, long, value_name = "FILE", requires = "review")]
    pub(crate) output: Option<PathBuf>,
    /// Read a sheet that NAME (--as) filled in, in place of measuring. The sheet has the draw of its contexts, and
    /// --overlap
    #[arg(
        long,
        value_name = "SHEET",
        requires = "annotator",
        conflicts_with_all = [
            "dry_run", "report", "per_query", "queue", "query", "most", "overlap", "output",
        ]
    )]
    pub(crate) read: Option<PathBuf>,
}

impl AnswerReviewArgs {
    /// Returns whether people answer, in place of a measurement.
    pub(crate) fn answers(&self) -> bool {
        self.review || self.read.is_some()
    }
}

/// Which contexts people are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerQueue {
    /// All of them, in random order: the agreement of judges with annotators uses these
    #[default]
    Random,
    /// Those on which the judges of a panel disagree
    Disagreement,
    /// Contexts in random order on which annotators disagree and that NAME (--as) did not answer: NAME's answer counts
    Adjudicate,
    /// Those without a judgment, because judges failed or their replies are unparsable
    Failures,
}
