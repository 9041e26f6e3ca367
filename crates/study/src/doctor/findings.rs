//! The findings of `llull doctor`.

use serde::Serialize;

use crate::error::StudyError;
use crate::inputs::RetrievalError;
use crate::part::{Note, Part, PartError};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The check passed.
    Fine,
    /// It works, but the user should know.
    Warning,
    /// `llull run` would fail.
    Error,
}

/// The finding of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorFinding {
    /// Its severity.
    pub severity: Severity,
    /// The subject of the check.
    pub what: String,
    /// The finding, with its remedy.
    pub text: String,
    /// The variable of a key that must be set before `llull run` can judge; absent if none is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_key: Option<String>,
}

/// The findings so far, in the order of the checks.
#[derive(Default)]
pub(super) struct Findings(pub(super) Vec<DoctorFinding>);

impl Findings {
    pub(super) fn add(&mut self, severity: Severity, part: &Part, text: impl Into<String>) {
        let text = text.into();
        self.0.push(DoctorFinding { severity, what: part.to_string(), text, missing_key: None });
    }

    pub(super) fn fine(&mut self, part: &Part, text: impl Into<String>) {
        self.add(Severity::Fine, part, text);
    }

    /// Adds notes as warnings.
    pub(super) fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            self.add(Severity::Warning, &note.part, &note.text);
        }
    }

    /// The value, or `None` with the error added under its part. Results that `llull run` will retrieve first are no
    /// error.
    pub(super) fn take<T>(&mut self, result: Result<T, PartError>) -> Option<T> {
        let filed = |fault: PartError| {
            let severity = match &*fault.error {
                StudyError::Retrieval(RetrievalError::NotRetrieved(_)) => Severity::Warning,
                _ => Severity::Error,
            };
            self.add(severity, &fault.part, fault.error.to_string());
        };
        result.map_err(filed).ok()
    }
}
