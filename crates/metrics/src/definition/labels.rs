//! What a measure reads of the labels.

/// What a measure reads of the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelsRead {
    /// Which documents are relevant, by a lowest grade.
    Relevance,
    /// What each grade is worth.
    Grades,
    /// Which documents were judged: those with a grade of 0 or more.
    Judged,
    /// Which grades are above 0, and which of two is higher.
    Order,
    /// Which documents have a label, whatever it says.
    Presence,
    /// Nothing.
    Nothing,
}
