//! The result of a scheduler.

use llull_core::Item;

/// What a scheduler found and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// How many questions it asked.
    pub calls: u64,
    /// In how many steps, each of which needs the answers of the last.
    pub waves: u64,
    /// All items, best first.
    pub order: Vec<Item>,
}
