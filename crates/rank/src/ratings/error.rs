//! Errors of the rating models.

use llull_core::Item;

use super::model::Model;

/// The reason why items could not be rated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// A ballot names an item that does not exist.
    #[error("ballot {ballot} names item {item}, but there are only {items} items (0 to {})", items.saturating_sub(1))]
    UnknownItem {
        /// The position of the ballot.
        ballot: usize,
        /// The item that it names.
        item: Item,
        /// The number of items.
        items: usize,
    },
    /// A ballot places an item twice.
    #[error("ballot {ballot} names item {item} twice; a ballot names each item once")]
    RepeatedItem {
        /// The position of the ballot.
        ballot: usize,
        /// The item.
        item: Item,
    },
    /// A ballot's weight is zero, negative or not a number.
    #[error("ballot {ballot} has weight {weight}; a weight must be positive and finite")]
    BadWeight {
        /// The position of the ballot.
        ballot: usize,
        /// Its weight.
        weight: f64,
    },
    /// Without a prior the likelihood has no maximum: some items of a component never lose to the others (a
    /// tie counts as half a loss).
    #[error(
        "{model} without a prior has no finite scores: {} of the {component} items that item {} is connected with \
         were never beaten \
         by the others (item {} is one of them); use a prior",
        unbeaten.len(), unbeaten.first().copied().unwrap_or_default(), unbeaten.first().copied().unwrap_or_default()
    )]
    NoMaximum {
        /// The model.
        model: Model,
        /// The items that were never beaten from outside, ascending.
        unbeaten: Vec<Item>,
        /// The number of items in their component.
        component: usize,
    },
    /// The iterations ended before the scores had converged.
    #[error(
        "{model} did not converge in {iterations} iterations: the last one still moved a value by {change:.1e}; \
         allow more iterations or use a stronger prior"
    )]
    NotConverged {
        /// The model.
        model: Model,
        /// The number of iterations.
        iterations: usize,
        /// The largest change of a value in the last iteration.
        change: f64,
    },
    /// The scores are so far apart that they cannot be computed.
    #[error(
        "{model}: the scores are too far apart to be computed with double precision; use a stronger prior"
    )]
    OutOfRange {
        /// The model.
        model: Model,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
