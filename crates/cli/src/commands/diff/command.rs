//! `llull diff`: chooses the two sides, and prints their difference.

use anyhow::Result;
use llull::report::diff::{LabelDiff, diff_text};

use super::files::is_file;
use super::{files, sample, study};
use crate::args::DiffArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<Exit> {
    if let (Some(a), Some(b)) = (&args.a, &args.b)
        && is_file(a)
        && is_file(b)
    {
        print(context, &files::compared(context, args, [a, b])?)?;
        return Ok(Exit::Fine);
    }
    context.need_study(|none| {
        let typed = [&args.a, &args.b].into_iter().flatten().find(|side| !is_file(side));
        let absent = typed.map_or_else(String::new, |side| format!("{side}: there is no such file, and "));
        format!("{absent}{none} whose judges could be compared. Name two files of labels:\n  llull diff A B")
    })?;
    if let Some(wanted) = args.sample {
        return sample::run(context, args, wanted);
    }
    print(context, &study::compared(context, args)?)?;
    Ok(Exit::Fine)
}

/// Prints the difference, and the notes about it.
fn print(context: &Context, diff: &LabelDiff) -> Result<()> {
    context.check_columns()?;
    context.printer.warnings(&diff.notes);
    Ok(context.show(diff, || diff_text(diff))?)
}
