//! The anchors: members of each tier, drawn to be graded.

use llull_core::{Item, Seed};

use crate::levels::{levels, members};
use crate::tier_view::TierView;

/// Draws the members to grade: up to `per_tier` of every level (a final tier, or a run of provisional ones), best level
/// first. Returns none if no tier is final, since they would give no label.
///
/// Members are drawn by the smallest hash of the seed and the name that `id` gives the item. So the draw is fair and
/// does not depend on the order of a tier's members, nor on their positions, which change if documents are added: a
/// drawn member stays drawn while its tier does not gain members. Use a different seed for every query
/// (`Seed(seed.stream("anchors q1"))`).
///
/// ```
/// use llull_core::{Item, Seed};
/// use llull_label::{TierView, anchors};
///
/// let items = [vec![3, 0, 4], vec![1]].map(|tier| tier.into_iter().map(Item).collect::<Vec<_>>());
/// let tiers = items.each_ref().map(|items| TierView { items, is_final: true });
/// let drawn = anchors(&tiers, 2, Seed(7), |item| ["a", "b", "c", "d", "e"][item.index()]);
/// assert_eq!((drawn.len(), drawn.last()), (3, Some(&Item(1))));
/// ```
pub fn anchors<'a>(
    tiers: &[TierView<'_>],
    per_tier: usize,
    seed: Seed,
    id: impl Fn(Item) -> &'a str,
) -> Vec<Item> {
    let mut drawn = Vec::new();
    for level in levels(tiers).unwrap_or_default() {
        let mut ticketed: Vec<(u64, Item)> =
            members(level).map(|item| (seed.stream(&format!("anchor {}", id(item))), item)).collect();
        ticketed.sort_unstable();
        drawn.extend(ticketed.iter().take(per_tier).map(|(_, item)| *item));
    }
    drawn
}
