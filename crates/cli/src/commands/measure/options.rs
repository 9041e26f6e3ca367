//! Options of `llull measure`, with their defaults.

use llull::report::text::{TableColumn, markdown_table, text_table};

use crate::args::{MeasureArgs, MeasureFormat};
use crate::commands::Context;

pub(super) fn depth(args: &MeasureArgs) -> Option<usize> {
    args.depth.map(|depth| depth as usize)
}

pub(super) fn format(context: &Context, args: &MeasureArgs) -> MeasureFormat {
    let usual = if context.global.json { MeasureFormat::Json } else { MeasureFormat::Table };
    args.format.unwrap_or(usual)
}

/// A table for people: in Markdown if that was asked for, else for a terminal.
pub(super) fn table(format: MeasureFormat, columns: Vec<TableColumn>, rows: Vec<Vec<String>>) -> String {
    match format {
        MeasureFormat::Markdown => markdown_table(columns, rows),
        _ => text_table(columns, rows),
    }
}
