//! What keeps a statistic from being computed.

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There is not one value.
    #[error("there are no values to compute from: at least one topic is needed")]
    Empty,
    /// The values are finite, and their sum is not.
    #[error("the values add up to more than can be computed: bring them onto a smaller scale")]
    TooLarge,
    /// A paired comparison needs the same topics on both sides.
    #[error(
        "the baseline has {baseline} values and the candidate {candidate}: compare both over the same topics"
    )]
    Unpaired {
        /// How many values the baseline has.
        baseline: usize,
        /// How many values the candidate has.
        candidate: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {index} (counted from 0) is {value}, not a finite number")]
    NotFinite {
        /// Where it stands.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A confidence is a share strictly between 0 and 1.
    #[error("a confidence of {0} cannot be: it lies between 0 and 1, 0.95 for instance")]
    Confidence(f64),
    /// Too few resamples for an interval's ends to be among them.
    #[error(
        "{resamples} resamples are too few for a confidence of {confidence}: use at least {needed}, better 10000"
    )]
    Resamples {
        /// How many were asked for.
        resamples: usize,
        /// The confidence that was asked for.
        confidence: f64,
        /// The least number at which one resample lies beyond each end.
        needed: usize,
    },
    /// A share counts more than there are.
    #[error("{count} of {n} is no share: the part cannot be larger than the whole")]
    Share {
        /// How many are counted.
        count: u64,
        /// How many there are.
        n: u64,
    },
    /// A significance level is a share strictly between 0 and 1.
    #[error("a significance level of {0} cannot be: it lies between 0 and 1, 0.05 for instance")]
    Significance(f64),
    /// A power is a share strictly between 0 and 1.
    #[error("a power of {0} cannot be: it lies between 0 and 1, 0.8 for instance")]
    Power(f64),
    /// An effect that is not a number has no power.
    #[error("an effect of {0} cannot be: it is a finite number")]
    Effect(f64),
    /// A p is a probability.
    #[error("p {index} (counted from 0) is {value}, not a probability")]
    Probability {
        /// Where it stands.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// Nothing to draw, or more than can be counted.
    #[error("{0} permutations cannot be drawn: use 10000 for instance")]
    Permutations(usize),
    /// Systems are compared over the same topics.
    #[error(
        "system {system} (counted from 0) has {found} values and the first one {expected}: compare all over the same topics"
    )]
    Ragged {
        /// Which system.
        system: usize,
        /// How many values it has.
        found: usize,
        /// How many the first one has.
        expected: usize,
    },
    /// There is no such system.
    #[error("there is no system {system} among {systems} (counted from 0)")]
    NoSystem {
        /// Which was asked for.
        system: usize,
        /// How many there are.
        systems: usize,
    },
    /// The margins of an equivalence enclose nothing.
    #[error(
        "margins from {low} to {high} cannot be: the lower one is below the upper one, -0.01 to 0.01 for instance"
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

    pub(crate) fn unless_confidence(confidence: f64) -> Result<(), Self> {
        if confidence > 0.0 && confidence < 1.0 { Ok(()) } else { Err(Self::Confidence(confidence)) }
    }

    pub(crate) fn unless_significance(significance: f64) -> Result<(), Self> {
        if significance > 0.0 && significance < 1.0 { Ok(()) } else { Err(Self::Significance(significance)) }
    }
}
