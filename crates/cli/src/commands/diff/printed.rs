//! A difference as it is printed.

use anyhow::Result;
use llull::report::diff::{LabelDiff, diff_text};

use crate::commands::Context;

/// Prints the difference, and what a reader must know before relying on it.
pub(super) fn print(context: &Context, diff: &LabelDiff) -> Result<()> {
    for note in &diff.notes {
        context.printer.warn(note);
    }
    Ok(context.show(diff, || diff_text(diff))?)
}
