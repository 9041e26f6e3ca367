//! Text as a part of an address.

/// Encodes all but RFC 3986's unreserved characters: each byte as `%` and two digits.
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Python 3.12: `urllib.parse.quote(text, safe="")`.
    #[test]
    fn all_but_unreserved_characters_are_encoded() {
        assert_eq!(percent_encoded("a-b.c_d~9"), "a-b.c_d~9");
        assert_eq!(percent_encoded("x/y?z=1&w é%"), "x%2Fy%3Fz%3D1%26w%20%C3%A9%25");
    }
}
