//! Questions with expected answers that a language model writes about documents, for a start where there are none.
//!
//! [`passages`] cuts documents into pieces. A [`Synthesis`] draws, round by round, about which of them a question of
//! which category is asked for; a study in memory has the writer ask it ([`Synthesis::writing_study`]), duplicates are
//! dropped, and another has a second model check whether the passage answers it ([`Synthesis::checking_study`]), and
//! where it does not answer what is out of context, whether any of the [`NearestPassages`] does
//! ([`Synthesis::nearest_study`]). So retries, budgets, the ledger and its keys are those of every study: nothing is
//! paid for twice. What passes is a dataset whose questions say that they are synthetic; what does not is kept apart
//! with the reason.

mod check;
mod choice;
mod documents;
mod duplicates;
mod item;
#[cfg(feature = "encoders")]
mod nearest;
mod options;
mod passage;
mod rounds;
mod shares;
mod writer;

pub use documents::drawn_documents;
pub use item::{CategoryCounts, DroppedQuestion, Fate, SynthesisCounts};
#[cfg(feature = "encoders")]
pub use nearest::{NearestPassages, TextEncoder};
pub use options::{SynthesisError, SynthesisOptions};
pub use passage::{DEFAULT_PASSAGE_TOKENS, Passage, passages};
pub use rounds::{Synthesis, SynthesisModels};
pub use shares::CategoryShare;
pub use writer::writer_estimate;
