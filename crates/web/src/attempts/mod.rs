//! The attempts in the ledger: an index of all, lists of some, and one word for word.

mod index;
mod list;
mod one;
mod shown;

pub(crate) use index::{Ended, IndexedAttempt, IndexedJudge, LedgerIndex};
pub(crate) use list::{AttemptsRequest, AttemptsView};
pub(crate) use one::OneAttempt;
pub(crate) use shown::order;
