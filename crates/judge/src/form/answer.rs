//! The form of any answer.

use llull_core::Scale;
use serde_json::Value;

use super::{
    comparison::{ComparisonForm, comparison_schema},
    grade::{GradeKind, grade_schema},
};

/// The form of an answer: all that has to be known to write the schema of an answer and to read one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// The grade of one document.
    Grade {
        /// The keys of the answer.
        kind: GradeKind,
        /// The grades that it may name.
        scale: Scale,
    },
    /// A comparison of several documents.
    Comparison(ComparisonForm),
}

impl AnswerForm {
    /// Returns the name by which servers know the schema.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Grade { .. } => "judgment",
            Self::Comparison(_) => "comparison",
        }
    }

    /// Returns the JSON schema of the answer; see [`grade_schema`] and [`comparison_schema`].
    pub fn schema(&self) -> Value {
        match self {
            Self::Grade { kind, scale } => grade_schema(*kind, *scale),
            Self::Comparison(form) => comparison_schema(form),
        }
    }
}
