//! The binary scheme: the best tiers against the rest.

use llull_core::{Grade, Label};

use crate::levels::{settled, spread_over};
use crate::tier_view::TierView;

/// Gives 1 to the best `top` tiers and 0 to everything below them. No item has a label unless the best `top` tiers are
/// final: otherwise it is unknown where the line is. A pool with fewer than `top` tiers has no such line either.
///
/// ```
/// use llull_core::Item;
/// use llull_label::{TierView, binary};
///
/// let tiers = [(&[Item(1)], true), (&[Item(0)], false), (&[Item(2)], false)]
///     .map(|(items, is_final)| TierView { items, is_final });
/// let grades = |top| -> Vec<_> {
///     binary(3, &tiers, top).iter().map(|label| label.map(|label| label.grade)).collect()
/// };
/// assert_eq!(grades(1), [Some(0), Some(1), Some(0)]);
/// assert_eq!(grades(2), [None, None, None]);
/// ```
pub fn binary(items: usize, tiers: &[TierView<'_>], top: usize) -> Vec<Option<Label>> {
    let is_known = tiers.get(..top).is_some_and(|best| best.iter().all(|tier| tier.is_final));
    if !is_known {
        return vec![None; items];
    }
    let grade = |rank: usize| Some(settled(Grade::from(rank < top)));
    spread_over(items, tiers.chunks(1).enumerate().map(|(rank, tier)| (tier, grade(rank))))
}
