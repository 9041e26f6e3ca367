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

    #[test]
    fn every_list_is_that_of_the_source() {
        for (language, _) in LISTS {
            let words: Vec<&str> = stop_words(language).collect();
            assert_eq!(words, ::stop_words::get(language), "{language}");
        }
        assert!(LISTS.len() > 10);
    }
}
