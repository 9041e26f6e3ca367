//! What can be wrong with a prompt template.

use super::CompareKind;
use crate::front_matter::FrontMatterError;

/// Why a template cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The file cannot be read; the message names it.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// No template of this name is built in.
    #[error(
        "no prompt {name:?} that {does} is built in; choose one of {known}, or give the path of a template file"
    )]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// What the prompt was to do: `grades` or `compares`.
        does: &'static str,
        /// The names that there are.
        known: String,
    },
    /// A question about a number of documents that the prompt is not made for.
    #[error("{template} asks for the {} of {}, and is given {count}", .kind.name(), if *.kind == CompareKind::Choice { "two documents" } else { "two documents or more" })]
    Documents {
        /// The template's name or file.
        template: String,
        /// What it asks for.
        kind: CompareKind,
        /// How many documents it was given.
        count: usize,
    },
    /// The template's text is not right.
    #[error("{template}:{line}: {message}")]
    Invalid {
        /// The template's name or file.
        template: String,
        /// The line of the file, from 1.
        line: usize,
        /// What is wrong there, and what to do about it.
        message: String,
    },
}

impl PromptError {
    pub(super) fn unknown(name: &str, does: &'static str, known: &[&str]) -> Self {
        let known: Vec<_> = known.iter().map(|name| format!("{name:?}")).collect();
        Self::Unknown { name: name.to_owned(), does, known: known.join(", ") }
    }

    pub(super) fn invalid(template: &str, line: usize, message: impl Into<String>) -> Self {
        Self::Invalid { template: template.to_owned(), line, message: message.into() }
    }

    pub(super) fn front_matter(template: &str, error: FrontMatterError) -> Self {
        Self::invalid(template, error.line, error.message)
    }
}
