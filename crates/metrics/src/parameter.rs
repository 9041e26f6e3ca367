//! What a measure can be told: each parameter knows its range and its default.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use llull_core::Grade;

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

/// The lowest grade that counts as relevant: 1 or more, 1 if nothing is said. ir_measures' `rel`, trec_eval's `-l`.
///
/// It cannot be 0 or less, because a grade of 0 or less says that a document is not relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relevant(Grade);

impl Relevant {
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
        Self(1)
    }
}

/// The highest grade of the scale, 1 or more: what a gain or a probability is measured against. ir_measures' `max_rel`. Grades
/// above it count as it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxGrade(Grade);

impl MaxGrade {
    /// 4, that of gdeval.pl, the program by which TREC's Web track and ir_measures compute ERR.
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

/// What a retrieved document without a label counts as.
///
/// A negative label means in the pool but not judged, as in trec_eval: it is never relevant, and here it is no label either.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Unjudged {
    /// Not relevant; the default of every tool.
    #[default]
    NotRelevant,
    /// Nothing: the list closes up without it (a condensed list, Sakai 2007). ir_measures' `judged_only=True`, trec_eval's `-J`.
    Excluded,
    /// The best that is possible. The value is an upper bound: no labels for the retrieved documents that lack one, and none
    /// for others, can make the measure larger. Printed as `unjudged='best'`.
    Best,
}

/// A finite number that can be compared for equality and hashed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Number(f64);

impl Number {
    fn within(range: std::ops::RangeInclusive<f64>, value: f64) -> Option<Self> {
        // adding 0 turns -0, which no parameter means, into 0, so that equal numbers have equal bits
        (value.is_finite() && range.contains(&value)).then_some(Self(value + 0.0))
    }
}

// It is never NaN, so equality is an equivalence.
impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// How likely a reader is to go on from one rank to the next, from 0.01 to 0.99. ir_measures' `p`.
///
/// With 0.9 the first ten ranks hold most of the weight, with 0.95 the first twenty (Clarke et al.'s compatibility.py,
/// whose range this is: beyond it ranks that nobody retrieves would count).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Persistence(Number);

impl Persistence {
    /// 0.8, RBP's default in ir_measures.
    pub const RBP: Self = Self(Number(0.8));

    /// 0.9, that of trec_eval's `rbp`.
    pub const TREC_EVAL: Self = Self(Number(0.9));

    /// The persistence `p`; `None` outside of 0.01 to 0.99.
    pub fn new(p: f64) -> Option<Self> {
        Number::within(0.01..=0.99, p).map(Self)
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

impl Default for Persistence {
    /// 0.95, Compat's.
    fn default() -> Self {
        Self(Number(0.95))
    }
}

/// A share of the relevant documents, from 0 to 1: where [`Measure::IPrec`](crate::Measure::IPrec) reads the precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecallLevel(Number);

impl RecallLevel {
    /// The level `recall`; `None` outside of 0 to 1.
    pub fn new(recall: f64) -> Option<Self> {
        Number::within(0.0..=1.0, recall).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

/// How many documents a share of the relevant ones is, where that is not a whole number. The versions of trec_eval differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Up, so that at least the share has been found, which is what interpolated precision means; ⌊share + 0.9⌋ to be exact. trec_eval up to
    /// 9.0.7, pytrec_eval and ir_measures. The default of [`Measure::IPrec`](crate::Measure::IPrec).
    Up,
    /// To the nearest whole number; trec_eval 9.0.8 and 10, and so what `iprec_at_recall_0.10` and `11pt_avg` mean. Printed as
    /// `rounding='nearest'` where it is not the default.
    Nearest,
}

impl Rounding {
    pub(crate) fn documents(self, share: f64) -> usize {
        match self {
            Self::Up => (share + 0.9) as usize,
            Self::Nearest => share.round() as usize,
        }
    }
}

/// How often R is taken for the cutoff of [`Measure::Rprec`](crate::Measure::Rprec): above 0, up to 1,000; 1 if nothing is said.
/// trec_eval's `Rprec_mult`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Multiple(Number);

impl Multiple {
    /// The multiple; `None` when it is not above 0, or above 1,000.
    pub fn new(multiple: f64) -> Option<Self> {
        Number::within(0.0..=1000.0, multiple).filter(|number| number.0 > 0.0).map(Self)
    }

    /// The factor.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

impl Default for Multiple {
    fn default() -> Self {
        Self(Number(1.0))
    }
}

/// What [`Measure::Utility`](crate::Measure::Utility) adds up: the worth of a relevant document that is retrieved, of any other that is retrieved, and of a
/// relevant one that is not, each from -1,000 to 1,000; 1, -1 and 0 if nothing is said. trec_eval's fourth, the worth of what
/// is rightly left out, needs the size of the corpus, and is 0 here as it is there by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weights([Number; 3]);

impl Weights {
    /// These weights; `None` when one is not a number from -1,000 to 1,000.
    pub fn new(found: f64, others: f64, missed: f64) -> Option<Self> {
        let within = |weight| Number::within(-1000.0..=1000.0, weight);
        Some(Self([within(found)?, within(others)?, within(missed)?]))
    }

    /// What a relevant document is worth that is retrieved.
    pub fn found(self) -> f64 {
        self.0[0].0
    }

    /// What any other document is worth that is retrieved.
    pub fn others(self) -> f64 {
        self.0[1].0
    }

    /// What a relevant document is worth that is not retrieved.
    pub fn missed(self) -> f64 {
        self.0[2].0
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self([Number(1.0), Number(-1.0), Number(0.0)])
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.found(), self.others(), self.missed())
    }
}

/// How many times as important recall is as precision in F: above 0, up to 1,000; 1 if nothing is said. It enters as a square
/// (van Rijsbergen 1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Beta(Number);

impl Beta {
    /// The weight; `None` when it is not above 0, or above 1,000.
    pub fn new(beta: f64) -> Option<Self> {
        Number::within(0.0..=1000.0, beta).filter(|number| number.0 > 0.0).map(Self)
    }

    /// The weight.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

impl Default for Beta {
    fn default() -> Self {
        Self(Number(1.0))
    }
}

/// How much gain a reader is after, in documents of the best grade: from 0.5 to 1,000; 1 if nothing is said. ir_measures' `T`.
/// (Below 0.5 the probability by which a reader goes on could exceed 1.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(Number);

impl Target {
    /// The target; `None` outside of 0.5 to 1,000.
    pub fn new(target: f64) -> Option<Self> {
        Number::within(0.5..=1000.0, target).map(Self)
    }

    /// The number of documents.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

impl Default for Target {
    fn default() -> Self {
        Self(Number(1.0))
    }
}

/// How much less a subtopic is worth each time that a document of it was seen: from 0, not at all, to 1, nothing any more; 0.5 if nothing is said. The α of
/// [`DiversityMeasure::AlphaNdcg`](crate::DiversityMeasure::AlphaNdcg).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alpha(Number);

impl Alpha {
    /// The share that is lost; `None` outside of 0 to 1.
    pub fn new(alpha: f64) -> Option<Self> {
        Number::within(0.0..=1.0, alpha).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.0
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self(Number(0.5))
    }
}
