//! The ordinal scheme: tiers counted from the bottom.

use llull_core::{Grade, Label};

use crate::levels::labels_by_level;
use crate::tier_view::TierView;

/// Counts tiers from the bottom: the grade of the last is 0, and each better one has 1 more. Returns a label for each
/// of `items` items, by position; an item that is in no tier has none.
///
/// Provisional tiers that follow each other share a grade, since the order within them is unknown, and count as one.
/// After a search for the top tiers, the final ones count up from 1 and everything below them is 0. If no tier is
/// final, for instance because a budget ran out early, no item has a label: missing, not 0.
///
/// Grade 0 is the bottom of this pool, not "not relevant". An order of a single tier prefers nothing, so nothing can be
/// measured by it: no item has a label, instead of every system a score of 0. `low` and `high` equal the grade, and
/// `judges` is 1, because the tiers are one source however many judges voted in them.
///
/// ```
/// use llull_core::Ballot;
/// use llull_label::{TierView, ordinal};
///
/// let items = Ballot::of([vec![4], vec![0, 2], vec![1], vec![3]]).groups;
/// let finals = [true, true, false, false];
/// let tiers: Vec<_> =
///     items.iter().zip(finals).map(|(items, is_final)| TierView { items, is_final }).collect();
/// let grades: Vec<_> = ordinal(5, &tiers).iter().map(|label| label.map(|label| label.grade)).collect();
/// assert_eq!(grades, [Some(1), Some(0), Some(1), Some(0), Some(2)]);
/// assert_eq!(ordinal(2, &tiers[2..]), [None, None]);
/// assert_eq!(ordinal(1, &tiers[..1]), [None]);
/// ```
pub fn ordinal(items: usize, tiers: &[TierView<'_>]) -> Vec<Option<Label>> {
    labels_by_level(items, tiers, |level, _| Grade::try_from(level).unwrap_or(Grade::MAX))
}
