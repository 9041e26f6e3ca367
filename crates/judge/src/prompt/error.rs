//! Errors in a prompt template.

use super::kind::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, PromptKind};
use crate::front_matter::FrontMatterError;

/// Why a template cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// No template of this name is built in.
    #[error(
        "no prompt {name:?} is built in; choose one that grades ({}) or one that compares ({}), or give the path of a \
         template file",
        BUILTIN_GRADING_PROMPTS.join(", "),
        BUILTIN_COMPARING_PROMPTS.join(", ")
    )]
    Unknown {
        /// The requested name.
        name: String,
    },
    /// A question about a number of documents that the prompt is not made for.
    #[error("{template} asks for {}, and is given {count}", .kind.question())]
    Documents {
        /// The template's name or file.
        template: String,
        /// The kind of the prompt.
        kind: PromptKind,
        /// How many documents it was given.
        count: usize,
    },
    /// The template's text is invalid.
    #[error("{template}:{line}: {message}")]
    Invalid {
        /// The template's name or file.
        template: String,
        /// The line of the file, from 1.
        line: usize,
        /// The error there, and advice.
        message: String,
    },
}

impl PromptError {
    pub(super) fn invalid(template: &str, line: usize, message: impl Into<String>) -> Self {
        Self::Invalid { template: template.to_owned(), line, message: message.into() }
    }

    pub(super) fn front_matter(template: &str, error: FrontMatterError) -> Self {
        Self::invalid(template, error.line, error.message)
    }
}
