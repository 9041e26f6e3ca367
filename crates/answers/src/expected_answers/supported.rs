//! Counts the facts of an answer that a text supports.

use std::fmt;

use serde::Serialize;

/// The number of an answer's facts that a text supports. It prints as a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SupportedFacts {
    /// The number of supported facts.
    pub supported: usize,
    /// The number of all facts, at least 1.
    pub all: usize,
    /// The number of facts without a usable judgment. They count as not supported.
    #[serde(skip_serializing_if = "is_none")]
    pub unknown: usize,
}

impl SupportedFacts {
    /// Returns the supported share, from 0 to 1; facts without a usable judgment count as not supported.
    pub fn share(self) -> f64 {
        self.supported as f64 / self.all.max(1) as f64
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

impl fmt::Display for SupportedFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} facts", self.supported, self.all)?;
        if self.unknown > 0 { write!(f, ", {} without a judgment", self.unknown) } else { Ok(()) }
    }
}
