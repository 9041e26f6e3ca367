//! The lexical baseline: grades by how many of the query's words a document repeats, weighted by how rare they
//! are.

mod idf;
mod similarity;

pub use idf::{Idf, IdfBuilder};
pub use similarity::{Similarity, WordCoverage};
