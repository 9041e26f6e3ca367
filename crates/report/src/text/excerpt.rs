//! The beginning of a text.

/// The first words of `text` that fit in `most` characters, on one line, with `…` where something was left out.
/// Reads no further than it must, so a long document costs no more than a short one.
pub fn shorten(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let gap = usize::from(!out.is_empty());
        let room = most.saturating_sub(length + gap);
        let end = word.char_indices().nth(room).map(|(at, _)| at);
        if let Some(end) = end {
            // A first word that is too long, as in a script without spaces, is cut rather than dropped.
            if out.is_empty() {
                out.push_str(&word[..end]);
            }
            out.push('…');
            return out;
        }
        if gap == 1 {
            out.push(' ');
        }
        out.push_str(word);
        length += gap + word.chars().count();
    }
    out
}

/// The text in lines of at most `width` characters, broken between words. The first line begins with `first`, the
/// others with `rest`. A longer word has a line of its own.
///
/// ```
/// assert_eq!(llull_report::text::wrapped("one two three", 9, "- ", "  "), "- one two\n  three");
/// ```
pub fn wrapped(text: &str, width: usize, first: &str, rest: &str) -> String {
    let mut out = first.to_owned();
    let mut length = first.chars().count();
    let mut begins = true;
    for word in text.split_whitespace() {
        let size = word.chars().count();
        if !begins && length + 1 + size > width {
            out.push('\n');
            out.push_str(rest);
            length = rest.chars().count();
            begins = true;
        }
        if !begins {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += size;
        begins = false;
    }
    out
}

/// The text with a capital letter first.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
