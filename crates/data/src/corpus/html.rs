//! The text of an HTML page.

use html5gum::{DefaultEmitter, Token, Tokenizer};

/// A page's title and its text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// The `<title>`, or else the first heading; may be empty.
    pub(super) title: String,
    /// What a reader sees. Blocks are paragraphs, apart by a blank line.
    pub(super) text: String,
}

/// Elements whose content is no text of the page.
const UNSEEN: [&str; 7] = ["head", "script", "style", "template", "noscript", "svg", "iframe"];

/// Elements that a head may have.
const HEAD: [&str; 8] = ["title", "meta", "link", "style", "script", "base", "noscript", "template"];

/// Elements that begin a line, without a blank line before it.
const LINES: [&str; 7] = ["br", "li", "tr", "dt", "dd", "option", "figcaption"];

/// Elements within a line.
const INLINE: [&str; 27] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "img", "kbd", "label",
    "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];

/// Returns what a reader of the page sees.
pub(super) fn page(html: &str) -> Page {
    let mut page = Page::default();
    let (mut unseen, mut in_title, mut preformatted): (Option<String>, bool, usize) = (None, false, 0);
    let (mut heading, mut in_heading) = (String::new(), false);
    // Otherwise scripts are read as HTML: `i<n` begins a tag.
    let mut emitter: DefaultEmitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                in_title |= name == "title" && page.title.is_empty();
                in_heading |= name == "h1" && heading.is_empty();
                preformatted += usize::from(name == "pre");
                // A page may leave out the end of its head.
                let ends_head = !HEAD.contains(&name.as_str()) && unseen.as_deref() == Some("head");
                unseen = unseen.filter(|_| !ends_head);
                begin(&mut page.text, &name);
                let is_unseen = UNSEEN.contains(&name.as_str()) && !tag.self_closing;
                unseen = unseen.or(is_unseen.then_some(name));
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                in_title &= name != "title";
                in_heading &= name != "h1";
                preformatted = preformatted.saturating_sub(usize::from(name == "pre"));
                begin(&mut page.text, &name);
                unseen = unseen.filter(|unseen| *unseen != name);
            }
            Token::String(text) => {
                let text = String::from_utf8_lossy(&text.value).into_owned();
                if in_title {
                    page.title.push_str(&text);
                } else if unseen.is_none() {
                    if in_heading {
                        heading.push_str(&text);
                    }
                    add(&mut page.text, &text, preformatted > 0);
                }
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    let title = if page.title.trim().is_empty() { heading } else { page.title };
    page.title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    page.text.truncate(page.text.trim_end().len());
    page
}

/// Begins a line or a paragraph where an element does.
fn begin(text: &mut String, name: &str) {
    if INLINE.contains(&name) {
        return;
    }
    let breaks: usize = if LINES.contains(&name) { 1 } else { 2 };
    if name == "td" || name == "th" {
        return add(text, " ", false);
    }
    let trimmed = text.trim_end_matches(' ').len();
    text.truncate(trimmed);
    let present = text.len() - text.trim_end_matches('\n').len();
    if !text.is_empty() {
        text.push_str(&"\n".repeat(breaks.saturating_sub(present)));
    }
}

/// Adds text; several blanks are one, unless it is preformatted.
fn add(text: &mut String, more: &str, preformatted: bool) {
    for letter in more.chars() {
        match letter {
            _ if preformatted => text.push(letter),
            blank if blank.is_whitespace() => {
                if !text.is_empty() && !text.ends_with([' ', '\n']) {
                    text.push(' ');
                }
            }
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_sees_is_the_text() {
        let html = "<!DOCTYPE html><html><head><title>Install &amp; run</title><style>p{}</style></head><body>\n\
                    <h1>Install</h1><p>Get the <b>caf&eacute;</b>\n   build.<script>var x = '<p>';</script></p>\
                    <ul><li>one</li><li>two<br>lines</li></ul><pre>a\n  b</pre><!-- no -->\
                    <table><tr><td>k</td><td>v</td></tr></table><p>1 < 2</body>";
        let page = page(html);
        assert_eq!(page.title, "Install & run");
        assert_eq!(page.text, "Install\n\nGet the café build.\n\none\ntwo\nlines\n\na\n  b\n\nk v\n\n1 < 2");
    }

    #[test]
    fn text_after_a_script_is_read() {
        for script in ["for(i=0;i<n;i++){}", "var s=\"<!--\";"] {
            let html = format!("<p>A</p><script>{script}</script><p>B</p>");
            assert_eq!(page(&html).text, "A\n\nB", "{script}");
        }
        assert_eq!(page("<title>a <b> c</title>").title, "a <b> c");
    }

    #[test]
    fn a_head_may_end_without_saying_so() {
        for html in
            ["<head><title>T</title><body><p>Text.</body>", "<html><head><title>T</title>\n<p>Text.</p>"]
        {
            assert_eq!(page(html), Page { title: "T".to_owned(), text: "Text.".to_owned() }, "{html}");
        }
    }

    #[test]
    fn a_page_without_a_title_has_that_of_its_heading() {
        assert_eq!(page("<h1>A <i>page</i></h1>Text").title, "A page");
        assert_eq!(page("no tags"), Page { title: String::new(), text: "no tags".to_owned() });
    }
}
