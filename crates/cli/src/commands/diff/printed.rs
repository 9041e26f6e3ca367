//! A difference as it is printed.

use anyhow::Result;
use llull::report::diff::{LabelDiff, diff_text};

use crate::commands::Context;

/// Prints the difference, and what a reader must know before relying on it.
pub(super) fn print(context: &Context, diff: &LabelDiff) -> Result<()> {
    for note in &diff.notes {
        context.printer.warn(note);
    }
    let text = if context.global.json { serde_json::to_string_pretty(diff)? } else { diff_text(diff) };
    context.printer.result(text)?;
    Ok(())
}
