//! The ledger of answers by models and people.

use std::path::PathBuf;

use anyhow::Result;

use super::Context;
use crate::exit::refuse;

/// Why the answers of a model need a ledger; `answers` is their name.
pub(crate) fn paid_once(model: &str, answers: &str) -> String {
    format!("the {answers} of {model} need a ledger, so that none is paid for twice")
}

/// Returns the ledger for answers: the named one, or that of the study whose folder this is. `why` is the reason that
/// there has to be one, and `example` a name for it.
pub(crate) fn ledger_file(
    context: &Context,
    named: Option<&PathBuf>,
    (why, example): (&str, &str),
) -> Result<PathBuf> {
    match (named, context.folder()) {
        (Some(file), _) => Ok(file.clone()),
        (None, Some(folder)) => Ok(folder.ledger()),
        (None, None) => refuse!("{why}: add --ledger {example}, or run this in a study's folder"),
    }
}
