//! Writing a sheet.

use std::io::Write;

use super::row::SheetRow;
use crate::DataError;
use crate::spreadsheet::{Cell, SheetFormat, write_row};
use crate::trec::output;

/// Writes a sheet of the sample `draw`, which is a letter with letters and digits: a line of headings, then a line for
/// each row in this order, with empty cells for `grade` and `note`.
///
/// Text cannot act in a spreadsheet, nor break a line: a cell that could begin a formula has an apostrophe before it,
/// and line ends and control characters are spaces. Text beyond 32,000 characters is counted and left out.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_sheet(
    draw: &str,
    rows: &[SheetRow],
    format: SheetFormat,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    let texts = rows.iter().any(|row| row.texts.is_some());
    let names = ["item", "grade", "note", "query", "document", "query_text", "text"];
    let names = names.get(..if texts { 7 } else { 5 }).unwrap_or_default();
    let cells = rows.iter().map(|row| {
        let mut cells = vec![row.item(draw), String::new(), String::new()];
        cells.extend(row.cells());
        cells
    });
    write_table(names, cells, format, out)
}

/// Writes a line of headings, then a line for each row. No cell holds a tab or ends a line.
///
/// # Errors
/// Returns an error if `out` fails.
pub(super) fn write_table(
    names: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    format: SheetFormat,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    if format == SheetFormat::Commas {
        out.write_all("\u{feff}".as_bytes()).map_err(output)?;
    }
    let names: Vec<Cell<'_>> = names.iter().map(|name| Cell::Value(name)).collect();
    write_row(out, format, &names).map_err(output)?;
    for cells in rows {
        // Cells are marked already, for the hash of their row.
        let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Value(cell)).collect();
        write_row(out, format, &cells).map_err(output)?;
    }
    out.flush().map_err(output)
}
