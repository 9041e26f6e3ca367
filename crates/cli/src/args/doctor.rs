//! The arguments of `llull doctor`.

use clap::Args;

use super::judge_options::JudgeOptions;

/// `llull doctor`
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    /// Do not contact any server. Without this option, each model gets one short request, and servers that retrieve get
    /// no query
    #[arg(long)]
    pub(crate) offline: bool,
}
