//! Splits a text into lines and words, eight bytes at a time.

/// A position in a text that moves from word to word. Words are separated by ASCII white space, as in
/// [`str::split_ascii_whitespace`]; a line feed also ends the line.
pub(crate) struct Words<'a> {
    text: &'a str,
    line_start: usize,
    at: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, line_start: 0, at: 0 }
    }

    /// Returns whether nothing is left.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns the rest of the text.
    #[inline]
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes to a line that begins so many bytes further on.
    #[inline]
    pub(crate) fn forward(&mut self, bytes: usize) {
        self.at += bytes;
        self.line_start = self.at;
    }

    /// Returns the next word of the line; `None` at its end.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let start = self.next_start()?;
        self.at = word_end(self.text.as_bytes(), start);
        self.text.get(start..self.at)
    }

    /// Skips the next word. Returns `false` at the end of the line.
    #[inline]
    pub(crate) fn skip(&mut self) -> bool {
        let Some(start) = self.next_start() else { return false };
        self.at = word_end(self.text.as_bytes(), start);
        true
    }

    /// Goes to the next line.
    #[inline]
    pub(crate) fn next_line(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += match rest {
            [b'\n', ..] => 1,
            _ => rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1),
        };
        self.line_start = self.at;
    }

    /// Returns the whole line, without its end.
    pub(crate) fn line(&self) -> &'a str {
        let rest = self.text.get(self.line_start..).unwrap_or_default();
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Returns where the next word begins.
    #[inline]
    fn next_start(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            if !byte.is_ascii_whitespace() {
                return Some(self.at);
            }
            if byte == b'\n' {
                return None;
            }
            self.at += 1;
        }
    }
}

/// Returns the position of the first ASCII white space at or behind `start`, or the end.
#[inline]
fn word_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        while let Some(eight) = bytes.get(at..at + 8).and_then(|eight| <[u8; 8]>::try_from(eight).ok()) {
            match first_low(u64::from_le_bytes(eight)) {
                8 => at += 8,
                low => {
                    at += low;
                    break;
                }
            }
        }
        // Near the end of the text, at what is probably white space, or at another control character.
        match bytes.get(at) {
            Some(byte) if !byte.is_ascii_whitespace() => at += 1,
            _ => return at,
        }
    }
}

/// Returns the position of the first byte, from the lowest, that is a blank or below; 8 if all are above. Mycroft's
/// test for a byte less than n (Bit Twiddling Hacks, "Determine if a word has a byte less than n") errs only after the
/// first hit.
#[inline]
fn first_low(word: u64) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let low = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    low.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Against the standard library.
    fn check(text: &str) -> Result<(), TestCaseError> {
        let mut words = Words::new(text);
        for line in text.split_inclusive('\n') {
            prop_assert!(!words.is_done());
            for word in line.split_ascii_whitespace() {
                prop_assert_eq!(words.next(), Some(word));
            }
            let bare = line.strip_suffix('\n').unwrap_or(line);
            prop_assert_eq!(words.line(), bare.strip_suffix('\r').unwrap_or(bare));
            prop_assert_eq!(words.next(), None);
            prop_assert!(!words.skip());
            words.next_line();
        }
        prop_assert!(words.is_done());
        prop_assert_eq!(words.next(), None);
        Ok(())
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_standard_library(
            text in "([a-zé\u{0}-\u{20}\u{7f}\u{85}\u{a0}]{0,3}[a-z0-9\u{10ffff}]{0,20}[ \t\r\n\u{b}\u{c}]{0,2}){0,12}"
        ) {
            check(&text)?;
        }

        #[test]
        fn any_eight_bytes(word in any::<u64>()) {
            let expected = word.to_le_bytes().iter().position(|byte| *byte <= b' ').unwrap_or(8);
            prop_assert_eq!(first_low(word), expected);
        }
    }
}
