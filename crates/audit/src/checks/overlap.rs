//! Counts the query's words in a document.

/// Returns the share of the query's different words that the text has, from 0 to 1: `None` if the query has none.
///
/// Words are runs of letters and digits, in lower case; none is left out and none is stemmed, so that the figure needs
/// no language.
///
/// ```
/// assert_eq!(llull_audit::word_overlap("What is a lobster roll?", "Rolls: a LOBSTER roll is..."), Some(0.8));
/// assert_eq!(llull_audit::word_overlap("?", "anything"), None);
/// ```
pub fn word_overlap(query: &str, text: &str) -> Option<f64> {
    let mut wanted: Vec<String> = words(query).map(str::to_lowercase).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut found = vec![false; wanted.len()];
    for word in words(text) {
        // Texts are long and most words ASCII: none is copied unless it has to be.
        let lower = (!word.is_ascii()).then(|| word.to_lowercase());
        // A query may have as many words as a text.
        let place = match &lower {
            Some(lower) => wanted.binary_search(lower),
            None => wanted.binary_search_by(|wanted| {
                wanted.bytes().cmp(word.bytes().map(|byte| byte.to_ascii_lowercase()))
            }),
        };
        if let Some(hit) = place.ok().and_then(|at| found.get_mut(at)) {
            *hit = true;
        }
    }
    let hits = found.iter().filter(|found| **found).count();
    (!wanted.is_empty()).then(|| hits as f64 / wanted.len() as f64)
}

/// Runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The plain definition: sets of words in lower case. The Kelvin sign's lower case is an ASCII letter.
        #[test]
        fn words_are_counted_as_sets(query in "[a-cA-CkéÉİ\u{212a} ,]{0,12}", text in "[a-cA-CkéÉİ\u{212a} ,]{0,40}") {
            let set = |text: &str| words(text).map(str::to_lowercase).collect::<BTreeSet<_>>();
            let (wanted, found) = (set(&query), set(&text));
            let plain = wanted.intersection(&found).count() as f64 / wanted.len() as f64;
            prop_assert_eq!(word_overlap(&query, &text), (!wanted.is_empty()).then_some(plain));
        }
    }
}
