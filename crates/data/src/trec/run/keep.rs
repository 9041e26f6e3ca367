//! Reduces each query's ranking while a run is read.

use llull_core::Ranking;

/// Reduces each query's ranking to a value while a run is read.
pub(super) trait Keep: Sync {
    /// The value for a query.
    type Kept: Send;

    /// Returns the value for a query whose lines seem to end here.
    fn keep(&self, topic: &str, ranking: Ranking) -> Self::Kept;

    /// Returns the ranking again, for a query that comes back; `None` if it is gone.
    fn reopened(kept: &mut Self::Kept) -> Option<Ranking>;
}

/// Keeps the rankings themselves.
pub(super) struct Whole;

impl Keep for Whole {
    type Kept = Ranking;

    fn keep(&self, _: &str, ranking: Ranking) -> Ranking {
        ranking
    }

    fn reopened(kept: &mut Ranking) -> Option<Ranking> {
        Some(std::mem::take(kept))
    }
}

/// Applies a function to a ranking, which is then dropped.
pub(super) struct Made<F>(pub(super) F);

impl<T: Send, F: Fn(&str, &Ranking) -> T + Sync> Keep for Made<F> {
    type Kept = T;

    fn keep(&self, topic: &str, ranking: Ranking) -> T {
        (self.0)(topic, &ranking)
    }

    fn reopened(_: &mut T) -> Option<Ranking> {
        None
    }
}
