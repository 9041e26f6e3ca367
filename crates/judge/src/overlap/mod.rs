//! Boolean judges without a model, by shared words.
//!
//! They decide whether a retrieved text contains an expected answer.

mod evret;
mod shared_words;
mod token_overlap;

pub use token_overlap::{
    MatchStep, OverlapOptions, OverlapOptionsError, Stemming, StopWords, TextMatch, TokenOverlap,
};
