//! Sheets for annotators: tables with one pair a line.
//!
//! A spreadsheet opens them; a column is for the answers.

mod answer;
mod cell;
mod queue_read;
mod queue_row;
mod queue_write;
mod read;
mod row;
mod write;

pub use answer::CellAnswer;
pub use queue_read::{QueueSheetAnswer, QueueSheetFile, read_queue_sheet};
pub use queue_row::{QueueSheetForm, QueueSheetRow};
pub use queue_write::write_queue_sheet;
pub use read::{SheetAnswer, SheetFile, read_sheet};
pub use row::SheetRow;
pub use write::write_sheet;
