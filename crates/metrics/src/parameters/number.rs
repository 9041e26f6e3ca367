//! Values of parameters: numbers within a range, and closed sets.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use llull_core::Grade;

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

/// The rank down to which a measure looks, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cutoff(NonZeroU32);

impl Cutoff {
    /// The cutoff at `rank`; `None` for 0.
    pub fn new(rank: u32) -> Option<Self> {
        NonZeroU32::new(rank).map(Self)
    }

    /// The rank.
    pub fn rank(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The lowest grade that counts as relevant: 1 or more, 1 by default. ir_measures' `rel`, trec_eval's `-l`.
///
/// It cannot be 0 or less, because a grade of 0 or less means that a document is not relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relevant(Grade);

impl Relevant {
    /// Grade 1, the default.
    pub const GRADE_1: Self = Self(1);

    /// The threshold at `grade`; `None` below 1.
    pub fn from_grade(grade: Grade) -> Option<Self> {
        (grade >= 1).then_some(Self(grade))
    }

    /// The lowest grade that counts as relevant.
    pub fn grade(self) -> Grade {
        self.0
    }
}

impl Default for Relevant {
    fn default() -> Self {
        Self::GRADE_1
    }
}

/// The highest grade of the scale, 1 or more, against which a gain or a probability is measured. Higher grades count
/// as this one. ir_measures' `max_rel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxGrade(Grade);

impl MaxGrade {
    /// Grade 4, as in gdeval.pl, with which TREC's Web track and ir_measures compute ERR.
    pub const GDEVAL: Self = Self(4);

    /// The scale that ends at `grade`; `None` below 1.
    pub fn from_grade(grade: Grade) -> Option<Self> {
        (grade >= 1).then_some(Self(grade))
    }

    /// The highest grade.
    pub fn grade(self) -> Grade {
        self.0
    }
}

/// How a share of the relevant documents becomes a whole number of documents. The versions of trec_eval differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Up, so that at least the share has been found, which is what interpolated precision means; exactly,
    /// ⌊share + 0.9⌋. trec_eval up to 9.0.7, pytrec_eval and ir_measures; the default of `IPrec`.
    Up,
    /// To the nearest whole number. trec_eval 9.0.8 and 10, and therefore the meaning of `iprec_at_recall_0.10` and
    /// `11pt_avg`; the default of `11pt_avg`. Printed as `rounding='nearest'` if it is not the default.
    Nearest,
}

impl Rounding {
    /// The number of documents for `share`, a share times the number of relevant documents.
    pub(crate) fn documents(self, share: f64) -> usize {
        match self {
            Self::Up => (share + 0.9) as usize,
            Self::Nearest => share.round() as usize,
        }
    }
}

/// The treatment of a retrieved document without a label.
///
/// A document with a negative label counts as one without: as in trec_eval, the label means that the document is in
/// the pool but was not judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Unjudged {
    /// Not relevant; the default of every tool.
    #[default]
    NotRelevant,
    /// Nothing: the list closes up without it (a condensed list, Sakai 2007). ir_measures' `judged_only=True`,
    /// trec_eval's `-J`.
    Excluded,
    /// The best that is possible. The value is an upper bound: no labels for the unjudged documents, retrieved or
    /// not, can make the measure larger. Printed as `unjudged='best'`.
    Best,
}

/// The summands of `utility`: the worth of a relevant document that is retrieved, of any other document that is
/// retrieved, and of a relevant document that is missed. Each is from -1,000 to 1,000; 1, -1 and 0 by default.
///
/// trec_eval has a fourth weight, for documents that are rightly left out. It needs the size of the corpus; it is 0
/// here, which is also its default there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weights([Number; 3]);

impl Weights {
    /// 1, -1 and 0, the default.
    pub const TREC_EVAL: Self = Self([Number::constant(1.0), Number::constant(-1.0), Number::constant(0.0)]);

    /// These weights; `None` if one is not a number from -1,000 to 1,000.
    pub fn new(found: f64, others: f64, missed: f64) -> Option<Self> {
        let within = |weight| Number::within(-1000.0..=1000.0, weight);
        Some(Self([within(found)?, within(others)?, within(missed)?]))
    }

    /// The worth of a relevant document that is retrieved.
    pub fn found(self) -> f64 {
        self.0[0].get()
    }

    /// The worth of any other document that is retrieved.
    pub fn others(self) -> f64 {
        self.0[1].get()
    }

    /// The worth of a relevant document that is not retrieved.
    pub fn missed(self) -> f64 {
        self.0[2].get()
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::TREC_EVAL
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.found(), self.others(), self.missed())
    }
}
