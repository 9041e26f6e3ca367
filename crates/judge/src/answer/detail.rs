//! The wording of reasons for unparsable replies.

use llull_core::{Reason, Unusable};

/// The longest detail, in characters.
pub(super) const LONGEST: usize = 200;

/// How much of a reply a detail quotes, in characters.
const QUOTED: usize = 60;

/// Returns the reason with its detail, shortened.
pub(super) fn unusable(reason: Reason, detail: impl Into<String>) -> Unusable {
    Unusable { reason, detail: shorten(&detail.into(), LONGEST) }
}

/// Quotes the beginning of a text, on one line.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", shorten(text, QUOTED))
}

/// Returns at most `longest` characters of `text`, with single spaces for white space and control characters, and
/// `…` if it goes on.
fn shorten(text: &str, longest: usize) -> String {
    let mut short = String::new();
    let (mut count, mut gap) = (0, false);
    for c in text.trim().chars() {
        if c.is_whitespace() || c.is_control() {
            gap = true;
            continue;
        }
        if count + usize::from(gap) + 1 >= longest {
            short.push('…');
            return short;
        }
        if std::mem::take(&mut gap) {
            short.push(' ');
            count += 1;
        }
        short.push(c);
        count += 1;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_short_and_on_one_line() {
        assert_eq!(quote(" a\n\tb\u{0}c "), "`a b c`");
        assert_eq!(quote(&"é".repeat(500)).chars().count(), QUOTED + 2);
        let detail = unusable(Reason::NoAnswer, "x y ".repeat(300)).detail;
        assert!(detail.chars().count() <= LONGEST && detail.ends_with('…'), "{detail}");
    }
}
