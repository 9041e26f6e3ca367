//! What the judges of a study's control say.

use llull_audit::Disguised;

/// What the judges of a collection that is newer than their models say where words are changed: beside it, what they
/// say here shows whether they know this one. [`Study::as_control`](crate::Study::as_control) makes it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ControlAnswers {
    /// Each judge by its name and model, with its answers.
    pub(crate) judges: Vec<(String, Option<String>, Disguised)>,
    /// Whether queries were paraphrased.
    pub(crate) paraphrased: bool,
}
