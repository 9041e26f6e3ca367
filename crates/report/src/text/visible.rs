//! Text that cannot act on a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use super::is_invisible;

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
