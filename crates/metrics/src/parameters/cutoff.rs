//! The rank down to which a measure reads.

use std::fmt;
use std::num::NonZeroU32;

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
