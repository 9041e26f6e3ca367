//! Where what models and people answer is kept.

use std::path::PathBuf;

use anyhow::{Result, bail};
use llull::Folder;

use crate::args::EvaluateArgs;
use crate::commands::Context;
use crate::exit::Usage;

/// Why the answers of a model need a ledger.
pub(super) fn asked_and_kept(model: &str) -> String {
    format!("{model} is asked, and its answers have to be kept, so that none is paid for twice")
}

/// Returns the ledger that keeps answers: the one that is named, or that of the study whose folder this is; `why` says
/// why there has to be one.
pub(super) fn kept_in(context: &Context, args: &EvaluateArgs, why: &str) -> Result<PathBuf> {
    if let Some(file) = &args.ledger {
        return Ok(file.clone());
    }
    let folder = Folder::new(&context.global.study);
    if folder.config().is_file() {
        return Ok(folder.ledger());
    }
    bail!(Usage(format!("{why}: add --ledger answers.sqlite, or run this in a study's folder")))
}
