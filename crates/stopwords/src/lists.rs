//! The lists, in the form that `build.rs` writes.

include!(concat!(env!("OUT_DIR"), "/lists.rs"));

/// Returns the stop words of a language (ISO 639-1), in the order of NLTK's file; none of a language that has no list
/// here.
pub fn stop_words(language: &str) -> impl Iterator<Item = &'static str> {
    let list = LISTS.iter().find(|(name, _)| *name == language).map_or("", |(_, words)| *words);
    list.lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of words in NLTK's files, as the crate stop-words 0.9.0 has them (`grep -c .`).
    #[test]
    fn every_list_is_whole() {
        let words = [
            ("ar", 248),
            ("da", 94),
            ("de", 232),
            ("el", 265),
            ("en", 179),
            ("es", 313),
            ("fr", 157),
            ("hu", 199),
            ("it", 279),
            ("nl", 101),
            ("no", 176),
            ("pt", 204),
            ("ro", 356),
            ("ru", 151),
            ("sv", 114),
            ("tr", 53),
        ];
        assert_eq!(
            LISTS.iter().map(|(name, _)| (*name, stop_words(name).count())).collect::<Vec<_>>(),
            words
        );
        assert!(stop_words("de").eq(stop_words("de").map(str::trim).filter(|word| !word.is_empty())));
    }
}
