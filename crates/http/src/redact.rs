//! Removes keys from messages and records.

use crate::secret::Secret;

/// The text in place of a key in a message.
pub(crate) const HIDDEN: &str = "[key]";

/// The least length of a key in bytes; anything shorter is a placeholder such as `none` or `x`.
pub(crate) const SHORTEST_KEY: usize = 8;

/// Returns `text` without the key, without anything that looks like a key (`sk-…`) and without the user and password
/// of URLs. Servers echo their requests: OpenAI's own 401 quotes the key.
pub fn redact(text: &str, key: Option<&Secret>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| hide_key(text, key.expose()));
    hide_userinfo(&hide_sk(&text))
}

/// Returns a reply without the key. Anything that merely looks like a key stays, because a reply is evidence.
pub(crate) fn without_key(reply: String, key: Option<&Secret>) -> String {
    match key {
        Some(key) if key.expose().len() >= SHORTEST_KEY && reply.contains(key.expose()) => {
            reply.replace(key.expose(), HIDDEN)
        }
        _ => reply,
    }
}

/// Returns an address that may not be a URL without user, password and query, for an error about it. Hides too
/// much rather than too little: a password may hold any character.
pub(crate) fn redact_address(text: &str) -> String {
    let text = text.trim();
    let (before_query, query) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
    let scheme = match before_query.split_once("://") {
        Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            format!("{scheme}://")
        }
        _ => String::new(),
    };
    match before_query.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{HIDDEN}@{host}"),
        None if query.contains('@') => format!("{scheme}{HIDDEN}"),
        None => before_query.to_owned(),
    }
}

/// Hides every occurrence of `key`. A placeholder is hidden only where it stands as a word, because hiding it
/// inside words would garble the message.
pub(crate) fn hide_key(text: &str, key: &str) -> String {
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

/// Hides `sk-` and the rest of the key, masked parts (`sk-ab***yz`) included.
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

/// Hides the signatures of AWS: 64 hexadecimal digits.
pub(crate) fn hide_signatures(text: &str) -> String {
    let digits = |part: &str| part.trim_end_matches(|letter: char| !letter.is_ascii_hexdigit()).len();
    let parts = text.split_inclusive(|letter: char| !letter.is_ascii_hexdigit());
    parts
        .map(|part| {
            if digits(part) == 64 {
                format!("{HIDDEN}{}", part.get(64..).unwrap_or_default())
            } else {
                part.to_owned()
            }
        })
        .collect()
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
    fn a_signature_is_hidden_and_other_hashes_are_not() {
        let (signature, commit) = ("5fa0".repeat(16), "5fa0".repeat(10));
        let text = format!("Signature={signature}, commit {commit} {signature}");
        assert_eq!(hide_signatures(&text), format!("Signature=[key], commit {commit} [key]"));
    }

    #[test]
    fn words_are_not_keys() {
        let text = "task-based risk-free sk-x extra";
        assert_eq!(redact(text, Secret::new("x").as_ref()), "task-based risk-free sk-[key] extra");
    }

    #[test]
    fn an_address_with_a_password_is_shown_without_it() {
        for (address, shown) in [
            ("http://h/v1?key=hunter2", "http://h/v1"),
            ("http://me:hunter2@h/v1?key=hunter2", "http://[key]@h/v1"),
            ("me:hunter2@h", "[key]@h"),
            ("http://me:hun/ter2@h", "http://[key]@h"),
            ("http://me:hun?ter2@h", "http://[key]"),
            ("me:hun://ter2@h", "[key]@h"),
        ] {
            assert_eq!(redact_address(address), shown);
        }
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
