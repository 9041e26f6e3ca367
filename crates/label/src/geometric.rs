//! The geometric scheme: gains that halve from tier to tier.

use llull_core::Label;

use crate::levels::labels_by_level;
use crate::tier_view::TierView;

/// The most halvings in [`geometric`]: later tiers have less than a millionth of the best one's gain.
const HALVINGS: u32 = 20;

/// Halves the gain from tier to tier: the last tier has 0, the one above it 1, then 2, 4, 8 and so on. So for nDCG
/// with linear gain each tier is worth twice the next. Tiers, provisional ones and missing labels are as in
/// [`ordinal`](crate::ordinal).
///
/// With more than 22 tiers the gains are counted from the top: the best is 2^20, and a tier more than 20 below it
/// gains 0. So the best tiers always stay apart, and only a tail is lost that is worth less than a
/// millionth of the best document.
///
/// ```
/// use llull_core::Item;
/// use llull_label::{TierView, geometric};
///
/// let items: Vec<[Item; 1]> = Item::first(5).map(|item| [item]).collect();
/// let tiers: Vec<_> = items.iter().map(|items| TierView { items, is_final: true }).collect();
/// let gains: Vec<_> = geometric(5, &tiers).iter().flatten().map(|label| label.grade).collect();
/// assert_eq!(gains, [8, 4, 2, 1, 0]);
/// ```
pub fn geometric(items: usize, tiers: &[TierView<'_>]) -> Vec<Option<Label>> {
    labels_by_level(items, tiers, |level, levels| {
        // The best tier is at level `levels - 1`, and the lowest level that gains anything gains 1.
        let lowest = levels.saturating_sub(HALVINGS as usize + 1).max(1);
        match level.checked_sub(lowest) {
            Some(doublings) => 1 << doublings.min(HALVINGS as usize),
            None => 0,
        }
    })
}
