//! The seed: the only source of randomness.

use serde::{Deserialize, Serialize};

/// The number from which all randomness in a study is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// Returns an independent seed for a named purpose. The same seed and name give the same result in all versions.
    ///
    /// ```
    /// use llull_core::Seed;
    /// assert_eq!(Seed(7).stream("bootstrap"), Seed(7).stream("bootstrap"));
    /// assert_ne!(Seed(7).stream("bootstrap"), Seed(7).stream("anchors"));
    /// ```
    pub fn stream(self, purpose: &str) -> u64 {
        let mut hasher = blake3::Hasher::new_derive_key("llull seed stream v1");
        hasher.update(&self.0.to_le_bytes());
        hasher.update(purpose.as_bytes());
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        u64::from_le_bytes(bytes)
    }
}
