//! The arguments of `llull retrieve`.

use clap::Args;

/// `llull retrieve`
#[derive(Debug, Args)]
pub(crate) struct RetrieveArgs {
    /// Print the best N documents of each query and system; 0 prints the counts alone
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) show: usize,
    /// Run the programs of systems and query their servers again, also if their results are saved
    #[arg(long)]
    pub(crate) refresh: bool,
}
