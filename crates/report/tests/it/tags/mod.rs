//! Finds the tags of a page, as a browser would.
//!
//! It assumes that no text contains a `<`.

/// The name of every tag (a closing one begins with `/`), and its attributes with their values.
pub(crate) fn tags(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = end_of_tag(rest);
        let tag = rest[..end].trim_end_matches('/');
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        found.push((name.to_lowercase(), attributes_of(attributes)));
        rest = &rest[end..];
    }
    found
}

/// Where the tag ends: at the first `>` outside quotes.
fn end_of_tag(text: &str) -> usize {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == '>' && !quoted
    };
    text.find(ends).expect("a tag ends")
}

fn attributes_of(mut text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start();
        let end = text.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len());
        if end == 0 {
            return found;
        }
        let (name, after) = text.split_at(end);
        let Some(value) = after.strip_prefix("=\"") else {
            found.push((name.to_lowercase(), String::new()));
            text = after;
            continue;
        };
        let close = value.find('"').expect("a value ends");
        found.push((name.to_lowercase(), value[..close].to_owned()));
        text = &value[close + 1..];
    }
}
