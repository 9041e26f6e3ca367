//! From ranks, some of them equal, to an order with ties.

/// Returns the positions of `ranks`, the lowest rank first; equal ranks share a place.
pub(super) fn tied_order<R: Ord>(ranks: &[R]) -> Vec<Vec<u16>> {
    let mut sorted: Vec<_> = ranks.iter().zip(0u16..).collect();
    sorted.sort();
    sorted
        .chunk_by(|(one, _), (next, _)| one == next)
        .map(|place| place.iter().map(|(_, at)| *at).collect())
        .collect()
}
