//! The lines of a chunk that are neither blank nor comments.

use crate::{
    DataError,
    lines::{is_entry, not_utf8},
    plain_line::PlainLine,
    words::Words,
};

/// A line that is neither blank nor a comment.
pub(crate) enum Entry<'a, 'w, const N: usize> {
    /// A plain line of `N` words.
    Plain(PlainLine<'a, N>),
    /// Any line: its first word, and those behind it.
    Words(&'a str, &'w mut Words<'a>),
}

/// Passes every line of `bytes` that is neither blank nor a comment to `each`, with its number, from 1 in this chunk.
/// If `each` returns `false` for a plain line, it gets its words. Returns the number of lines.
///
/// # Errors
/// Returns the first error of `each`, or an error if such a line is not UTF-8. A comment may hold any bytes.
pub(crate) fn for_each_entry<'a, const N: usize>(
    bytes: &'a [u8],
    file: &str,
    mut each: impl FnMut(Entry<'a, '_, N>, u64) -> Result<bool, DataError>,
) -> Result<u64, DataError> {
    let mut number = 0;
    let mut rest = bytes;
    loop {
        let (lines, wrong) = match std::str::from_utf8(rest) {
            Ok(text) => (text, None),
            Err(error) => {
                let (valid, _) = rest.split_at(error.valid_up_to());
                let start = memchr::memrchr(b'\n', valid).map_or(0, |end| end + 1);
                (std::str::from_utf8(&valid[..start]).unwrap_or_default(), Some((start, error.valid_up_to())))
            }
        };
        let mut words = Words::new(lines);
        while !words.is_done() {
            number += 1;
            if let Some(line) = PlainLine::at_start_of(words.rest()) {
                let length = line.len();
                if !line.word(0).starts_with('#') && each(Entry::Plain(line), number)? {
                    words.forward(length);
                    continue;
                }
            }
            if let Some(first) = words.next().filter(|first| !first.starts_with('#')) {
                each(Entry::Words(first, &mut words), number)?;
            }
            words.next_line();
        }
        let Some((start, position)) = wrong else { return Ok(number) };
        number += 1;
        if is_entry(&rest[start..]) {
            return Err(not_utf8(file, number, position - start + 1));
        }
        let end = rest[position..].iter().position(|byte| *byte == b'\n').map(|end| position + end + 1);
        rest = &rest[end.unwrap_or(rest.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_counted_and_passed_over_whatever_is_in_them() {
        let bytes = b"\n#\xff\xfe\n a b\r\n\t\r\n  # \xc3\n\xe2\x82\xac x\n#\xff";
        let mut seen = Vec::new();
        let count = for_each_entry::<2>(bytes, "file", |entry, number| {
            if let Entry::Words(first, words) = entry {
                seen.push((first, words.next(), number, words.line()));
            }
            Ok(false)
        });
        assert_eq!(count.unwrap(), 7);
        assert_eq!(seen, [("a", Some("b"), 3, " a b"), ("€", Some("x"), 6, "€ x")]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_found_behind_what_is_good() {
        let mut seen = 0;
        let error = for_each_entry::<2>(b"a\n#\xff\nb\xe2\x82\nc\n", "file", |_, _| {
            seen += 1;
            Ok(true)
        });
        let message = error.unwrap_err().to_string();
        assert!(
            message.starts_with("file line 3: found a byte that is not UTF-8 at position 2"),
            "{message}"
        );
        assert_eq!(seen, 1);
    }
}
