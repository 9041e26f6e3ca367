//! The part of a tier that labels need.

use llull_core::Item;

/// The part of a tournament's tier that labels depend on. Tiers come best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierView<'a> {
    /// Its items.
    pub items: &'a [Item],
    /// Whether its place is settled: every item outside it is known to be better or worse.
    pub is_final: bool,
}

impl<'a> From<&'a llull_rank::Tier> for TierView<'a> {
    fn from(tier: &'a llull_rank::Tier) -> Self {
        Self { items: &tier.items, is_final: tier.is_final }
    }
}
