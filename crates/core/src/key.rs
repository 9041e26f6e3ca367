//! Content keys: tasks with the same meaning have the same key.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A blake3 hash. Prints and parses as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

/// The key of a task: the [hash](struct@Hash) of its meaning.
pub type TaskKey = Hash;

/// The error for a text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a hash of 64 hexadecimal digits")]
pub struct HashError(pub String);

impl Hash {
    /// Returns the hash of some bytes, such as the contents of a file.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Returns the first 12 digits, for display.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let wrong = || HashError(text.chars().take(80).collect());
        // `from_str_radix` alone would accept a sign.
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Builds a key from named parts.
///
/// Each part is hashed with its length, so that two different lists of parts never hash the same bytes. It is hashed
/// with its name, so that an absent part differs from an empty one.
#[derive(Debug, Clone)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Creates a builder for keys of one domain, such as `llull task v1`. Keys of different domains never collide.
    pub fn new(domain: &str) -> Self {
        Self(blake3::Hasher::new_derive_key(domain))
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, name: &str, value: &[u8]) -> Self {
        for bytes in [name.as_bytes(), value] {
            self.0.update(&(bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, name: &str, value: &str) -> Self {
        self.part(name, value.as_bytes())
    }

    /// Adds a number.
    #[must_use]
    pub fn number(self, name: &str, value: u64) -> Self {
        self.part(name, &value.to_le_bytes())
    }

    /// Returns the key.
    pub fn finish(self) -> Hash {
        Hash(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_cannot_run_into_each_other() {
        let key = |a: &str, b: &str| KeyBuilder::new("test").text("query", a).text("document", b).finish();
        assert_ne!(key("ab", "c"), key("a", "bc"));
        assert_ne!(key("", "x"), KeyBuilder::new("test").text("document", "x").finish());
    }

    proptest! {
        #[test]
        fn a_hash_parses_as_it_prints(bytes in any::<[u8; 32]>()) {
            prop_assert_eq!(Hash(bytes).to_string().parse::<Hash>().unwrap(), Hash(bytes));
        }

        #[test]
        fn other_text_is_refused(text in "\\PC{0,80}") {
            if text.len() != 64 {
                prop_assert!(text.parse::<Hash>().is_err());
            }
        }

        #[test]
        fn every_place_holds_a_digit(place in 0usize..64, other in "[+ -/:-@G-Zg-z]") {
            let mut text = "a".repeat(64);
            text.replace_range(place..=place, &other);
            prop_assert!(text.parse::<Hash>().is_err(), "{}", text);
        }
    }
}
