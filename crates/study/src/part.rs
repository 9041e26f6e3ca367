//! The parts of a study, to which errors and notes refer.

use std::fmt;

use crate::error::StudyError;

/// A part of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// `llull.toml`.
    Config,
    /// The rubric, which defines relevance.
    Rubric,
    /// The queries.
    Topics,
    /// The documents.
    Corpus,
    /// The existing labels.
    Base,
    /// The labels to compare with.
    Reference,
    /// A system: its run or its retriever.
    System(String),
    /// The pool of documents to judge.
    Pool,
    /// The measures.
    Measures,
    /// The judges together.
    Judges,
    /// A judge: its prompt, its labels, its model.
    Judge(String),
    /// The earlier answers.
    Ledger,
    /// The labels that follow from the answers.
    Labels,
}

/// The name of the part in the findings of `llull doctor`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config => f.write_str("llull.toml"),
            Self::Rubric => f.write_str("rubric"),
            Self::Topics => f.write_str("topics"),
            Self::Corpus => f.write_str("corpus"),
            Self::Base => f.write_str("base"),
            Self::Reference => f.write_str("reference"),
            Self::System(name) => write!(f, "system {name}"),
            Self::Pool => f.write_str("pool"),
            Self::Measures => f.write_str("measures"),
            Self::Judges => f.write_str("judges"),
            Self::Judge(name) => write!(f, "judge {name}"),
            Self::Ledger => f.write_str("ledger"),
            Self::Labels => f.write_str("labels"),
        }
    }
}

/// A note for the user, with the part of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The part of the study.
    pub part: Part,
    /// The problem, its place and the remedy.
    pub text: String,
}

impl Note {
    /// Makes a note about a part of the study.
    pub fn new(part: Part, text: impl Into<String>) -> Self {
        Self { part, text: text.into() }
    }
}

/// The text alone, which names the place.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The error of a study, and the part of it to fix.
#[derive(Debug)]
pub(crate) struct PartError {
    pub(crate) part: Part,
    /// Boxed, as results with it would be large.
    pub(crate) error: Box<StudyError>,
}

impl From<PartError> for StudyError {
    fn from(fault: PartError) -> Self {
        *fault.error
    }
}

/// Adds the part of a study to an error.
pub(crate) trait InPart<T> {
    /// Adds a part to an error.
    fn in_part(self, part: impl FnOnce() -> Part) -> Result<T, PartError>;
}

impl<T, E: Into<StudyError>> InPart<T> for Result<T, E> {
    fn in_part(self, part: impl FnOnce() -> Part) -> Result<T, PartError> {
        self.map_err(|error| PartError { part: part(), error: Box::new(error.into()) })
    }
}
