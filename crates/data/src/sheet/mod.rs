//! Sheets for annotators: tables with one pair a line.
//!
//! A spreadsheet opens them; a column is for the answers.

mod read;
mod row;
mod write;

pub use read::{SheetAnswer, SheetFile, read_sheet};
pub use row::{CellAnswer, SAMPLE_QUEUE, Sheet, SheetDraw, SheetForm, SheetRow};
pub use write::write_sheet;
#[cfg(feature = "xlsx")]
pub use write::write_sheet_workbook;
