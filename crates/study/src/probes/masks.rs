//! Masks words of documents.
//!
//! The texts are still about the query, but no longer those that a model may have read.

use llull_core::Seed;
use rustc_hash::FxHashSet;

use super::names::{is_number, words};

/// The replacement of a masked word.
const MASK: &str = "___";

/// One of this many words that are no names is masked.
const ONE_IN: u64 = 5;

/// Returns a document's text without its names and numbers and without a random fifth of its other words. Words of the
/// query stay. `None` if nothing is masked.
pub(super) fn masked(names: &FxHashSet<String>, seed: Seed, query: &str, text: &str) -> Option<String> {
    let asked: FxHashSet<String> = words(query).map(|word| word.word.to_lowercase()).collect();
    let mut turn = seed.stream(&format!("mask for {}:{query}: {text}", query.len())) % ONE_IN;
    let (mut changed, mut copied) = (String::with_capacity(text.len()), 0);
    for word in words(text) {
        let lower = word.word.to_lowercase();
        if asked.contains(&lower) {
            continue;
        }
        turn = (turn + 1) % ONE_IN;
        if turn == 0 || is_number(&lower) || names.contains(&lower) {
            changed.push_str(text.get(copied..word.start)?);
            changed.push_str(MASK);
            copied = word.start + word.word.len();
        }
    }
    changed.push_str(text.get(copied..)?);
    (copied > 0).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_one_word_in_five_give_way_and_the_querys_words_stay() {
        let names: FxHashSet<String> = ["paris", "eiffel"].map(str::to_owned).into_iter().collect();
        let mask = |seed, text: &str| masked(&names, Seed(seed), "tower of Paris", text);
        let text = "The tower of Paris was built by Eiffel in 1889.";
        let one = mask(1, text).unwrap();
        assert!(one.contains("tower of Paris") && !one.contains("Eiffel") && !one.contains("1889"), "{one}");
        assert_eq!((mask(1, text), mask(1, "tower, of Paris")), (Some(one), None));
        let long = "and so on ".repeat(200);
        let count = |seed| mask(seed, &long).unwrap().matches(MASK).count();
        assert!((119..=121).contains(&count(1)), "{}", count(1));
        let drawn: std::collections::BTreeSet<_> = (0..40).map(|seed| mask(seed, &long)).collect();
        assert_eq!(drawn.len(), 5);
    }
}
