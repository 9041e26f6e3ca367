//! The rubric: relevance defined in the user's own words.

mod definition;
mod parse;
mod shelf;

pub use definition::{AttributeMode, Example, GradeDefinition, Rubric};
pub use parse::RubricError;
pub use shelf::ShelfRubric;
