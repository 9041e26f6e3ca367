//! The rubric: relevance defined in the user's own words.

mod definition;
mod error;
mod examples;
mod parse;

pub use definition::{AttributeMode, Example, GradeDefinition, Rubric};
pub use error::RubricError;
