//! How far a judge's answers to "which of the two is better" agree with a reference, and with themselves when the two
//! change places.

use serde::Serialize;

use super::{ConfusionMatrix, DisagreementWeights, cohen_kappa};
use crate::error::StatsError;
use crate::proportion::Proportion;

/// What is said about a pair. First and second are the pair's items in an order that whoever made the pair has chosen,
/// not the places in which they were shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The pair's first item is better.
    First,
    /// The pair's second item is better.
    Second,
    /// Neither is: a tie, or "not sure".
    Neither,
}

impl Choice {
    fn is_decided(self) -> bool {
        self != Self::Neither
    }

    /// Its category in a table of agreement.
    fn category(self) -> i32 {
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
    /// Answers for the pair's first item.
    pub first: u32,
    /// Answers for its second.
    pub second: u32,
    /// Answers for neither.
    pub neither: u32,
    /// Calls that brought no answer that could be read.
    pub unusable: u32,
}

impl Votes {
    /// Counts one call, and what was answered if that could be read.
    pub fn add(&mut self, answer: Option<Choice>) {
        match answer {
            Some(Choice::First) => self.first += 1,
            Some(Choice::Second) => self.second += 1,
            Some(Choice::Neither) => self.neither += 1,
            None => self.unusable += 1,
        }
    }

    /// What the answers come to: the item that leads, or neither where none does; `None` without an answer.
    pub fn verdict(&self) -> Option<Choice> {
        match self.first.cmp(&self.second) {
            std::cmp::Ordering::Greater => Some(Choice::First),
            std::cmp::Ordering::Less => Some(Choice::Second),
            std::cmp::Ordering::Equal => (self.first + self.neither > 0).then_some(Choice::Neither),
        }
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        [self.first, self.second, self.neither, self.unusable].map(u64::from).iter().sum()
    }
}

/// A pair that the reference speaks about, and a judge's answers about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedPair {
    /// What the reference says; `Neither` where it has the two tied, so that nothing can be right or wrong.
    pub truth: Choice,
    /// The answers when the pair was shown as it is: its first item on the left.
    pub shown: Votes,
    /// The answers when it was shown with the two exchanged: its first item on the right.
    pub swapped: Votes,
}

impl JudgedPair {
    /// A pair of which this is true, and nobody has been asked yet.
    pub fn new(truth: Choice) -> Self {
        Self { truth, shown: Votes::default(), swapped: Votes::default() }
    }

    fn asked_both_ways(&self) -> bool {
        self.shown.calls() > 0 && self.swapped.calls() > 0
    }

    /// What the answers of both orders come to: an item when both chose it, else neither. `None` when either order has no
    /// answer, for then nothing was checked.
    fn double_checked(&self) -> Option<Choice> {
        let (shown, swapped) = (self.shown.verdict()?, self.swapped.verdict()?);
        Some(if shown == swapped { shown } else { Choice::Neither })
    }
}

/// How answers are turned into a verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The answers to the pair as it is.
    Shown,
    /// The answers to the pair with the two exchanged.
    Swapped,
    /// Both orders are asked, and what they agree on is accepted; anything else is neither.
    DoubleCheck,
}

/// The figures of one mode, over the pairs that it asked about and the reference decides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModeAgreement {
    /// How answers became verdicts.
    pub mode: Mode,
    /// How many pairs.
    pub n: u64,
    /// How many of them are decided for one of the two items. (Some call this recall.)
    pub coverage: Proportion,
    /// How many of the decided are decided as in the reference.
    pub precision: Proportion,
    /// How many of all are decided as in the reference: precision times coverage.
    pub recall: Proportion,
    /// How many are answered, and with neither.
    pub neither: u64,
    /// How many lack an answer that could be read, in either order where both are needed. They count as not decided.
    pub unusable: u64,
    /// Calls that were made for these pairs.
    pub calls: u64,
    /// Calls a pair; `None` without a pair.
    pub calls_per_pair: Option<f64>,
}

/// How far the answers stay the same when the two change places, over the pairs answered both ways, those included that
/// the reference has tied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SwapAgreement {
    /// Pairs answered both ways, and on how many of them the two verdicts are the same (both neither is the same).
    pub consistency: Proportion,
    /// The same, corrected for chance: Cohen's kappa of the two orders; `None` where it is undefined, as when all
    /// answers are one.
    pub kappa: Option<f64>,
    /// Pairs on which the two orders choose different items, and on how many of these the item shown first was chosen
    /// both times. One half is no leaning to either side.
    pub first_position: Proportion,
}

/// A judge against a reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceAgreement {
    /// Every mode that asked about at least one pair that the reference decides.
    pub modes: Vec<ModeAgreement>,
    /// Pairs that the reference has tied, and on how many of them an answer decides all the same: that of both orders
    /// together where both were asked. They count in no mode.
    pub tied: Proportion,
    /// Agreement of the two orders; `None` when no pair was answered both ways.
    pub swap: Option<SwapAgreement>,
}

/// The agreement of a judge with a reference, mode by mode: how much it decides, how much of that is right, what it costs.
///
/// The table is that of seed 003 for any judge: a judge that is forced to choose, one that may say neither, and one whose
/// answer counts only if it survives a change of places. Whether neither was allowed is a matter of the judge; what its
/// answers would come to under a double check follows from the answers in both orders.
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
/// assert_eq!((both.coverage.share, both.precision.share, both.calls_per_pair), (Some(0.5), Some(1.0), Some(2.0)));
/// let swap = agreement.swap.ok_or("no pair was asked both ways")?;
/// assert_eq!((swap.consistency.share, swap.first_position.share), (Some(0.5), Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the confidence of the intervals does not lie between 0 and 1.
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
