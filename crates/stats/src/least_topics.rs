//! The number of queries that an interval needs.
//!
//! It follows from the least p that the signs of a few differences can have.

/// Returns the least number of queries with an interval of this confidence: six at 95%.
///
/// With fewer, all values lie on one side of the truth too often: of six they do so once in 32.
pub fn least_topics(confidence: f64) -> usize {
    let mut topics = 2;
    while least_p_of_signs(topics) > 1.0 - confidence {
        topics += 1;
    }
    topics
}

/// Returns the least two-sided p of `differing` differences if each sign is random: two of the 2^k ways are the most
/// extreme. 1 without any difference.
pub(crate) fn least_p_of_signs(differing: usize) -> f64 {
    0.5_f64.powi(i32::try_from(differing).unwrap_or(i32::MAX).max(1) - 1)
}
