//! A vocabulary of invented words, with the frequencies of a language.

use rand::{Rng, RngExt};

/// Words by rank, with frequencies by Zipf's law: the word of rank r is drawn in proportion to 1/r (G. Zipf, "Human
/// Behavior and the Principle of Least Effort", 1949).
#[derive(Debug)]
pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// Sums of the weights up to and including each word.
    sums: Vec<f64>,
}

const ONSETS: [&str; 16] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr"];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

impl Vocabulary {
    /// Returns a vocabulary of this size. Frequent words are short, as in a language; all words differ.
    pub(crate) fn new(size: usize) -> Self {
        let weights = (1..=size).map(|rank| 1.0 / rank as f64);
        let sums = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { words: (0..size).map(word).collect(), sums: sums.collect() }
    }

    /// Draws a word by its frequency.
    pub(crate) fn draw(&self, rng: &mut impl Rng) -> &str {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let point = rng.random::<f64>() * total;
        self.at(self.sums.partition_point(|sum| *sum < point))
    }

    /// Draws a content word: evenly from the ranks that are neither frequent nor rare.
    pub(crate) fn draw_content(&self, rng: &mut impl Rng) -> &str {
        let (low, high) = (self.words.len() / 100, self.words.len() / 4);
        self.at(low + (rng.random::<f64>() * (high - low) as f64) as usize)
    }

    fn at(&self, rank: usize) -> &str {
        self.words.get(rank).or(self.words.last()).map_or("", String::as_str)
    }
}

/// Returns the word of this rank: its digits to the base of all syllables.
fn word(rank: usize) -> String {
    let syllables = ONSETS.len() * VOWELS.len();
    let mut text = String::new();
    // Counts from 1 without a zero digit, so that no word repeats another's syllables.
    let mut rest = rank + 1;
    while rest > 0 {
        let digit = (rest - 1) % syllables;
        text.push_str(ONSETS[digit / VOWELS.len()]);
        text.push_str(VOWELS[digit % VOWELS.len()]);
        rest = (rest - 1) / syllables;
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn words_differ_and_the_frequent_are_short() {
        let words = Vocabulary::new(20_000);
        let distinct: std::collections::BTreeSet<_> = words.words.iter().collect();
        assert_eq!(distinct.len(), 20_000);
        assert!(words.words[0].len() <= 3 && words.words[19_999].len() >= 6);
    }

    #[test]
    fn frequencies_fall_with_the_rank() {
        let words = Vocabulary::new(1000);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = BTreeMap::<&str, usize>::new();
        for _ in 0..50_000 {
            *counts.entry(words.draw(&mut rng)).or_default() += 1;
        }
        let count = |rank: usize| counts[words.words[rank].as_str()] as f64;
        // the first word is ten times as frequent as the tenth, within sampling error
        assert!((8.0..12.0).contains(&(count(0) / count(9))), "{}", count(0) / count(9));
    }
}
