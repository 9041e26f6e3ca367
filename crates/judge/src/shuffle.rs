//! Shuffles by a seed, the same on every machine and for ever.

use llull_core::SplitMix64;

/// Shuffles items by the method of Fisher and Yates over the stream of [`SplitMix64`]. One seed and number of items
/// always give the same order.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut stream = SplitMix64::new(seed);
    for last in (1..items.len()).rev() {
        // The remainder favours small numbers by less than one in 2^48 for the 65,536 documents that a verdict can
        // tell apart.
        let other = stream.next_u64() % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}
