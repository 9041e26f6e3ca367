//! The answers of the judges of a study's control.

use llull_audit::Disguised;

/// Judges' answers to disguised questions about a collection that is newer than their models. Compared with these, the
/// answers here show whether judges know this collection. [`Study::as_control`](crate::Study::as_control) returns them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ControlAnswers {
    /// Each judge by its name and model, with its answers.
    pub(crate) judges: Vec<(String, Option<String>, Disguised)>,
    /// Whether queries were paraphrased.
    pub(crate) paraphrased: bool,
}
