//! A question of a tournament.

use llull_core::Item;

/// A question: put these items in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The items, ascending: at least 2, at most the window.
    pub items: Vec<Item>,
    /// The number of earlier questions about exactly this set. Above 0, it is a new question about the same items.
    pub round: u32,
}
