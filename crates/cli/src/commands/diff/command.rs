//! `llull diff`: reads both sides, compares, prints.

use anyhow::Result;
use llull::report::diff::{LabelDiff, diff_text};

use super::files;
use crate::args::DiffArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<Exit> {
    let diff = files::compared(context, args)?;
    print(context, &diff)?;
    Ok(Exit::Fine)
}

/// Prints the difference, and what a reader must know before relying on it.
fn print(context: &Context, diff: &LabelDiff) -> Result<()> {
    for note in &diff.notes {
        context.printer.warn(note);
    }
    let text = if context.global.json { serde_json::to_string_pretty(diff)? } else { diff_text(diff) };
    context.printer.result(text)?;
    Ok(())
}
