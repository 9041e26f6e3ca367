//! People who label a queue of pairs one by one: what is left, who said what, and an answer that is in the ledger
//! before the next pair is shown.
//!
//! A [`ReviewDesk`] knows no judge's answer: it has the pairs, their texts, and what people say.

mod answers;
mod desk;
mod item;
mod marks;
mod person;
mod queue;
mod standing;

pub use desk::{Answered, ReviewAnswer, ReviewDesk};
pub use item::ReviewItem;
pub(crate) use item::item_id;
pub(crate) use marks::Marks;
pub use marks::ReviewMark;
pub use person::person_name;
pub use queue::{ReviewOptions, ReviewQueue};
pub use standing::{ItemState, ReviewTally};
