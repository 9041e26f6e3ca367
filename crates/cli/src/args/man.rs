//! The arguments of `llull man`.

use std::path::PathBuf;

use clap::Args;

/// `llull man`
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder, which is made if it is missing
    pub(crate) folder: PathBuf,
}
