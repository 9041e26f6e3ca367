//! Boolean judges without a model: does a retrieved text hold an expected answer, by the words that they share?

mod contained;
mod evret;
mod matcher;
mod options;
mod overlap_text;
mod step;
mod token_overlap;
mod vocabulary;
mod word_set;

pub use evret::EvretTokenOverlap;
pub use matcher::TextMatcher;
pub use options::{OverlapOptions, OverlapOptionsError, Stemming, StopWords};
pub use step::{MatchContext, MatchStep, TextMatch};
pub use token_overlap::TokenOverlap;
