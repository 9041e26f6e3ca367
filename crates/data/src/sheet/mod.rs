//! Sheets on which people label: a table for a spreadsheet, one pair a line, with a column for what people say of it.

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
