//! The part of the labels that a measure reads.

/// The part of the labels that a measure reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelsRead {
    /// Which documents are relevant, by a lowest grade.
    Relevance,
    /// The gain of each grade.
    Grades,
    /// Which documents were judged: those with a grade of 0 or more.
    Judged,
    /// Which grades are above 0, and which of two is higher.
    Order,
    /// The documents with a label, whatever the label.
    Presence,
    /// Nothing.
    Nothing,
}
