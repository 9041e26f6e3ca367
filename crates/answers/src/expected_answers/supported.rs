//! How many facts of an answer a text supports.

use std::fmt;

use serde::Serialize;

/// How many facts of an answer a text supports. It prints as a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SupportedFacts {
    /// How many it supports.
    pub supported: usize,
    /// How many there are, at least 1.
    pub all: usize,
    /// Of how many the judge said nothing usable. They count as not supported.
    #[serde(skip_serializing_if = "is_none")]
    pub unknown: usize,
}

impl SupportedFacts {
    /// Returns the share that it supports, from 0 to 1; facts without a usable judgment count as not supported.
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
