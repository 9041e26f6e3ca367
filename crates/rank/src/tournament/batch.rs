//! A question of a tournament.

use llull_core::Item;

/// A question: put these items in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The items, ascending: at least 2, at most the window.
    pub items: Vec<Item>,
    /// How often exactly this set was asked about before; above 0 the question is a new one about the same items.
    pub round: u32,
}
