//! A judge's pairwise answers compared with a reference, and those of a study's ledger with its annotators'.

mod against_reference;
mod answer_files;
mod reference;

pub use against_reference::{AgainstReference, ReferenceError, against};
pub use answer_files::{JudgeAnswers, PairAnswer, read_answers};
pub use reference::{PairReference, PairVotes, read_reference};
