//! The arguments of `llull demo`.

use std::path::PathBuf;

use clap::Args;

/// `llull demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The folder to write the study into; it stays
    #[arg(default_value = "llull-demo")]
    pub(crate) dir: PathBuf,
}
