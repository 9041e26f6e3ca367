//! The votes on one pair of items.

use llull_core::Item;

/// A pair of items, in ascending order.
pub(crate) type Pair = (Item, Item);

/// Weights are summed as integers, with this many units to 1, so that a sum does not depend on the order in
/// which votes arrive.
pub(crate) const UNITS: f64 = (1u64 << 20) as f64;

/// The votes on one pair, in units of weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// For the item with the lower number.
    pub(crate) low: i64,
    /// For the item with the higher number.
    pub(crate) high: i64,
    /// For a tie.
    pub(crate) tied: i64,
}

/// Sums that differ by no more than this many units are equal: three votes of a third, for example, against
/// one vote.
const CLOSE: u64 = 16;

impl Tally {
    /// Returns by how much the lower item leads, in units; 0 if the votes cancel out.
    pub(crate) fn margin(self) -> i64 {
        if self.low.abs_diff(self.high) <= CLOSE { 0 } else { self.low - self.high }
    }

    pub(crate) fn total(self) -> i64 {
        self.low + self.high + self.tied
    }

    /// Returns whether votes for both sides cancel out.
    pub(crate) fn is_split(self) -> bool {
        self.margin() == 0 && self.low > 0
    }

    pub(crate) fn flipped(self) -> Self {
        Self { low: self.high, high: self.low, tied: self.tied }
    }
}

/// Returns a weight in units, at least one; `None` if the weight is not positive and finite.
pub(crate) fn units(weight: f64) -> Option<i64> {
    // 2^40 votes of the largest weight still fit.
    const MOST: f64 = (1u64 << 42) as f64;
    (weight.is_finite() && weight > 0.0).then(|| (weight * UNITS).round().clamp(1.0, MOST) as i64)
}
