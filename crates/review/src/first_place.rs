//! Chooses the first pair of an annotator in a shared queue.

use llull_core::Hash;

/// Returns an annotator's first place in a shared queue of this length. It differs between annotators.
pub(crate) fn first_place(annotator: &str, length: usize) -> usize {
    let Hash(bytes) = Hash::of(annotator.as_bytes());
    let number = bytes.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number % (length.max(1) as u64)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_begin_inside_the_queue() {
        for annotator in ["anna", "ben", ""] {
            assert!(first_place(annotator, 7) < 7);
            assert_eq!(first_place(annotator, 0), 0);
        }
        assert_ne!(first_place("anna", 1_000), first_place("ben", 1_000));
    }
}
