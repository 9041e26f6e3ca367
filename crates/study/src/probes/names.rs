//! Recognizes names and numbers by their spelling in documents.

/// A word with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The position of its first byte.
    pub(super) start: usize,
    /// The word: a run of letters and digits.
    pub(super) word: &'a str,
    /// Whether a sentence or a line may begin here, so that any word has a capital.
    pub(super) begins: bool,
}

pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = 0;
    let mut begins = true;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(char::is_alphanumeric)?;
        let between = text.get(rest..start).unwrap_or_default();
        begins |= between.contains(|c: char| c == '\n' || (!c.is_whitespace() && c != ',' && c != '\''));
        let tail = text.get(start..)?;
        let length = tail.find(|c: char| !c.is_alphanumeric()).unwrap_or(tail.len());
        rest = start + length;
        let word = Word { start, word: tail.get(..length)?, begins };
        begins = false;
        Some(word)
    })
}

/// Returns whether a word is a number: digits alone.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word has a capital first letter and is long enough for a name.
pub(super) fn is_capitalised(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_lines_and_quotes_begin_anew_and_commas_do_not() {
        let found: Vec<_> = words("In Paris, Anna's dog (Rex). Then\nLe Mans: 1923").collect();
        let flags: Vec<_> = found.iter().map(|word| (word.word, word.begins)).collect();
        assert_eq!(
            flags,
            [
                ("In", true),
                ("Paris", false),
                ("Anna", false),
                ("s", false),
                ("dog", false),
                ("Rex", true),
                ("Then", true),
                ("Le", true),
                ("Mans", false),
                ("1923", true),
            ]
        );
        assert_eq!(found.last().map(|word| word.start), Some(42));
        assert_eq!(words(" ... ").count(), 0);
        assert!(is_capitalised("Éa") && !is_capitalised("X") && !is_capitalised("x1") && is_number("007"));
    }
}
