//! What is kept of each query's ranking while a run is read.

use llull_core::Ranking;

/// Decides what is kept of each query's ranking while a run is read.
pub(super) trait Keep: Sync {
    /// What is kept of a query.
    type Kept: Send;

    /// Returns what is kept of a query whose lines end here, as far as can be seen.
    fn keep(&self, topic: &str, ranking: Ranking) -> Self::Kept;

    /// Returns the ranking again, for a query that comes back; `None` if it was not kept.
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

/// Keeps what a function makes of a ranking, which is then dropped.
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
