//! Random numbers for parallel draws, independent of the number of cores.

use llull_core::Seed;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of draws that share one random stream. A constant, so that neither the number of cores nor their timing
/// has any effect.
pub(crate) const CHUNK: usize = 256;

/// The random streams of one purpose: chunk `i` of the draws uses stream `i` of one ChaCha8 generator.
#[derive(Clone, Copy)]
pub(crate) struct RandomStreams {
    key: [u8; 32],
}

impl RandomStreams {
    pub(crate) fn new(seed: Seed, purpose: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.stream(purpose).to_le_bytes());
        Self { key }
    }

    pub(crate) fn chunk(&self, number: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream(number as u64);
        rng
    }
}

/// Draws a whole number from 0 to `length` - 1, as [`place_of`] a 32-bit draw.
pub(crate) fn below(length: usize, rng: &mut impl Rng) -> usize {
    place_of(rng.next_u32(), length)
}

/// Returns a whole number from 0 to `length` - 1: the high half of a 32-bit draw times the length (Lemire, Fast random
/// integer generation in an interval, TOMACS 29(1), 2019), without its rejection step. The bias is below
/// length / 2^32, and the draws stay the same whatever a later version of `rand` does.
#[inline]
pub(crate) fn place_of(draw: u32, length: usize) -> usize {
    ((u64::from(draw) * length as u64) >> 32) as usize
}
