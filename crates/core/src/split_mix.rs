//! SplitMix64: a small generator of pseudorandom numbers.

/// A stream of pseudorandom numbers by SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators, OOPSLA 2014; with the constants of Sebastiano Vigna's <https://prng.di.unimi.it/splitmix64.c>).
///
/// A number costs one addition and two multiplications, and a stream costs nothing to create, so every answer of a
/// simulated judge can have its own stream. A state gives the same stream on every machine and in all versions. The
/// generator is not cryptographically secure.
///
/// ```
/// use llull_core::SplitMix64;
///
/// let mut stream = SplitMix64::new(1_234_567);
/// assert_eq!([stream.next_u64(), stream.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The increment of the state before each number: 2^64 divided by the golden ratio.
    pub const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Creates the stream that starts from `state`.
    #[inline]
    pub const fn new(state: u64) -> Self {
        Self { state }
    }

    /// Returns the next 64 bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(Self::INCREMENT);
        Self::mix(self.state)
    }

    /// Maps 64 bits one to one to 64 bits that look unrelated: the finaliser of SplitMix64.
    #[inline]
    pub const fn mix(mut bits: u64) -> u64 {
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the state 1234567, as the reference implementation gives them and as published at
    /// <https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>.
    #[test]
    fn the_stream_is_that_of_the_reference_implementation() {
        let mut stream = SplitMix64::new(1_234_567);
        let first: Vec<_> = (0..5).map(|_| stream.next_u64()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }
}
