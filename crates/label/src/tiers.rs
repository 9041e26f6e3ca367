//! Tiers as labels read them, and what is known of their order.

use llull_core::{Grade, Item, Label};

/// A tier of a tournament's outcome, as far as labels depend on it. Tiers come best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierView<'a> {
    /// Its items.
    pub items: &'a [Item],
    /// Whether its place is settled: of every item outside it is known whether it is better or worse.
    pub is_final: bool,
}

impl<'a> From<&'a llull_rank::Tier> for TierView<'a> {
    fn from(tier: &'a llull_rank::Tier) -> Self {
        Self { items: &tier.items, is_final: tier.is_final }
    }
}

/// What is known of the order: every final tier by itself, and every run of provisional tiers as one, since its members
/// are known to lie below the final tier before it and above the final tier behind it, and no more. Best first.
pub(crate) type Block<'a> = &'a [TierView<'a>];

/// The blocks of these tiers; `None` where no tier is final, so that nothing is known.
pub(crate) fn blocks<'a>(tiers: &'a [TierView<'a>]) -> Option<Vec<Block<'a>>> {
    let settled = tiers.iter().any(|tier| tier.is_final);
    settled.then(|| tiers.chunk_by(|a, b| !a.is_final && !b.is_final).collect())
}

/// Every item of a block.
pub(crate) fn members<'a>(block: Block<'a>) -> impl Iterator<Item = Item> + 'a {
    block.iter().flat_map(|tier| tier.items).copied()
}

/// A label that the order alone gives. One source stands behind it, however many judges voted: their votes made one
/// order, so that the label must not pass for one that several judges agreed on grade by grade.
pub(crate) fn settled(grade: Grade) -> Label {
    Label { grade, low: grade, high: grade, judges: 1 }
}

/// The labels of `items` items from one label a block.
pub(crate) fn spread_over<'a>(
    items: usize,
    labelled: impl IntoIterator<Item = (Block<'a>, Option<Label>)>,
) -> Vec<Option<Label>> {
    let mut labels = vec![None; items];
    for (block, label) in labelled {
        for item in members(block) {
            if let Some(place) = labels.get_mut(item.index()) {
                *place = label;
            }
        }
    }
    labels
}
