//! Seeds that differ between processes, for the times of retries only.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

use llull_core::Seed;

/// Returns a seed that differs from process to process and from call to call.
///
/// Pauses between retries are drawn from it: otherwise processes that one server refused at the same time would all
/// come back at the same time. No other result may depend on it, since a study's results follow from the study's own
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
