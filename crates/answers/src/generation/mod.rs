//! Language models that write instead of judging.
//!
//! They write questions about passages, and facts of answers. They are judges of a study in memory, so that retries,
//! budgets, the ledger and its keys are those of every study.

mod error;
mod form;
mod writer;

pub use error::WriterError;
pub(crate) use form::WrittenForm;
pub(crate) use writer::{ModelWriter, WRITTEN, estimate_of_writer};
