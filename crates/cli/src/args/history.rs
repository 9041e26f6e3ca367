//! The arguments of `llull history`.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  llull history                  the measure that decides, report by report
  llull history --measure RR@10  another measure of the reports
  llull compare --against 1      what the change since the first report consists of";

/// `llull history`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// The measure; by default the one that decides in the last report
    #[arg(short = 'm', long, value_name = "MEASURE")]
    pub(crate) measure: Option<String>,
}
