//! A set of words, by their numbers.

/// A set of words, by their numbers: a bit for each word of the vocabulary, since lookups of a word in a text are far
/// more frequent than readings of a text.
#[derive(Debug, Default)]
pub(super) struct WordSet {
    bits: Vec<u64>,
}

impl WordSet {
    /// Adds a word. Returns whether it is new.
    pub(super) fn insert(&mut self, word: u32) -> bool {
        let (at, bit) = place(word);
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        let Some(bits) = self.bits.get_mut(at) else { return false };
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    /// Whether it has a word.
    pub(super) fn holds(&self, word: u32) -> bool {
        let (at, bit) = place(word);
        self.bits.get(at).is_some_and(|bits| bits & bit != 0)
    }

    /// How many of these words it has.
    pub(super) fn shared(&self, words: &[u32]) -> usize {
        words.iter().filter(|word| self.holds(**word)).count()
    }
}

fn place(word: u32) -> (usize, u64) {
    (word as usize / 64, 1 << (word % 64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(
            words in prop::collection::vec(0u32..300, 0..80),
            asked in prop::collection::vec(0u32..400, 0..80),
        ) {
            let (mut known, mut set) = (BTreeSet::new(), WordSet::default());
            for word in words {
                prop_assert_eq!(set.insert(word), known.insert(word));
            }
            prop_assert_eq!(set.shared(&asked), asked.iter().filter(|word| known.contains(word)).count());
        }
    }
}
