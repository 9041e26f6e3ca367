//! Text that cannot become markup.

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
