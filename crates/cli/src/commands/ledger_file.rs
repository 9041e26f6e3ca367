//! The ledger of answers by models and people.

use std::path::PathBuf;

use anyhow::Result;
use llull::config::{Folder, StudyFile};

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
        (None, Some(folder)) => match ledger_variable(&folder) {
            Some(_) => refuse!("{why}, and this command writes to files: add --ledger {example}"),
            None => Ok(folder.ledger()),
        },
        (None, None) => refuse!("{why}: add --ledger {example}, or run this in a study's folder"),
    }
}

/// Returns the variable with the address of the ledger's database, if a study's ledger is in one.
fn ledger_variable(folder: &Folder) -> Option<String> {
    let text = llull::data::read_text(folder.config()).ok()?;
    let file = StudyFile::parse(&text, &folder.config()).ok()?;
    Some(file.ledger?.get_ref().clone())
}
