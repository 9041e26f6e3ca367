//! Sheets on which people label: a table for a spreadsheet, one pair a line, with a column for the grade.

mod cell;
mod read;
mod row;
mod write;

pub use read::{SheetAnswer, SheetFile, read_sheet};
pub use row::SheetRow;
pub use write::{SheetFormat, write_sheet};
