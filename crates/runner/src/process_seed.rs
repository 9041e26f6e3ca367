//! Chance that differs from process to process: for when to try again, and for nothing that reaches an output.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

use llull_core::Seed;

/// Returns a seed that differs from process to process and from call to call.
///
/// Pauses between retries are drawn from it: processes that were turned away by one server at the same time would
/// otherwise all come back at the same time. It must reach nothing else, since a study's results follow from its own
/// seed.
pub fn process_seed() -> Seed {
    // The standard library's only source of random bits: the keys of its hash maps.
    Seed(RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_calls_agree() {
        assert_ne!(process_seed(), process_seed());
    }
}
