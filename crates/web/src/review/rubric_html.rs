//! The Markdown of a rubric as HTML.
//!
//! A rubric may be a stranger's. Every tag here is written by this file; all text is escaped, HTML in it too. Links and
//! pictures are their words alone.

use llull::report::text::escape_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Markdown as HTML.
pub(super) fn markdown_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for (event, place) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            // Markdown counts on from a list's first number, but the numbers of a rubric may be its grades.
            Event::Start(Tag::Item) => match number(text.get(place).unwrap_or_default()) {
                Some(number) => html.push_str(&format!("<li value=\"{number}\">")),
                None => html.push_str("<li>"),
            },
            Event::Start(tag) => html.push_str(opening(&tag)),
            Event::End(tag) => html.push_str(closing(tag)),
            Event::Code(code) => html.push_str(&format!("<code>{}</code>", escape_html(&code))),
            Event::SoftBreak => html.push(' '),
            Event::HardBreak => html.push_str("<br>"),
            Event::Rule => html.push_str("<hr>"),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => push_lines(&text, &mut html),
            Event::TaskListMarker(_) => {}
        }
    }
    html
}

/// The number at the beginning of an item; `None` for an item of a list without numbers.
fn number(item: &str) -> Option<u32> {
    let digits = item.trim_start().split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok())
}

/// A text whose lines stay lines, each escaped.
fn push_lines(text: &str, html: &mut String) {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            html.push('\n');
        }
        html.push_str(&escape_html(line));
    }
}

fn opening(tag: &Tag<'_>) -> &'static str {
    match tag {
        Tag::Paragraph | Tag::HtmlBlock => "<p>",
        // The page has its own headings, whose levels a rubric must not break.
        Tag::Heading { .. } => "<p class=\"heading\">",
        Tag::BlockQuote(_) => "<blockquote>",
        Tag::CodeBlock(_) => "<pre>",
        Tag::List(Some(_)) => "<ol>",
        Tag::List(None) => "<ul>",
        Tag::Emphasis => "<em>",
        Tag::Strong => "<strong>",
        Tag::Table(_) => "<table>",
        Tag::TableHead | Tag::TableRow => "<tr>",
        Tag::TableCell => "<td>",
        _ => "",
    }
}

fn closing(tag: TagEnd) -> &'static str {
    match tag {
        TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) => "</p>",
        TagEnd::BlockQuote(_) => "</blockquote>",
        TagEnd::CodeBlock => "</pre>",
        TagEnd::List(true) => "</ol>",
        TagEnd::List(false) => "</ul>",
        TagEnd::Item => "</li>",
        TagEnd::Emphasis => "</em>",
        TagEnd::Strong => "</strong>",
        TagEnd::Table => "</table>",
        TagEnd::TableHead | TagEnd::TableRow => "</tr>",
        TagEnd::TableCell => "</td>",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_tags_and_lines_flow() {
        assert_eq!(
            markdown_html("# Relevance\na passage is **relevant**\nif it *helps*\n\n- one\n- `two`"),
            "<p class=\"heading\">Relevance</p><p>a passage is <strong>relevant</strong> if it <em>helps</em></p>\
             <ul><li>one</li><li><code>two</code></li></ul>"
        );
        assert_eq!(markdown_html("in 2024. It\n1999 was"), "<p>in 2024. It 1999 was</p>");
        assert_eq!(
            markdown_html("1. first\n2. second\n\n> said  \n> again"),
            "<ol><li value=\"1\">first</li><li value=\"2\">second</li></ol>\
             <blockquote><p>said<br>again</p></blockquote>"
        );
    }

    #[test]
    fn items_keep_their_written_numbers() {
        let numbers = |text: &str| {
            let html = markdown_html(text);
            let items = html.split("<li").skip(1).map(|item| item.split('>').next().unwrap_or_default());
            items.collect::<String>()
        };
        assert_eq!(numbers("0. no\n1. partly\n2. fully"), " value=\"0\" value=\"1\" value=\"2\"");
        assert_eq!(numbers("3. fully\n2. partly\n1. no"), " value=\"3\" value=\"2\" value=\"1\"");
        assert_eq!(
            numbers("Grades\n\n>  3) fully\n>\n>  1) no\n>\n>     5. in it"),
            " value=\"3\" value=\"1\" value=\"5\""
        );
        assert_eq!(numbers("- 3 points\n* 2 points"), "");
    }

    #[test]
    fn a_table_has_its_rows() {
        assert_eq!(
            markdown_html(
                "| grade | meaning |\n|---|:-:|\n| 1 | *partly* |\n| 0 | <b onclick=x>no</b> <script> |"
            ),
            "<table><tr><td>grade</td><td>meaning</td></tr><tr><td>1</td><td><em>partly</em></td></tr>\
             <tr><td>0</td><td>&lt;b onclick=x&gt;no&lt;/b&gt; &lt;script&gt;</td></tr></table>"
        );
    }

    #[test]
    fn nothing_of_a_rubric_acts() {
        let hostile = "<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b \
                       [link](javascript:alert(1)) ![picture](https://evil.test/x) <https://evil.test> \u{202e}";
        let html = markdown_html(hostile);
        for tag in ["<script", "<img", "<a", "href", "src=\"", "\u{202e}"] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
        assert!(
            html.contains("&lt;script&gt;alert(1)") && html.contains("link") && html.contains("picture"),
            "{html}"
        );
    }
}
