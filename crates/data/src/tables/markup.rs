//! Rows between tags: TREC's topics and documents (SGML, in which tags of fields need not end), and XML.
use std::borrow::Cow;

use html5gum::{Token, Tokenizer};

/// A tag around the fields of a row, as `<top>` or `<topic number="3">`.
const ROWS: [&str; 6] = ["top", "topic", "query", "doc", "document", "passage"];

/// What TREC writes before the text of a field.
const LABELS: [&str; 5] = ["Number:", "Topic:", "Description:", "Narrative:", "Query:"];

/// The field of a text that has no tag of its own.
const TEXT: &str = "text";

/// A row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// The line of its tag, from 1.
    pub(super) line: u64,
    /// Its attributes and the elements in it, with their texts. Elements of one name are joined by line breaks.
    pub(super) fields: Vec<(String, String)>,
}

/// A tag that does not end, and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unended {
    pub(super) line: u64,
    pub(super) tag: String,
}

/// Whether a file that begins with this line has tags.
pub(super) fn is_markup(first: &str) -> bool {
    let Some(name) = first.strip_prefix('<') else { return false };
    name.starts_with(['?', '!']) || name.starts_with(|c: char| c.is_ascii_alphabetic()) && first.contains('>')
}

/// Returns the rows of a text.
pub(super) fn elements(text: &str) -> Vec<Result<Element, Unended>> {
    let mut rows = Vec::new();
    let (mut line, mut counted) = (1, 0);
    // The first tag that holds a row holds all of them: a query in a topic is a field.
    let mut next = next_tag_of(text, 0, &ROWS);
    while let Some((tag, name)) = next {
        line += text[counted..tag.start].bytes().filter(|byte| *byte == b'\n').count() as u64;
        counted = tag.start;
        next = next_tag_of(text, tag.end, &[name]);
        let row = &text[..next.as_ref().map_or(text.len(), |(next, _)| next.start)];
        let end = if tag.is_empty { Some(tag.end) } else { end_tag(row, tag.end, name) };
        rows.push(match end {
            None => Err(Unended { line, tag: name.to_owned() }),
            Some(end) => {
                let mut fields = tag.attributes;
                add_elements(&text[..end], tag.end, &mut fields);
                Ok(Element { line, fields })
            }
        });
    }
    rows
}

/// Returns the next tag of one of these names, with the name.
fn next_tag_of<'a>(text: &'a str, mut at: usize, names: &[&'static str]) -> Option<(Tag<'a>, &'static str)> {
    loop {
        let tag = next_tag(text, at)?;
        match names.iter().find(|name| tag.name.eq_ignore_ascii_case(name)) {
            Some(name) => return Some((tag, name)),
            None => at = tag.end,
        }
    }
}

fn add_elements(text: &str, start: usize, fields: &mut Vec<(String, String)>) {
    let mut at = start;
    let mut own = String::new();
    while let Some(tag) = next_tag(text, at) {
        own.push_str(&text[at..tag.start]);
        let closing = if tag.is_empty { None } else { end_tag(text, tag.end, tag.name) };
        let close = match closing {
            _ if tag.is_empty => tag.end,
            Some(close) => close,
            // It ends where the next one begins.
            None => next_tag(text, tag.end).map_or(text.len(), |next| next.start),
        };
        add_field(fields, tag.name.to_owned(), &plain(&text[tag.end..close]));
        at = match closing {
            Some(close) => text[close..].find('>').map_or(text.len(), |at| close + at + 1),
            None => close,
        };
    }
    own.push_str(&text[at..]);
    add_field(fields, TEXT.to_owned(), &plain(&own));
}

fn add_field(fields: &mut Vec<(String, String)>, name: String, value: &str) {
    let unlabelled = LABELS.iter().find_map(|label| value.strip_prefix(label)).unwrap_or(value).trim();
    match fields.iter_mut().find(|(known, _)| *known == name) {
        _ if unlabelled.is_empty() => {}
        Some((_, known)) => {
            known.push('\n');
            known.push_str(unlabelled);
        }
        None => fields.push((name, unlabelled.to_owned())),
    }
}

/// A tag that begins an element.
struct Tag<'a> {
    start: usize,
    /// Behind its `>`.
    end: usize,
    name: &'a str,
    attributes: Vec<(String, String)>,
    /// Whether it is `<tag/>`.
    is_empty: bool,
}

/// Returns the next tag that begins an element; anything else between `<` and `>` is text, a comment or an end.
fn next_tag(text: &str, mut at: usize) -> Option<Tag<'_>> {
    loop {
        let start = at + text.get(at..)?.find('<')?;
        let rest = &text[start + 1..];
        if let Some(length) = quoted(&text[start..]) {
            at = start + length;
            continue;
        }
        let length = rest.bytes().take_while(|byte| is_name(*byte)).count();
        let inside = tag_end(rest);
        match inside {
            Some(close) if is_tag(rest) && !rest.starts_with('/') => {
                let attributes = rest[length..close].trim_end_matches('/');
                return Some(Tag {
                    start,
                    end: start + 1 + close + 1,
                    name: &rest[..length],
                    attributes: attributes_of(attributes),
                    is_empty: rest[..close].ends_with('/'),
                });
            }
            _ => at = start + 1,
        }
    }
}

/// Whether a tag begins here, behind its `<`: a name, and what may follow one.
fn is_tag(inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let length = name.bytes().take_while(|byte| is_name(*byte)).count();
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name[length..].starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.')
}

/// Returns the place of the `>` that ends a tag; one between quotation marks does not.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            (b'>', None) => return Some(at),
            // A smaller-than sign in a text, not a tag.
            (b'<' | b'\n', None) if at == 0 => return None,
            (b'<', None) => return None,
            _ => {}
        }
    }
    None
}

fn attributes_of(text: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, next) = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
            _ => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        add_field(&mut fields, name.trim().to_owned(), &plain(value));
        rest = next.trim_start();
    }
    fields
}

/// Returns the place of the tag that ends an element.
fn end_tag(text: &str, from: usize, name: &str) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find('<')?;
        let rest = &text[at..];
        let after = rest.strip_prefix("</").and_then(|end| end.split_at_checked(name.len()));
        match after {
            Some((end, after))
                if end.eq_ignore_ascii_case(name) && !after.bytes().next().is_some_and(is_name) =>
            {
                return Some(at);
            }
            _ => at += quoted(rest).unwrap_or(1),
        }
    }
}

/// Returns the length of the comment or CDATA that begins here, whose tags count as text.
fn quoted(rest: &str) -> Option<usize> {
    let (open, close) =
        [("<!--", "-->"), ("<![CDATA[", "]]>")].into_iter().find(|(open, _)| rest.starts_with(open))?;
    Some(rest[open.len()..].find(close).map_or(rest.len(), |end| open.len() + end + close.len()))
}

/// Returns a text without tags, comments and entities; blanks stay as they are.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (read, length) = if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap_or(data.len());
            (Cow::Borrowed(&data[..end]), (9 + end + 3).min(rest.len()))
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            (Cow::Borrowed(""), 4 + comment.find("-->").map_or(comment.len(), |end| end + 3))
        } else if let Some(inside) = rest.strip_prefix('<') {
            let is_tag = is_tag(inside);
            match tag_end(inside).filter(|_| is_tag) {
                Some(end) => (Cow::Borrowed(" "), end + 2),
                None => (Cow::Borrowed("<"), 1),
            }
        } else {
            entity(rest).unwrap_or((Cow::Borrowed("&"), 1))
        };
        out.push_str(&read);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Returns the text of the entity at the beginning, and its length.
fn entity(text: &str) -> Option<(Cow<'static, str>, usize)> {
    const NAMED: [(&str, &str); 6] =
        [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", " ")];
    // HTML's longest name has 31 letters.
    let end = text.get(1..)?.bytes().take(32).position(|byte| byte == b';')?;
    let name = text.get(1..=end)?;
    let length = end + 2;
    if let Some((_, read)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some((Cow::Borrowed(read), length));
    }
    let Some(number) = name.strip_prefix('#') else {
        let written = text.get(..length).filter(|_| name.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
        let tokens = Tokenizer::new(written).map(|Ok(token)| match token {
            Token::String(text) => String::from_utf8_lossy(&text.value).into_owned(),
            _ => String::new(),
        });
        let read = tokens.collect::<String>();
        return (read != written).then_some((Cow::Owned(read), length));
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).map(|read| (Cow::Owned(read.to_string()), length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<(u64, Vec<(String, String)>)> {
        elements(text).into_iter().map(|row| row.unwrap()).map(|row| (row.line, row.fields)).collect()
    }

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// The form of the ad hoc topics since TREC-4, whose fields have no end.
    #[test]
    fn fields_of_sgml_end_where_the_next_begins() {
        let text = "<top>\n\n<num> Number: 401\n<title> wool & felt\n\n<desc> Description:\nWhat is felt,\nand why?\n\n\
                    <narr> Narrative:\nWool < hair.\n</top>\n\n\
                    <top>\n<num> Number: 402 </num>\n<title> Topic: AT&amp;T\n</top>\n";
        let first = [
            ("num", "401"),
            ("title", "wool & felt"),
            ("desc", "What is felt,\nand why?"),
            ("narr", "Wool < hair."),
        ];
        assert_eq!(read(text), [(1, fields(&first)), (14, fields(&[("num", "402"), ("title", "AT&T")]))]);
    }

    /// Accented letters stood as `&eacute;` in the queries that judges saw.
    #[test]
    fn named_characters_of_html_are_read() {
        let text = "<top><num>1<title>caf&eacute; M&uuml;nchen &CounterClockwiseContourIntegral; AT&T; &nosuch; \
                    &amp;lt;</top>";
        let title = "café München ∳ AT&T; &nosuch; &lt;";
        assert_eq!(read(text), [(1, fields(&[("num", "1"), ("title", title)]))]);
    }

    #[test]
    fn attributes_and_elements_of_xml_are_fields() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <topic> -->\n<topics task=\"x\">\n<topic number='1' type=\"a>b\">\n\
                    <query>one <b>two</b>&#8211;<![CDATA[<3]]></query><subtopic>s</subtopic><subtopic>t</subtopic>\n\
                    </topic><topic number=\"2\">plain text</topic><TOPIC number=3/>\n</topics>";
        let first = [("number", "1"), ("type", "a>b"), ("query", "one  two –<3"), ("subtopic", "s\nt")];
        assert_eq!(
            read(text),
            [
                (4, fields(&first)),
                (6, fields(&[("number", "2"), ("text", "plain text")])),
                (6, fields(&[("number", "3")])),
            ]
        );
    }

    #[test]
    fn documents_keep_texts_that_have_tags() {
        let text = "<DOC>\n<DOCNO> FT-1 </DOCNO>\n<TEXT>\n<P>One.</P>\n<P>Two.\n</TEXT>\n</DOC>";
        assert_eq!(read(text), [(1, fields(&[("DOCNO", "FT-1"), ("TEXT", "One. \n Two.")]))]);
    }

    #[test]
    fn cdata_and_comments_hold_no_tags() {
        let text = "<doc><docno>a</docno><text><![CDATA[code </doc> more </text> words]]> tail\
                    <!-- </text> --> f(a<b,c>d)</text></doc>";
        assert_eq!(
            read(text),
            [(1, fields(&[("docno", "a"), ("text", "code </doc> more </text> words tail f(a<b,c>d)")]))]
        );
    }

    #[test]
    fn an_end_inside_an_attribute_ends_nothing() {
        let rows = elements("<top><num a=\"</top>\">x</top>");
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn a_row_that_does_not_end_is_named() {
        let rows = elements("<top>\n<num>1\n<top>\n<num>2\n</top>\n<top>\n<num>3");
        let unended = |line| Err(Unended { line, tag: "top".to_owned() });
        assert_eq!(rows.len(), 3);
        assert_eq!((&rows[0], &rows[2]), (&unended(1), &unended(6)));
        assert!(rows[1].is_ok());
    }

    proptest! {
        #[test]
        fn any_text_is_read(
            text in "[<>/a-c \"'=&;#!\\-\\[\\]\\n]{0,60}|(<top>|<num>|</top>|<num a=|\"[^\n]\"|<!\\[CDATA\\[){0,20}",
        ) {
            let _ = elements(&text);
        }
    }
}
