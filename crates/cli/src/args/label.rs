//! `llull label`: what can be typed.

use std::path::PathBuf;

use clap::Args;

/// `llull label`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull label                                labels.qrels of the study, from its \
        ledger\n  llull label a.qrels b.qrels c.qrels -o -   the median of three judges' files\n\nWith several \
        judges the label is the median, of an even number the lower of the two in the middle; --json tells \
how far they are apart."
)]
pub(crate) struct LabelArgs {
    /// Qrels files, a judge each; without any, the study's ledger is read
    pub(crate) qrels: Vec<PathBuf>,
    /// Where to write the labels, as TREC qrels; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A judge of the study; repeat for a panel
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
}
