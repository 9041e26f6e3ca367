//! Invalid input, and reasons for a missing figure.

use std::fmt;

use serde::Serialize;

/// Why a statistic cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There are no values.
    #[error("there are no values to compute from: at least one query is needed")]
    Empty,
    /// The values are finite, but their sum is not.
    #[error("the sum of the values is too large to compute: divide them by a constant first")]
    TooLarge,
    /// A paired comparison needs the same queries on both sides.
    #[error(
        "the baseline has {baseline} values and the candidate {candidate}: compare both over the same queries"
    )]
    Unpaired {
        /// The number of values of the baseline.
        baseline: usize,
        /// The number of values of the candidate.
        candidate: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {index} (counted from 0) is {value}, not a finite number")]
    NotFinite {
        /// Its position.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Too few human labels to estimate their variance.
    #[error("{labels} human labels are too few to correct with: at least {needed} are needed here")]
    TooFewLabels {
        /// The number of labels where there are fewest.
        labels: usize,
        /// The least number that can be computed with.
        needed: usize,
    },
    /// A pair names a query that is not there.
    #[error("a pair belongs to query {query} (counted from 0), and there are {queries}")]
    NoSuchQuery {
        /// The position that it names.
        query: usize,
        /// The number of queries.
        queries: usize,
    },
    /// A count that is no share of its whole.
    #[error("{count} of {n} is no share: the count lies between 0 and their number, which is above 0")]
    NoShare {
        /// The count.
        count: f64,
        /// The number of all things.
        n: f64,
    },
    /// A confidence is not strictly between 0 and 1.
    #[error("the confidence {0} is not between 0 and 1: use 0.95, for instance")]
    Confidence(f64),
    /// Too few resamples: none of them would lie beyond the ends of the interval.
    #[error(
        "{resamples} resamples are too few for a confidence of {confidence}: use at least {needed}, better 10000"
    )]
    Resamples {
        /// The requested number of resamples.
        resamples: usize,
        /// The requested confidence.
        confidence: f64,
        /// The least number at which one resample lies beyond each end.
        needed: usize,
    },
    /// A part is larger than the whole.
    #[error("{count} of {n} is not a share: the part is larger than the whole")]
    Share {
        /// The part.
        count: u64,
        /// The whole.
        n: u64,
    },
    /// A significance level is not strictly between 0 and 1.
    #[error("the significance level {0} is not between 0 and 1: use 0.05, for instance")]
    Significance(f64),
    /// A power is not strictly between 0 and 1.
    #[error("the power {0} is not between 0 and 1: use 0.8, for instance")]
    Power(f64),
    /// An effect is NaN or infinite.
    #[error("the effect {0} is not a finite number")]
    Effect(f64),
    /// A p is not a probability.
    #[error("p {index} (counted from 0) is {value}, not a probability")]
    Probability {
        /// Its position.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The number of permutations is 0, or too large to count.
    #[error("{0} permutations cannot be drawn: use 10000, for instance")]
    Permutations(usize),
    /// The systems have different numbers of values.
    #[error(
        "system {system} (counted from 0) has {found} values and the first one {expected}: \
         compare all over the same queries"
    )]
    Ragged {
        /// The position of the system.
        system: usize,
        /// The number of values of this system.
        found: usize,
        /// The number of values of the first system.
        expected: usize,
    },
    /// There is no system at this position.
    #[error("there is no system {system} (counted from 0) among {systems}")]
    NoSystem {
        /// The requested position.
        system: usize,
        /// The number of systems.
        systems: usize,
    },
    /// The lower margin of an equivalence is not below the upper one, or a margin is not finite.
    #[error(
        "the margins {low} and {high} are invalid: use two finite numbers, the lower one first, \
         -0.01 and 0.01 for instance"
    )]
    Margins {
        /// The lower margin.
        low: f64,
        /// The upper margin.
        high: f64,
    },
}

impl StatsError {
    pub(crate) fn unless_finite(values: &[f64]) -> Result<(), Self> {
        match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            Some((index, value)) => Err(Self::NotFinite { index, value: *value }),
            None => Ok(()),
        }
    }

    /// Checks two independent samples: each needs a value, and all values are finite.
    pub(crate) fn unless_samples(baseline: &[f64], candidate: &[f64]) -> Result<(), Self> {
        Self::unless_finite(baseline)?;
        Self::unless_finite(candidate)?;
        if baseline.is_empty() || candidate.is_empty() { Err(Self::Empty) } else { Ok(()) }
    }

    pub(crate) fn unless_confidence(confidence: f64) -> Result<(), Self> {
        if is_inside_unit(confidence) { Ok(()) } else { Err(Self::Confidence(confidence)) }
    }

    pub(crate) fn unless_significance(significance: f64) -> Result<(), Self> {
        if is_inside_unit(significance) { Ok(()) } else { Err(Self::Significance(significance)) }
    }

    pub(crate) fn unless_power(power: f64) -> Result<(), Self> {
        if is_inside_unit(power) { Ok(()) } else { Err(Self::Power(power)) }
    }
}

/// Whether a share lies strictly between 0 and 1.
pub(crate) fn is_inside_unit(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

/// Why a figure is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Undefined {
    /// There are too few values.
    TooFew {
        /// The number of values.
        n: usize,
        /// The least number of values that defines the figure.
        needed: usize,
    },
    /// The two systems have the same value on every query: 0 / 0.
    Identical,
    /// All values, or all differences, are equal but not 0: the spread is 0 and the figure infinite.
    NoSpread,
    /// The values are finite, but the figure is too large to compute.
    OutOfRange,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { n, needed } => {
                write!(f, "there are too few values ({n}; at least {needed} are needed)")
            }
            Self::Identical => f.write_str("the two have the same value on every query"),
            Self::NoSpread => f.write_str("there is no spread to compare the difference with"),
            Self::OutOfRange => f.write_str("the figure is too large to compute"),
        }
    }
}
