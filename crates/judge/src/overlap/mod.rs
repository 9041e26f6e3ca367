//! Boolean judges without a model, by shared words.
//!
//! They decide whether a retrieved text contains an expected answer.

mod comparison;
mod evret;
mod options;
mod shared_words;
mod step;
mod token_overlap;
mod vocabulary;
mod word_set;

pub use options::{OverlapOptions, OverlapOptionsError, Stemming, StopWords};
pub use step::{MatchStep, TextMatch};
pub use token_overlap::TokenOverlap;
