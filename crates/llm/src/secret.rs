//! Keys, and keeping them out of everything that is written down.

use std::fmt;

/// What stands in a message where a key stood.
pub(crate) const HIDDEN: &str = "[key]";

/// Keys are at least so long, in bytes; anything shorter is a placeholder such as `none` or `x`.
pub(crate) const SHORTEST_KEY: usize = 8;

/// A key. Never printed, never serialised; it leaves only as the header of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key. White space around it, as a file or a shell leaves it, is cut off. `None` when nothing is left.
    ///
    /// ```
    /// use llull_llm::Secret;
    /// assert_eq!(format!("{:?}", Secret::new("sk-123\n")), "Some(Secret(…))");
    /// assert!(Secret::new(" \n").is_none());
    /// ```
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// The key itself, for the header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// `text` without the key, without anything that looks like a key (`sk-…`) and without credentials in URLs.
/// Servers echo what they were sent: OpenAI's own 401 quotes the key.
pub(crate) fn redact(text: &str, key: Option<&Secret>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| hide_key(text, key.expose()));
    hide_userinfo(&hide_sk(&text))
}

/// A reply without the key, and otherwise as it came: it is evidence, so nothing that merely looks like a key is touched.
pub(crate) fn without_key(reply: String, key: Option<&Secret>) -> String {
    match key {
        Some(key) if key.expose().len() >= SHORTEST_KEY && reply.contains(key.expose()) => {
            reply.replace(key.expose(), HIDDEN)
        }
        _ => reply,
    }
}

/// Hides every occurrence of `key`. A placeholder is hidden where it stands as a word: hiding it inside words would only
/// garble the message.
fn hide_key(text: &str, key: &str) -> String {
    if key.len() >= SHORTEST_KEY {
        return text.replace(key, HIDDEN);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let (before, from) = rest.split_at(at);
        let after = from.get(key.len()..).unwrap_or_default();
        out.push_str(before);
        let inside_word = out.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        out.push_str(if inside_word { key } else { HIDDEN });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Hides `sk-` and what follows it, masked parts (`sk-ab***yz`) included.
fn hide_sk(text: &str) -> String {
    let of_a_key = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '*' | '.');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("sk-") {
        let (before, from) = rest.split_at(at);
        let end = from.find(|letter| !of_a_key(letter)).unwrap_or(from.len());
        let (token, after) = from.split_at(end);
        out.push_str(before);
        // "task-based" and "risk-free" are words
        let inside_word = out.ends_with(|letter: char| letter.is_ascii_alphanumeric());
        out.push_str(if inside_word || token.len() < 6 { token } else { HIDDEN });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Hides `user:password@` in URLs.
fn hide_userinfo(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c == '/' || c == '?' || c == '#' || c == '"' || c.is_whitespace());
        let (authority, tail) = after.split_at(end.unwrap_or(after.len()));
        match authority.rsplit_once('@') {
            Some((_, host)) => out.extend([HIDDEN, "@", host]),
            None => out.push_str(authority),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_and_what_looks_like_keys_are_hidden() {
        let key = Secret::new("topsecret-0123456789").unwrap();
        let text = "Bearer topsecret-0123456789, sk-proj-AbC_1***xyz. and http://me:pw@host/v1?x";
        assert_eq!(redact(text, Some(&key)), "Bearer [key], [key] and http://[key]@host/v1?x");
    }

    #[test]
    fn words_are_not_keys() {
        let text = "task-based risk-free sk-x extra";
        assert_eq!(redact(text, Secret::new("x").as_ref()), "task-based risk-free sk-[key] extra");
    }

    proptest! {
        #[test]
        fn no_text_brings_a_key_through(
            key in "[A-Za-z0-9_-]{8,40}", before in "[a-z :/@sk-]{0,30}", after in "[a-z :/@-]{0,30}",
        ) {
            let secret = Secret::new(&key).unwrap();
            let hidden = redact(&format!("{before}{key}{after}"), Some(&secret));
            prop_assert!(!hidden.contains(&key), "{}", hidden);
        }
    }
}
