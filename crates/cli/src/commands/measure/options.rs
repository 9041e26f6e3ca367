//! Options of `llull measure`, with their defaults.

use crate::args::{MeasureArgs, MeasureFormat};
use crate::commands::Context;

pub(super) fn depth(args: &MeasureArgs) -> Option<usize> {
    args.depth.map(|depth| depth as usize)
}

pub(super) fn format(context: &Context, args: &MeasureArgs) -> MeasureFormat {
    let usual = if context.global.json { MeasureFormat::Json } else { MeasureFormat::Table };
    args.format.unwrap_or(usual)
}
