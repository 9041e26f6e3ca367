//! Keys that cannot be printed.

use std::fmt;

/// A key. It is never printed or serialised, and leaves the program only in the header of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key, without the white space and the pair of quotation marks around it that a file, a shell or `docker
    /// run --env-file` leaves. Returns `None` if nothing remains.
    ///
    /// ```
    /// use llull_http::Secret;
    /// assert_eq!(format!("{:?}", Secret::new("sk-123\n")), "Some(Secret(…))");
    /// assert!(Secret::new(" \n").is_none());
    /// ```
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        let unquoted = |quote| key.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
        let key = ['"', '\''].into_iter().find_map(unquoted).unwrap_or(key).trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// Returns the key itself, for a header or to look for it in a text.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_around_a_key_are_not_sent() {
        for written in ["\"sk-1\"", "'sk-1'", " \"sk-1\"\n", "sk-1"] {
            assert_eq!(Secret::new(written).unwrap().expose(), "sk-1", "{written}");
        }
        assert!(Secret::new("\"\"").is_none());
        assert_eq!(Secret::new("\"sk-1").unwrap().expose(), "\"sk-1", "one mark may be part of a key");
    }

    #[test]
    fn a_secret_does_not_print() {
        let secret = Secret::new("topsecret-0123456789abcdef").unwrap();
        assert!(!format!("{secret:?} {:?}", Some(&secret)).contains("topsecret"));
    }
}
