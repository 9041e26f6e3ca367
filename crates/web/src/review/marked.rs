//! Marks words of the query and of an expected answer in HTML.
//!
//! Everything is escaped first: a mark is the only tag.

use std::collections::BTreeSet;

use llull::report::text::escape_html;

/// How much of a text is shown, in bytes. A person reads all of a document that a judge is shown, and more.
const TEXT: usize = 200_000;

/// Words without content, which are not marked.
const COMMON: [&str; 38] = [
    "about", "and", "any", "are", "been", "but", "can", "could", "did", "does", "for", "from", "had", "has",
    "have", "how", "into", "its", "not", "should", "than", "that", "the", "their", "them", "there", "they",
    "this", "was", "were", "what", "when", "where", "which", "who", "why", "with", "you",
];

/// The words that are worth marking.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkedWords {
    query: BTreeSet<String>,
    answer: BTreeSet<String>,
}

impl MarkedWords {
    /// The words of a query, and of the answer that is expected to it, if one is.
    pub(super) fn of(query: &str, answer: Option<&str>) -> Self {
        Self { query: words_of(query), answer: answer.map(words_of).unwrap_or_default() }
    }

    /// The tag of a word; `None` if it is not marked.
    fn tag(&self, word: &str) -> Option<&'static str> {
        match (self.query.contains(word), self.answer.contains(word)) {
            (true, false) => Some("<mark>"),
            (false, true) => Some("<mark class=\"expected\">"),
            (true, true) => Some("<mark class=\"expected both\">"),
            (false, false) => None,
        }
    }
}

fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(folded);
    words.filter(|word| says_something(word)).collect()
}

fn says_something(word: &str) -> bool {
    let long = word.chars().count() > 2 || word.chars().any(|c| c.is_numeric() || !c.is_ascii());
    !word.is_empty() && long && !COMMON.contains(&word)
}

/// A word in lower case, without the `s` of many.
fn folded(word: &str) -> String {
    let lower = word.to_lowercase();
    let one = lower.strip_suffix('s').filter(|one| one.chars().count() > 2 && !one.ends_with('s'));
    one.map_or(lower.clone(), str::to_owned)
}

/// A text as HTML with its line breaks and these words marked, and how many bytes are left out.
pub(super) fn marked(text: &str, words: &MarkedWords) -> (String, usize) {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= TEXT).unwrap_or(text.len());
    let mut html = String::with_capacity(end + end / 8);
    for (number, line) in text.get(..end).unwrap_or_default().split('\n').enumerate() {
        if number > 0 {
            html.push('\n');
        }
        mark_line(line, words, &mut html);
    }
    (html, text.len() - end)
}

fn mark_line(line: &str, words: &MarkedWords, html: &mut String) {
    let mut rest = line;
    while !rest.is_empty() {
        let is_word = rest.starts_with(char::is_alphanumeric);
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let tag = if is_word { words.tag(&folded(piece)) } else { None };
        html.push_str(tag.unwrap_or_default());
        html.push_str(&escape_html(piece));
        html.push_str(if tag.is_some() { "</mark>" } else { "" });
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str, query: &str) -> String {
        marked(text, &MarkedWords::of(query, None)).0
    }

    #[test]
    fn words_of_the_answer_are_marked_apart() {
        let words = MarkedWords::of("when was the bridge opened", Some("The bridge: 1932 <b>"));
        let (html, _) = marked("Bridges opened in 1932 & b", &words);
        assert_eq!(
            html,
            "<mark class=\"expected both\">Bridges</mark> <mark>opened</mark> in <mark class=\"expected\">1932</mark> \
             &amp; b"
        );
    }

    #[test]
    fn the_querys_words_are_marked_and_no_others() {
        assert_eq!(
            html("Indexes: an index.\nThe B-tree", "how does the index help"),
            "Indexes: an <mark>index</mark>.\nThe B-tree"
        );
        assert_eq!(html("two rows of Rows", "row 2"), "two <mark>rows</mark> of <mark>Rows</mark>");
        assert_eq!(html("the of", "the of a"), "the of");
        assert_eq!(html("ÜBER über", "Über"), "<mark>ÜBER</mark> <mark>über</mark>");
    }

    #[test]
    fn text_is_escaped_whatever_the_query_is() {
        let hostile = "<script>alert(1)</script> &amp; \u{202e}\u{1b}[2J";
        let html = html(hostile, "script alert amp <script> mark");
        assert_eq!(
            html,
            "&lt;<mark>script</mark>&gt;<mark>alert</mark>(1)&lt;/<mark>script</mark>&gt; &amp;<mark>amp</mark>; \
             \\u202e\\u001b[2J"
        );
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let (html, cut) = marked(&"ü".repeat(150_000), &MarkedWords::default());
        assert_eq!((html.len(), cut), (TEXT, 100_000));
    }
}
