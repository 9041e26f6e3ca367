//! Text that cannot become HTML.

use super::visible_line;

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
