//! Boolean judges without a model: does a retrieved text hold an expected answer, by the words that they share?

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
