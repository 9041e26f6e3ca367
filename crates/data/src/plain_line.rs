//! Finds all columns of a plain line at once.

use crate::decimal::{parse_last_of_eight, parse_plain};

/// A line of exactly `N` words with a single blank or tab between, no other white space or control character, and a
/// line feed, all within 64 bytes. Nearly every line of a run or of qrels is one.
#[derive(Clone, Copy)]
pub(crate) struct PlainLine<'a, const N: usize> {
    line: &'a str,
    /// The line and the bytes after it.
    block: &'a [u8; 64],
    /// Where each word ends.
    ends: [u8; N],
}

impl<'a, const N: usize> PlainLine<'a, N> {
    /// Returns the line with which a text begins, unless it is of another shape.
    #[inline(always)]
    pub(crate) fn at_start_of(text: &'a str) -> Option<Self> {
        let block: &[u8; 64] = text.as_bytes().first_chunk()?;
        let mut low = low_bytes(&block[..NEAR]);
        let ends = ends_of(low).or_else(|| {
            low |= low_bytes(&block[NEAR..]) << NEAR;
            ends_of(low)
        })?;
        // A word is empty if two such bytes are neighbours, or if one is first.
        let neighbours = low & ((low << 1) | 1);
        let (&last, between) = ends.split_last()?;
        let blank = |end: &u8| matches!(block[usize::from(*end & 63)], b' ' | b'\t');
        if neighbours & (u64::MAX >> (63 - last)) != 0
            || block[usize::from(last & 63)] != b'\n'
            || !between.iter().all(blank)
        {
            return None;
        }
        Some(Self { line: text.get(..usize::from(last))?, block, ends })
    }

    /// Returns the length of the line with its end.
    pub(crate) fn len(&self) -> usize {
        self.line.len() + 1
    }

    /// Returns a word by its place, from 0; an empty one beyond the last.
    #[inline(always)]
    pub(crate) fn word(&self, place: usize) -> &'a str {
        let (start, end) = self.span(place);
        self.line.get(start..end).unwrap_or_default()
    }

    /// Returns the value of a word. `None` if it is not a plain decimal; it may still be a number of another form.
    #[inline(always)]
    pub(crate) fn decimal(&self, place: usize) -> Option<f64> {
        let (start, end) = self.span(place);
        let eight = end.checked_sub(8).and_then(|from| self.block.get(from..end)?.first_chunk());
        let short = eight.and_then(|eight| parse_last_of_eight(*eight, end - start));
        short.or_else(|| parse_plain(self.word(place)))
    }

    #[inline(always)]
    fn span(&self, place: usize) -> (usize, usize) {
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1);
        let end = self.ends.get(place).copied().unwrap_or_default();
        (usize::from(start), usize::from(end))
    }
}

/// Most lines end within so many bytes, so the rest of the block need not be searched.
const NEAR: usize = 40;

/// Returns the places of the lowest `N` bits, at least one; `None` if fewer are set.
#[inline(always)]
fn ends_of<const N: usize>(mut low: u64) -> Option<[u8; N]> {
    let (mut ends, mut above) = ([0; N], 0);
    for end in &mut ends {
        above = low;
        // 64 if no bit is left, which the mask makes 0.
        *end = low.trailing_zeros() as u8 & 63;
        low &= low.wrapping_sub(1);
    }
    (above != 0).then_some(ends)
}

/// Returns which of at most 64 bytes are a blank or below, the first in the lowest bit.
#[inline(always)]
fn low_bytes(block: &[u8]) -> u64 {
    let (eights, _) = block.as_chunks();
    let low = eights.iter().map(|eight| low_of_eight(u64::from_le_bytes(*eight)));
    low.rev().fold(0, |above, low| above << 8 | low)
}

/// Returns which of eight bytes are a blank or below.
///
/// The lower seven bits of a byte, and 0x5f, together reach the eighth bit if they are above 0x20, and carry no
/// further. The product gathers the eight eighth bits in the highest byte.
#[inline(always)]
fn low_of_eight(bytes: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let above = ((bytes & (ONES * 0x7f)) + ONES * 0x5f) | bytes;
    let low = !above & (ONES * 0x80);
    (low >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words<const N: usize>(text: &str) -> Option<Vec<&str>> {
        PlainLine::<N>::at_start_of(text).map(|line| (0..N).map(|place| line.word(place)).collect())
    }

    proptest! {
        #[test]
        fn the_words_are_those_of_the_standard_library(
            text in "([a-zé\u{7f}\u{85}]{1,3}[a-z0-9.\u{10ffff}]{0,5}[ \t]){2}[a-z0-9é]{1,12}[\u{0}-\u{20}]?\n.{70}",
        ) {
            let (line, _) = text.split_once('\n').unwrap();
            let plain = line.len() < 64 && line.bytes().filter(|byte| *byte <= b' ').count() == 2;
            let expected: Vec<&str> = line.split_ascii_whitespace().collect();
            prop_assert_eq!(words::<3>(&text), plain.then_some(expected));
            prop_assert_eq!(words::<2>(&text), None);
        }

        #[test]
        fn any_eight_bytes(bytes in any::<[u8; 8]>()) {
            let expected = bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(*byte <= b' '));
            prop_assert_eq!(low_of_eight(u64::from_le_bytes(bytes)), expected);
        }
    }

    #[test]
    fn other_shapes_are_none() {
        let behind = "x".repeat(64);
        assert_eq!(words::<2>(&format!("a b\n{behind}")), Some(vec!["a", "b"]));
        assert_eq!(PlainLine::<2>::at_start_of(&format!("a b\n{behind}")).unwrap().len(), 4);
        for line in [
            "a b",
            "a\n",
            " a b\n",
            "a b \n",
            "a  b\n",
            "a b\r\n",
            "a\u{b}b\n",
            "a b c\n",
            "a\nb\n",
            "\n\n",
            "a b",
        ] {
            assert_eq!(words::<2>(&format!("{line}{behind}")), None, "{line:?}");
        }
        let long = "x".repeat(62);
        assert_eq!(words::<2>(&format!("{long} b\n{behind}")), None);
        assert_eq!(words::<2>(&format!("{} b\n{behind}", &long[1..])).unwrap().len(), 2);
    }
}
