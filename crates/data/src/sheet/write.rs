//! Writing a sheet.

use std::io::Write;

use super::row::Sheet;
use crate::DataError;
use crate::spreadsheet::{Cell, SheetFormat, write_row};
use crate::trec::output;

/// Writes a sheet: a line of headings, then a line for each row in this order, with empty cells for the answer and
/// `note`. The columns of texts are absent if no row has texts.
///
/// Text cannot act in a spreadsheet, nor break a line: a cell that could begin a formula has an apostrophe before it,
/// and line ends and control characters are spaces. A text that a spreadsheet would take for a number or a date has an
/// apostrophe before it, too. Text beyond 32,000 characters is counted and left out.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_sheet(sheet: &Sheet, format: SheetFormat, out: &mut dyn Write) -> Result<(), DataError> {
    let headings = headings(sheet);
    if format == SheetFormat::Commas {
        out.write_all("\u{feff}".as_bytes()).map_err(output)?;
    }
    let headings: Vec<Cell<'_>> = headings.into_iter().map(Cell::Value).collect();
    write_row(out, format, &headings).map_err(output)?;
    let draw = sheet.draw.to_string();
    for row in &sheet.rows {
        // Cells are marked already, for the hash of their row.
        let cells = row.cells(&draw);
        let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Value(cell)).collect();
        write_row(out, format, &cells).map_err(output)?;
    }
    out.flush().map_err(output)
}

/// Writes a sheet as a workbook (xlsx), with the same cells.
///
/// # Errors
/// Returns an error if `out` fails.
#[cfg(feature = "xlsx")]
pub fn write_sheet_workbook(sheet: &Sheet, out: &mut dyn Write) -> Result<(), DataError> {
    use crate::row_entry::Entry;
    let draw = sheet.draw.to_string();
    let entry = |cell: String| if cell.is_empty() { Entry::Missing } else { Entry::text(cell) };
    let rows = sheet.rows.iter().map(|row| row.cells(&draw).into_iter().map(entry).collect());
    crate::workbook::write_workbook(&headings(sheet), rows, out).map(drop)
}

fn headings(sheet: &Sheet) -> Vec<&'static str> {
    let mut headings = sheet.form.headings();
    if sheet.rows.iter().all(|row| row.texts.is_empty()) {
        headings.truncate(headings.len() - sheet.form.texts().len());
    }
    headings
}
