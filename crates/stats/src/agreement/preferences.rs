//! The agreement of a judge's pairwise answers with a reference.
//!
//! It also measures their agreement with themselves if the two items change places.

use std::cmp::Ordering;

use serde::Serialize;

use super::crosstab::{ConfusionMatrix, cohen_kappa};
use super::grades::DisagreementWeights;
use crate::error::StatsError;
use crate::proportion::Proportion;

/// How the answers about a pair become a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By the answers to the pair as it is.
    Shown,
    /// By the answers to the pair with the two exchanged.
    Swapped,
    /// By both orders: the verdict is their common answer; otherwise it is neither.
    DoubleCheck,
}

/// The figures of one mode, over the pairs that were judged in this mode and that the reference decides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModeAgreement {
    /// The mode.
    pub mode: Mode,
    /// The number of pairs.
    pub n: u64,
    /// The pairs that are decided for one of the two items. (Some call this recall.)
    pub coverage: Proportion,
    /// The decided pairs that are decided as in the reference.
    pub precision: Proportion,
    /// The pairs, among all, that are decided as in the reference: precision times coverage.
    pub recall: Proportion,
    /// The number of pairs whose verdict is neither.
    pub neither: u64,
    /// The number of pairs without a readable answer, in either order if both are needed. They count as not decided.
    pub unusable: u64,
    /// The number of calls for these pairs.
    pub calls: u64,
    /// Calls per pair; `None` without a pair.
    pub calls_per_pair: Option<f64>,
}

/// The agreement of the answers to both orders, over the pairs with both, including those that the reference has tied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SwapAgreement {
    /// The pairs, among those answered both ways, whose two verdicts are the same (twice neither is the same).
    pub consistency: Proportion,
    /// The same, corrected for chance: Cohen's kappa of the two orders; `None` if it is undefined, for instance if all
    /// answers are the same.
    pub kappa: Option<f64>,
    /// The pairs, among those on which the two orders choose different items, on which the item shown first was chosen
    /// both times. One half means no bias to either side.
    pub first_position: Proportion,
}

/// How far a judge agrees with a reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceAgreement {
    /// Every mode with at least one pair that the reference decides.
    pub modes: Vec<ModeAgreement>,
    /// The decided pairs among those that the reference has tied: by both orders together if the judge saw both. They
    /// count in no mode.
    pub tied: Proportion,
    /// Agreement of the two orders; `None` when no pair was answered both ways.
    pub swap: Option<SwapAgreement>,
}

/// Computes the agreement of a judge with a reference, mode by mode: the share of decisions, the share of right ones,
/// and their calls.
///
/// The modes hold for any judge: one that is forced to choose, one that may answer neither, and one whose answer counts
/// only if it survives a change of places. Whether neither is allowed depends on the judge; the verdicts of a double
/// check follow from the answers in both orders.
///
/// ```
/// use llull_stats::{Choice, JudgedPair, Mode, preference_agreement};
///
/// let mut steady = JudgedPair::new(Choice::First);
/// steady.shown.add(Some(Choice::First));
/// steady.swapped.add(Some(Choice::First));
/// let mut leaning = JudgedPair::new(Choice::Second);
/// leaning.shown.add(Some(Choice::First)); // on the left
/// leaning.swapped.add(Some(Choice::Second)); // on the left again
///
/// let agreement = preference_agreement(&[steady, leaning], 0.95)?;
/// let [shown, _, both] = &agreement.modes[..] else { panic!("three modes") };
/// assert_eq!((shown.mode, shown.precision.share), (Mode::Shown, Some(0.5)));
/// assert_eq!((both.coverage.share, both.precision.share), (Some(0.5), Some(1.0)));
/// assert_eq!(both.calls_per_pair, Some(2.0));
/// let swap = agreement.swap.ok_or("no pair was asked both ways")?;
/// assert_eq!((swap.consistency.share, swap.first_position.share), (Some(0.5), Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the confidence of the intervals is not between 0 and 1.
pub fn preference_agreement(
    pairs: &[JudgedPair],
    confidence: f64,
) -> Result<PreferenceAgreement, StatsError> {
    let mut modes = Vec::new();
    for mode in [Mode::Shown, Mode::Swapped, Mode::DoubleCheck] {
        let counts = Counts::of(mode, pairs);
        if counts.n > 0 {
            modes.push(counts.figures(mode, confidence)?);
        }
    }
    Ok(PreferenceAgreement { modes, tied: tied(pairs, confidence)?, swap: swap(pairs, confidence)? })
}

#[derive(Default)]
struct Counts {
    n: u64,
    decided: u64,
    right: u64,
    neither: u64,
    calls: u64,
}

impl Counts {
    fn of(mode: Mode, pairs: &[JudgedPair]) -> Self {
        let mut counts = Self::default();
        for pair in pairs.iter().filter(|pair| pair.truth.is_decided()) {
            let (asked, calls, verdict) = match mode {
                Mode::Shown => (pair.shown.calls() > 0, pair.shown.calls(), pair.shown.verdict()),
                Mode::Swapped => (pair.swapped.calls() > 0, pair.swapped.calls(), pair.swapped.verdict()),
                Mode::DoubleCheck => {
                    (pair.asked_both_ways(), pair.shown.calls() + pair.swapped.calls(), pair.double_checked())
                }
            };
            if asked {
                counts.n += 1;
                counts.calls += calls;
                counts.decided += u64::from(verdict.is_some_and(Choice::is_decided));
                counts.neither += u64::from(verdict == Some(Choice::Neither));
                counts.right += u64::from(verdict == Some(pair.truth));
            }
        }
        counts
    }

    fn figures(&self, mode: Mode, confidence: f64) -> Result<ModeAgreement, StatsError> {
        let Self { n, decided, right, neither, calls } = *self;
        Ok(ModeAgreement {
            mode,
            n,
            coverage: Proportion::new(decided, n, confidence)?,
            precision: Proportion::new(right, decided, confidence)?,
            recall: Proportion::new(right, n, confidence)?,
            neither,
            unusable: n - decided - neither,
            calls,
            calls_per_pair: (n > 0).then(|| calls as f64 / n as f64),
        })
    }
}

fn tied(pairs: &[JudgedPair], confidence: f64) -> Result<Proportion, StatsError> {
    let (mut n, mut decided) = (0, 0);
    for pair in pairs.iter().filter(|pair| !pair.truth.is_decided()) {
        let verdict = match pair.asked_both_ways() {
            true => pair.double_checked(),
            false => pair.shown.verdict().or(pair.swapped.verdict()),
        };
        n += 1;
        decided += u64::from(verdict.is_some_and(Choice::is_decided));
    }
    Proportion::new(decided, n, confidence)
}

fn swap(pairs: &[JudgedPair], confidence: f64) -> Result<Option<SwapAgreement>, StatsError> {
    let mut table = ConfusionMatrix::default();
    let (mut same, mut exchanged, mut first) = (0, 0, 0);
    for pair in pairs {
        let (Some(shown), Some(swapped)) = (pair.shown.verdict(), pair.swapped.verdict()) else { continue };
        table.add(shown.category(), swapped.category());
        same += u64::from(shown == swapped);
        exchanged += u64::from(shown != swapped && shown.is_decided() && swapped.is_decided());
        first += u64::from((shown, swapped) == (Choice::First, Choice::Second));
    }
    if table.n() == 0 {
        return Ok(None);
    }
    Ok(Some(SwapAgreement {
        consistency: Proportion::new(same, table.n(), confidence)?,
        kappa: cohen_kappa(&table, DisagreementWeights::None),
        first_position: Proportion::new(first, exchanged, confidence)?,
    }))
}

/// An answer about a pair. First and second are the items of the pair in an order that its author chose, not the places
/// in which they were shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The pair's first item is better.
    First,
    /// The pair's second item is better.
    Second,
    /// Neither is better: a tie, or "not sure".
    Neither,
}

/// The choice between two items in an order, best first.
impl From<Ordering> for Choice {
    fn from(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::First,
            Ordering::Equal => Self::Neither,
            Ordering::Greater => Self::Second,
        }
    }
}

impl Choice {
    fn is_decided(self) -> bool {
        self != Self::Neither
    }

    /// The category in a table of agreement.
    pub(super) fn category(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
            Self::Neither => 0,
        }
    }
}

/// A judge's answers about one pair, shown in one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Votes {
    /// The number of answers for the pair's first item.
    pub first: u32,
    /// The number of answers for its second item.
    pub second: u32,
    /// The number of answers for neither.
    pub neither: u32,
    /// The number of calls without a readable answer.
    pub unusable: u32,
}

impl Votes {
    /// Counts one call with its answer; `None` if the answer could not be read.
    pub fn add(&mut self, answer: Option<Choice>) {
        match answer {
            Some(Choice::First) => self.first += 1,
            Some(Choice::Second) => self.second += 1,
            Some(Choice::Neither) => self.neither += 1,
            None => self.unusable += 1,
        }
    }

    /// Returns the item with the most answers, or neither if they are equal; `None` without an answer.
    pub fn verdict(&self) -> Option<Choice> {
        match self.first.cmp(&self.second) {
            std::cmp::Ordering::Greater => Some(Choice::First),
            std::cmp::Ordering::Less => Some(Choice::Second),
            std::cmp::Ordering::Equal => (self.first + self.neither > 0).then_some(Choice::Neither),
        }
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> u64 {
        [self.first, self.second, self.neither, self.unusable].map(u64::from).iter().sum()
    }
}

/// A pair of the reference with a judge's answers about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedPair {
    /// The choice of the reference; `Neither` if it has the two tied, so that nothing can be right or wrong.
    pub truth: Choice,
    /// The answers to the pair as it is, with its first item on the left.
    pub shown: Votes,
    /// The answers to the pair with the two exchanged, with its first item on the right.
    pub swapped: Votes,
}

impl JudgedPair {
    /// Creates a pair with this truth and no answers yet.
    pub fn new(truth: Choice) -> Self {
        Self { truth, shown: Votes::default(), swapped: Votes::default() }
    }

    fn asked_both_ways(&self) -> bool {
        self.shown.calls() > 0 && self.swapped.calls() > 0
    }

    /// The verdict of both orders: an item if both chose it, else neither. `None` if either order has no answer,
    /// because then nothing was checked.
    fn double_checked(&self) -> Option<Choice> {
        let (shown, swapped) = (self.shown.verdict()?, self.swapped.verdict()?);
        Some(if shown == swapped { shown } else { Choice::Neither })
    }
}
