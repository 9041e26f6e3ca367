//! A queue of pairs, which annotators label one by one.
//!
//! An answer is in the ledger before the next pair is shown. A pair is a query with a document to grade, or with two to
//! compare. A [`ReviewDesk`] has no judge's answer: it has the pairs, their texts, and the annotators' answers.

mod answers;
mod compared_queue;
mod desk;
mod desk_sheet;
mod disputes;
mod first_place;
mod graded_queue;
mod item;
mod marks;
mod progress;
mod queue;
mod queued;
mod sheet_import;
mod sheet_origin;
mod sheet_pairs;
mod verdict;

pub use desk::{Answered, ReviewAnswer, ReviewDesk};
pub use desk_sheet::QueueSheet;
pub(crate) use item::item_id;
pub use item::{ReviewItem, RightDocument};
pub use marks::ReviewMark;
pub(crate) use marks::{Marks, MarksFile};
pub use progress::{ItemState, ReviewTally};
pub(crate) use queue::QueueSource;
pub use queue::{ReviewOptions, ReviewQueue};
pub use sheet_import::{LeftOut, LeftOutRow, QueueSheetTaken};
pub(crate) use sheet_import::{SheetReading, take_queue_sheet};
pub(crate) use sheet_origin::SheetOrigin;
pub use verdict::ReviewForm;

pub use crate::people::AnnotatorAnswer;
