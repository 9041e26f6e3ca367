//! Shuffling by a seed, the same on every machine and for ever.

/// Fisher and Yates's shuffle over the stream of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): always alike for one seed
/// and number of items.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut stream = SplitMix64(seed);
    for last in (1..items.len()).rev() {
        // The remainder favours small numbers by less than one in 2^48 for the 65,536 documents that a verdict can tell apart.
        let other = stream.next() % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}

struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the seed 1234567, as published with the reference implementations
    /// (<https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>).
    #[test]
    fn the_stream_is_splitmix64() {
        let mut stream = SplitMix64(1_234_567);
        let first: Vec<_> = (0..5).map(|_| stream.next()).collect();
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
