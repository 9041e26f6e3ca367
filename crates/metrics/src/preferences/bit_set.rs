//! A set of small numbers.

/// A set of small numbers.
#[derive(Clone)]
pub(super) struct BitSet(Vec<u64>);

impl BitSet {
    /// An empty set of numbers below `length`.
    pub(super) fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Adds the numbers of another set of the same length.
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }
}
