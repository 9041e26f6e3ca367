//! Text that cannot become markup, or act on a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` as one line of Markdown that only shows it: it cannot become HTML, a link, an image, emphasis, a table cell,
/// a heading or a list. It is safe in a paragraph, in a table's cell and inside an HTML element, because it escapes by
/// character references, which mean the same in all three.
///
/// White space runs become one space. Control characters, marks that reverse the direction of text, and characters
/// without width would let a document forge the text around it; each becomes `�`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut before: Option<char> = None;
    let mut chars =
        text.split_whitespace().flat_map(|word| [" ", word]).skip(1).flat_map(str::chars).peekable();
    let mut only_digits = true;
    while let Some(c) = chars.next() {
        let after = chars.peek().copied();
        let at_start = before.is_none();
        match c {
            _ if is_invisible(c) => out.push('\u{fffd}'),
            // A number with a sign begins no list.
            '-' | '+' if at_start && !after.is_some_and(|c| c.is_ascii_digit()) => refer(&mut out, c),
            _ if is_markup(c, before, after) || (at_start && "=[:".contains(c)) => refer(&mut out, c),
            // `1.` and `1)` begin a list.
            '.' | ')' if only_digits && !at_start && after.is_none_or(|c| c == ' ') => refer(&mut out, c),
            // `www.` and `https://` are links without any brackets.
            '.' if out.ends_with("www") => refer(&mut out, c),
            _ => out.push(c),
        }
        only_digits &= c.is_ascii_digit();
        before = Some(c);
    }
    out
}

fn is_markup(c: char, before: Option<char>, after: Option<char>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '&' | '<' | '>' | '|' | '\\' | '`' | '*' | '~' | '$' => true,
        // An underscore inside a word, as identifiers have them, is no emphasis.
        '_' => !(is_word(before) && is_word(after)),
        // These make a bracket a link, or a definition of one.
        ']' => matches!(after, Some('(' | '[' | ':')),
        ':' => after == Some('/'),
        // A heading's beginning, or its closing row.
        '#' => !is_word(before),
        _ => false,
    }
}

/// Control characters, direction marks and characters without width, except the two joiners that scripts need.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn refer(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        _ => {
            // Writing to a String does not fail.
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
}

/// `text` as HTML shows it, in an element or in a quoted attribute: it cannot become a tag, an attribute or a
/// reference. Control characters, marks that reverse the direction of text, and characters without width are written
/// as [escapes](super::visible_line).
///
/// ```
/// use llull_report::text::escape_html;
/// assert_eq!(escape_html("<b a='x'>\u{202e}&"), "&lt;b a=&#39;x&#39;&gt;\\u202e&amp;");
/// ```
pub fn escape_html(text: &str) -> String {
    let seen = visible_line(text);
    let mut out = String::with_capacity(seen.len() + seen.len() / 8);
    for c in seen.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            _ => out.push(c),
        }
    }
    out
}

/// `text` with every character that would act on a terminal written as its escape: `\u001b` for ESC. These are control
/// characters (ESC, CSI, DEL, carriage return ...), marks that reverse the direction of text, and characters without
/// width. Line ends, tabs and the two joiners that scripts need stay. The escapes are those of JSON, so the text has
/// the same meaning in JSON afterwards.
///
/// ```
/// use llull_report::text::visible;
/// assert_eq!(visible("d1\u{1b}]0;title\u{7}\n"), "d1\\u001b]0;title\\u0007\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    written(text, |c| acts(c) && !matches!(c, '\n' | '\t'))
}

/// `text` as [`visible`] returns it, on one line: no name or identifier can end or begin a line.
///
/// ```
/// use llull_report::text::visible_line;
/// assert_eq!(visible_line("d1\nerror: no"), "d1\\u000aerror: no");
/// ```
pub fn visible_line(text: &str) -> Cow<'_, str> {
    written(text, acts)
}

/// Whether a character acts on a terminal, or is invisible there.
fn acts(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

fn written(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hides) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hides(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequences that terminals act on, with the visible text for each.
    #[test]
    fn nothing_acts_on_a_terminal() {
        let hostile = [
            ("\u{1b}[2J", "\\u001b[2J"),
            ("\u{1b}]8;;http://a.test\u{1b}\\", "\\u001b]8;;http://a.test\\u001b\\"),
            ("\u{9b}31m", "\\u009b31m"),
            ("\u{9d}0;t\u{9c}", "\\u009d0;t\\u009c"),
            ("a\rb", "a\\u000db"),
            ("a\u{8}\u{7f}\u{0}", "a\\u0008\\u007f\\u0000"),
            ("\u{202e}fdp.\u{2066}", "\\u202efdp.\\u2066"),
            ("a\u{2028}b\u{feff}", "a\\u2028b\\ufeff"),
            ("\u{e0041}", "\\udb40\\udc41"),
        ];
        for (text, seen) in hostile {
            assert_eq!(visible(text), seen);
            let json = serde_json::Value::from(text).to_string();
            let same: serde_json::Value = serde_json::from_str(&visible(&json)).unwrap();
            assert_eq!(same, text, "JSON says the same");
        }
        let harmless = "a\tb\nté 数\u{200d}é";
        assert!(matches!(visible(harmless), Cow::Borrowed(_)));
        assert_eq!(visible_line(harmless), "a\\u0009b\\u000até 数\u{200d}é");
    }
}
