//! Questions with expected answers that a language model writes about documents.
//!
//! They are a start where no dataset exists. [`passages`] cuts documents into pieces. Round by round, a [`Synthesis`]
//! draws passages and categories for questions. A study in memory lets the writer write them
//! ([`Synthesis::writing_study`]), and duplicates are dropped. In another study, a second model checks whether the
//! passage answers the question ([`Synthesis::checking_study`]). If it does not answer a question out of context, the
//! model checks whether any of the [`NearestPassages`] does ([`Synthesis::nearest_study`]).
//!
//! So retries, budgets, the ledger and its keys are those of every study: nothing is paid for twice. The accepted
//! questions are a dataset that marks them as synthetic; the others are saved separately, with the reason.

mod check;
mod choice;
mod documents;
mod duplicates;
mod item;
#[cfg(feature = "encoders")]
mod nearest;
mod options;
mod rounds;
mod shares;
mod writer;

pub use documents::drawn_documents;
pub use item::{CategoryCounts, DroppedQuestion, Fate, SynthesisCounts};
pub use llull_core::{DEFAULT_PASSAGE_TOKENS, Passage, passages};
#[cfg(feature = "encoders")]
pub use nearest::{NearestPassages, TextEncoder};
pub use options::{SynthesisError, SynthesisOptions};
pub use rounds::{Synthesis, SynthesisModels};
pub use shares::CategoryShare;
pub use writer::writer_estimate;
