//! A topic's labels, made ready to be looked up for every document of run after run.

use std::hash::Hasher;

use llull_core::{Grade, TopicQrels};
use rustc_hash::FxHasher;

/// An open-addressed table, at least half empty, whose slots hold half of an identifier's hash beside its place among the labels. Most retrieved
/// documents have no label, and nearly all of these end at a bit that is not set.
pub(crate) struct Lookup<'a> {
    labels: &'a TopicQrels,
    /// One bit a label, among at least 16 times as many.
    bits: Vec<u64>,
    slots: Vec<u64>,
}

/// The half of a hash that a slot holds.
const TAG: u64 = !(u32::MAX as u64);

impl<'a> Lookup<'a> {
    pub(crate) fn new(labels: &'a TopicQrels) -> Self {
        let mut slots = vec![0; (labels.len() * 2).next_power_of_two()];
        let mut bits = vec![0; (labels.len() / 4 + 1).next_power_of_two()];
        let mask = slots.len() - 1;
        for (place, document) in labels.keys().enumerate() {
            let hash = hash(document);
            let (word, bit) = bit_of(hash, bits.len());
            bits[word] |= bit;
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = (hash & TAG) | (place as u64 + 1);
        }
        Self { labels, bits, slots }
    }

    /// The grade of a document; `None` when it is unjudged.
    pub(crate) fn get(&self, document: &str) -> Option<Grade> {
        let hash = hash(document);
        let (word, bit) = bit_of(hash, self.bits.len());
        if self.bits[word] & bit == 0 {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            // A topic without labels has one slot, which is empty.
            if slot == 0 {
                return None;
            }
            if slot & TAG == hash & TAG {
                let place = (slot & !TAG) as usize - 1;
                match self.labels.get_index(place) {
                    Some((known, grade)) if **known == *document => return Some(*grade),
                    _ => {}
                }
            }
            at = (at + 1) & mask;
        }
    }
}

/// A word, of a power of two, and the bit in it, by parts of the hash that do not say which slot.
fn bit_of(hash: u64, words: usize) -> (usize, u64) {
    ((hash >> 26) as usize & (words - 1), 1 << (hash >> 58))
}

fn hash(document: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(document.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_knows_what_the_labels_know(
            labels in proptest::collection::vec(("[ab]{0,4}|[0-9]{1,9}", any::<i32>()), 0..80),
            others in proptest::collection::vec("[ab]{0,4}|[0-9]{1,9}", 0..80),
        ) {
            let labels: TopicQrels = labels.into_iter().map(|(document, grade)| (document.into(), grade)).collect();
            let lookup = Lookup::new(&labels);
            for document in labels.keys().map(|document| &**document).chain(others.iter().map(String::as_str)) {
                prop_assert_eq!(lookup.get(document), labels.get(document).copied());
            }
        }
    }
}
