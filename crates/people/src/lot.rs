//! Random numbers that order pairs without revealing a ranking.

use llull_core::Seed;

/// Returns a number that depends on purpose, seed and identifiers alone.
///
/// A shuffle of places would not do: places follow the systems' rankings, and the seed is on the sheet, so an annotator
/// could undo the shuffle.
pub fn lot<'a>(seed: Seed, purpose: &str, topic: &str, documents: impl IntoIterator<Item = &'a str>) -> u64 {
    // With lengths, no two pairs give the same text.
    let mut text = format!("{purpose} {}:{topic}", topic.len());
    for id in documents {
        text.push_str(&format!(" {}:{id}", id.len()));
    }
    seed.stream(&text)
}
