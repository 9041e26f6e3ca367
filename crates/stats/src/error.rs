//! What keeps a statistic from being computed.

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There is not one value.
    #[error("there are no values to compute from: at least one topic is needed")]
    Empty,
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
}
