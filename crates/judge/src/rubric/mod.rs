//! The rubric: relevance defined in the user's own words.

mod definition;
mod error;
mod examples;
mod parse;
mod shelf;

pub use definition::{AttributeMode, Example, GradeDefinition, Rubric};
pub use error::RubricError;
pub use shelf::ShelfRubric;
