//! What is said about a reply that cannot be counted.

use llull_core::{Reason, Unusable};

/// No detail is longer than this, in characters.
pub(super) const LONGEST: usize = 200;

/// How much of a reply a detail quotes, in characters.
const QUOTED: usize = 60;

/// The defect, with its detail kept short.
pub(super) fn unusable(reason: Reason, detail: impl Into<String>) -> Unusable {
    Unusable { reason, detail: shorten(&detail.into(), LONGEST) }
}

/// The beginning of some text on one line, in quotation marks.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", shorten(text, QUOTED))
}

/// At most `longest` characters of `text`, white space and control characters as single spaces, `…` where it goes on.
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
