//! Writing the sheet of a queue.

use std::io::Write;

use super::queue_row::{QueueSheetForm, QueueSheetRow};
use super::write::write_table;
use crate::DataError;
use crate::spreadsheet::SheetFormat;

/// Writes the sheet of a queue: a line of headings, then a line for each row in this order, with empty cells for the
/// answer and `note`. `draw` names the draw of the pairs, in letters, digits and hyphens, a letter first.
///
/// As with [`write_sheet`](crate::write_sheet), text cannot act in a spreadsheet, nor break a line. A text that a
/// spreadsheet would take for a number or a date has an apostrophe before it, too.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_queue_sheet(
    form: QueueSheetForm,
    draw: &str,
    rows: &[QueueSheetRow],
    format: SheetFormat,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    let names = [&["item", form.answer(), "note"][..], form.names(), form.texts()].concat();
    write_table(&names, rows.iter().map(|row| row.cells(draw)), format, out)
}
