//! The decision of a comparison: better, worse or inconclusive.

use std::fmt;

use serde::Serialize;

use crate::least_topics::least_topics;

/// The decision of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The whole interval of the difference lies above 0: the candidate is better.
    Better,
    /// The whole interval lies below 0: the candidate is worse.
    Worse,
    /// These queries do not decide. This does not mean that the two are equally good.
    Inconclusive,
}

impl Decision {
    /// Decides by the ends of the difference's interval: the whole of it has to lie on one side of 0, on queries that
    /// could decide.
    pub fn of(low: f64, high: f64, undecidable: Option<Undecidable>) -> Self {
        match undecidable {
            None if low > 0.0 => Self::Better,
            None if high < 0.0 => Self::Worse,
            _ => Self::Inconclusive,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// Why no figures on these queries could decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Undecidable {
    /// The two systems have the same value on every query.
    Identical,
    /// They differ on so few queries that, even if all of them favoured one side, a fair coin would do the same too
    /// often: a two-sided sign test cannot fall below 2^(1 - differing). Bootstrap intervals are too narrow there.
    TooFewTopics {
        /// The number of queries with different values.
        differing: usize,
        /// The number of them that the confidence requires: 6 at 95%.
        needed: usize,
    },
}

impl Undecidable {
    /// Returns the reason why a difference on so few queries cannot be significant; `None` if it can.
    pub(super) fn of(differing: usize, confidence: f64) -> Option<Self> {
        let needed = least_topics(confidence);
        match differing {
            0 => Some(Self::Identical),
            differing if differing < needed => Some(Self::TooFewTopics { differing, needed }),
            _ => None,
        }
    }
}

impl fmt::Display for Undecidable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Identical => f.write_str("the two have the same value on every query"),
            Self::TooFewTopics { differing: 1, needed } => {
                write!(f, "the two differ on 1 query only; at least {needed} are needed to tell them apart")
            }
            Self::TooFewTopics { differing, needed } => {
                write!(
                    f,
                    "the two differ on {differing} queries only; at least {needed} are needed to tell them apart"
                )
            }
        }
    }
}
