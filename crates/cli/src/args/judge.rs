//! The arguments of `llull judge`.

use clap::Args;

use super::judge_options::{AskingOptions, INTERRUPTION, JudgeOptions, StoppingOptions};

/// `llull judge`
#[derive(Debug, Args)]
#[command(after_help = INTERRUPTION)]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    #[command(flatten)]
    pub(crate) asking: AskingOptions,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    /// Estimate the remaining requests, and send none
    #[arg(long)]
    pub(crate) dry_run: bool,
}
