//! Parameters that are a number within a range.

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

/// The share of its worth that a subtopic loses with every document about it: from 0 (nothing) to 1 (everything);
/// 0.5 by default. The α of [`DiversityMeasure::AlphaNdcg`](crate::DiversityMeasure::AlphaNdcg).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alpha(Number);

impl Alpha {
    /// The share that is lost; `None` outside of 0 to 1.
    pub fn new(alpha: f64) -> Option<Self> {
        Number::within(0.0..=1.0, alpha).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self(Number::constant(0.5))
    }
}

/// How many times as important recall is as precision in F: above 0, up to 1,000; 1 by default. It enters the formula
/// as its square (van Rijsbergen 1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Beta(Number);

impl Beta {
    /// 1, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The weight; `None` if it is not above 0, or above 1,000.
    pub fn new(beta: f64) -> Option<Self> {
        Number::above_zero(1000.0, beta).map(Self)
    }

    /// The weight.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Beta {
    fn default() -> Self {
        Self::ONE
    }
}

/// The multiple of R that is the cutoff of `Rprec`: above 0, up to 1,000; 1 by default. trec_eval's `Rprec_mult`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Multiple(Number);

impl Multiple {
    /// 1, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The multiple; `None` if it is not above 0, or above 1,000.
    pub fn new(multiple: f64) -> Option<Self> {
        Number::above_zero(1000.0, multiple).map(Self)
    }

    /// The factor.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Multiple {
    fn default() -> Self {
        Self::ONE
    }
}

/// The probability that a reader goes on from one rank to the next, from 0.01 to 0.99. ir_measures' `p`.
///
/// With 0.9 the first ten ranks hold most of the weight, with 0.95 the first twenty. The range is that of Clarke et
/// al.'s compatibility.py: with a larger `p`, ranks that no run retrieves would count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Persistence(Number);

impl Persistence {
    /// 0.8, RBP's default in ir_measures.
    pub const RBP: Self = Self(Number::constant(0.8));

    /// 0.9, the value of trec_eval's `rbp`.
    pub const TREC_EVAL: Self = Self(Number::constant(0.9));

    /// 0.95, Compat's default.
    pub const COMPAT: Self = Self(Number::constant(0.95));

    /// The persistence `p`; `None` outside of 0.01 to 0.99.
    pub fn new(p: f64) -> Option<Self> {
        Number::within(0.01..=0.99, p).map(Self)
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Persistence {
    /// [`COMPAT`](Self::COMPAT).
    fn default() -> Self {
        Self::COMPAT
    }
}

/// How much gain a reader looks for, in documents of the best grade: from 0.5 to 1,000; 1 by default. ir_measures'
/// `T`. (Below 0.5 the probability with which a reader goes on could exceed 1.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(Number);

impl Target {
    /// One document, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The target; `None` outside of 0.5 to 1,000.
    pub fn new(target: f64) -> Option<Self> {
        Number::within(0.5..=1000.0, target).map(Self)
    }

    /// The number of documents.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Target {
    fn default() -> Self {
        Self::ONE
    }
}

/// A share of the relevant documents, from 0 to 1, at which `IPrec` reads the precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecallLevel(Number);

impl RecallLevel {
    /// The level `recall`; `None` outside of 0 to 1.
    pub fn new(recall: f64) -> Option<Self> {
        Number::within(0.0..=1.0, recall).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}
