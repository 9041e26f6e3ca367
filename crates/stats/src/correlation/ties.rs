//! Places of items in an order with ties.

/// A run of tied items in an order.
pub(super) struct Tied {
    /// The number of runs before this one.
    pub(super) runs_before: usize,
    /// The number of items before this run.
    pub(super) items_before: usize,
    /// The number of items in this run.
    pub(super) length: usize,
}

/// Returns a value for each item, the same for tied ones: the result of `place` for the item's run in the ascending
/// order of the figures. None of these is NaN.
pub(super) fn places<T: Clone + Default>(
    figures: impl Iterator<Item = f64>,
    place: impl Fn(Tied) -> T,
) -> Vec<T> {
    let mut sorted: Vec<(usize, f64)> = figures.enumerate().collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (a.1 + 0.0).total_cmp(&(b.1 + 0.0)));
    let mut places = vec![T::default(); sorted.len()];
    let mut items_before = 0;
    for (runs_before, run) in sorted.chunk_by(|a, b| a.1 == b.1).enumerate() {
        let value = place(Tied { runs_before, items_before, length: run.len() });
        for (item, _) in run {
            places[*item] = value.clone();
        }
        items_before += run.len();
    }
    places
}

/// Whether a figure of a pair is NaN.
pub(super) fn any_nan(pairs: &[(f64, f64)]) -> bool {
    pairs.iter().any(|(x, y)| x.is_nan() || y.is_nan())
}
