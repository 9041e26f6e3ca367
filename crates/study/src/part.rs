//! The parts of a study, so that a fault or a remark can be filed under the one that it is about.

use std::fmt;

use crate::error::StudyError;

/// A part of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// `llull.toml`.
    Config,
    /// The definition of relevance.
    Rubric,
    /// The queries.
    Topics,
    /// The documents.
    Corpus,
    /// The labels that exist and are kept.
    Base,
    /// The labels to compare with.
    Reference,
    /// A system: its run or its retriever.
    System(String),
    /// What is judged.
    Pool,
    /// What is measured.
    Measures,
    /// The judges together.
    Judges,
    /// A judge: its prompt, its labels, its model.
    Judge(String),
    /// What was answered before.
    Ledger,
    /// What follows from the answers.
    Labels,
}

/// The name under which `llull doctor` files what it finds.
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

/// A remark that the user should see, and the part of the study that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub part: Part,
    /// What is so, where, and what to do.
    pub text: String,
}

impl Note {
    /// Makes a remark on a part of the study.
    pub fn new(part: Part, text: impl Into<String>) -> Self {
        Self { part, text: text.into() }
    }
}

/// The text alone, which says where.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a study cannot go on, and the part of it that has to be mended.
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

/// Says which part of a study an error is about.
pub(crate) trait InPart<T> {
    /// Files an error under a part.
    fn in_part(self, part: impl FnOnce() -> Part) -> Result<T, PartError>;
}

impl<T, E: Into<StudyError>> InPart<T> for Result<T, E> {
    fn in_part(self, part: impl FnOnce() -> Part) -> Result<T, PartError> {
        self.map_err(|error| PartError { part: part(), error: Box::new(error.into()) })
    }
}
