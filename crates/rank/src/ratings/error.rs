//! Why items cannot be rated.

use llull_core::Item;

use super::model::Model;

/// Why items could not be rated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// A ballot names an item that is not there.
    #[error("ballot {ballot} names item {item}, but there are only {items} items (0 to {})", items.saturating_sub(1))]
    UnknownItem {
        /// The ballot's position.
        ballot: usize,
        /// The item that it names.
        item: Item,
        /// How many items there are.
        items: usize,
    },
    /// A ballot places an item twice.
    #[error("ballot {ballot} places item {item} twice; a ballot shows an item once")]
    RepeatedItem {
        /// The ballot's position.
        ballot: usize,
        /// The item.
        item: Item,
    },
    /// A ballot's weight is zero, negative or not a number.
    #[error("ballot {ballot} has weight {weight}; a weight is positive and finite")]
    BadWeight {
        /// The ballot's position.
        ballot: usize,
        /// Its weight.
        weight: f64,
    },
    /// An option is outside its range.
    #[error("{option} is {value}, but it must be {expected}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Without a prior the likelihood has no maximum: some items of a component never lose (count a tie as half a loss) to the others.
    #[error(
        "{model} without a prior has no finite scores: {} of the {component} items that item {} is connected with were never beaten \
         by the others (item {} is one of them); use a prior",
        unbeaten.len(), unbeaten.first().copied().unwrap_or_default(), unbeaten.first().copied().unwrap_or_default()
    )]
    NoMaximum {
        /// The model.
        model: Model,
        /// The items that were never beaten from outside, ascending.
        unbeaten: Vec<Item>,
        /// How many items their component has.
        component: usize,
    },
    /// The iterations ended before the scores stood still.
    #[error(
        "{model} did not converge in {iterations} iterations: the last one still moved a value by {change:.1e}; \
         allow more iterations or use a stronger prior"
    )]
    NotConverged {
        /// The model.
        model: Model,
        /// How many iterations were made.
        iterations: usize,
        /// The largest change of a value in the last one.
        change: f64,
    },
    /// Scores so far apart that they cannot be computed.
    #[error(
        "{model}: the scores are too far apart to be computed with double precision; use a stronger prior"
    )]
    OutOfRange {
        /// The model.
        model: Model,
    },
}
