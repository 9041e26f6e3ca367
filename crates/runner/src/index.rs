//! Positions of queries, documents and judges, as distinct types.

/// The position of a query in a [`Workload`](crate::Workload).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicIndex(pub u32);

/// The position of a document in a [`Workload`](crate::Workload).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentIndex(pub u32);

/// The position of a judge in its panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JudgeIndex(pub usize);

impl TopicIndex {
    /// Returns the position as an index into a slice.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

impl DocumentIndex {
    /// Returns the position as an index into a slice.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}
