//! The lexical baseline: grades by the query's words in a document.
//!
//! Rare words have more weight.

mod idf;
mod similarity;

pub use idf::{Idf, IdfBuilder};
pub use similarity::{Similarity, WordCoverage};
