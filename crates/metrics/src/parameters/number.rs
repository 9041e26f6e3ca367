//! A finite number that can be compared for equality and hashed.

use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

/// A finite number that can be compared for equality and hashed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number(f64);

impl Number {
    /// A constant of this crate, which must be finite and not -0.
    pub(super) const fn constant(value: f64) -> Self {
        Self(value)
    }

    /// The number `value`; `None` if it is outside of `range` or not finite.
    pub(super) fn within(range: RangeInclusive<f64>, value: f64) -> Option<Self> {
        // adding 0 turns -0 into 0, so that equal numbers have equal bits
        (value.is_finite() && range.contains(&value)).then_some(Self(value + 0.0))
    }

    /// The number `value`; `None` if it is not above 0 or is above `highest`.
    pub(super) fn above_zero(highest: f64, value: f64) -> Option<Self> {
        Self::within(0.0..=highest, value).filter(|number| number.0 > 0.0)
    }

    /// The value.
    pub(super) const fn get(self) -> f64 {
        self.0
    }
}

// It is never NaN, so equality is an equivalence relation.
impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}
