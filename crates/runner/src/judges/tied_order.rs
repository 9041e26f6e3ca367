//! Conversion of ranks to an order with ties.

/// Returns the positions in `ranks`, the lowest rank first. Positions with equal ranks are tied.
pub(super) fn tied_order<R: Ord>(ranks: &[R]) -> Vec<Vec<u16>> {
    let mut sorted: Vec<_> = ranks.iter().zip(0u16..).collect();
    sorted.sort();
    sorted
        .chunk_by(|(one, _), (next, _)| one == next)
        .map(|place| place.iter().map(|(_, at)| *at).collect())
        .collect()
}
