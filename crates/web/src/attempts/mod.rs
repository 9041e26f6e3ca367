//! The attempts in the ledger: an index, lists, and one in full.

mod index;
mod list;
mod one;
mod shown;

pub(crate) use index::{Ended, IndexedAttempt, IndexedJudge, LedgerIndex};
pub(crate) use list::AttemptsRequest;
pub(crate) use one::OneAttempt;
pub(crate) use shown::{AttemptView, WordsView, rationale};
