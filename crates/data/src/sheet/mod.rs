//! Sheets for annotators: tables with one pair a line.
//!
//! A spreadsheet opens them; a column is for the answers.

mod answer;
mod cell;
mod draw;
mod mark;
mod read;
mod row;
mod write;

pub use answer::CellAnswer;
pub use draw::{SAMPLE_QUEUE, SheetDraw};
pub use read::{SheetAnswer, SheetFile, read_sheet};
pub use row::{Sheet, SheetForm, SheetRow};
pub use write::write_sheet;
#[cfg(feature = "xlsx")]
pub use write::write_sheet_workbook;
