//! The result of a scheduler.

use llull_core::Item;

/// The order of a scheduler, and its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// The number of questions.
    pub calls: u64,
    /// The number of steps, each of which needs the answers of the step before.
    pub waves: u64,
    /// All items, best first.
    pub order: Vec<Item>,
}
