//! What the arguments leave open.

use std::path::PathBuf;

use crate::args::{MeasureArgs, MeasureFormat};
use crate::commands::Context;

/// How far down a run is read.
pub(super) fn depth(args: &MeasureArgs) -> Option<usize> {
    args.depth.map(|depth| depth as usize)
}

/// The format that was named, or the usual one.
pub(super) fn format(context: &Context, args: &MeasureArgs) -> MeasureFormat {
    let usual = if context.global.json { MeasureFormat::Json } else { MeasureFormat::Table };
    args.format.unwrap_or(usual)
}

/// Names as the files' have them.
pub(super) fn names_of(paths: &[PathBuf]) -> Vec<String> {
    llull::files::system_names(paths)
}
