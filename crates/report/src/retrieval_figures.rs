//! The times and costs of a system's searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Dollars;

/// The times and costs of a system's searches, as far as its results have them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetrievalFigures {
    /// Queries that this system searched for, failed ones included.
    pub queries: u64,
    /// How many of them it failed to answer; they count as unanswered.
    pub errors: u64,
    /// Of how many the time is known.
    pub n: u64,
    /// Half of these took no longer, in milliseconds; null if no time is known.
    pub p50_ms: Option<f64>,
    /// 95% of these took no longer, in milliseconds; null if no time is known.
    pub p95_ms: Option<f64>,
    /// The cost of the queries, in US dollars.
    pub cost_usd: Dollars,
}

impl RetrievalFigures {
    /// Figures of `queries` searches, of which `errors` failed. `milliseconds` are the known times, and `dollars` the
    /// known prices, in any order. The p-th percentile is the shortest time that at least p percent of the queries did
    /// not exceed (nearest rank).
    ///
    /// ```
    /// let found = llull_report::RetrievalFigures::of(4, 1, &[9.0, 1.0, 3.0], &[0.5, 0.25]);
    /// assert_eq!((found.n, found.p50_ms, found.p95_ms), (3, Some(3.0), Some(9.0)));
    /// assert_eq!((found.cost_usd.known, found.cost_usd.unknown), (Some(0.75), 2));
    /// assert_eq!(llull_report::RetrievalFigures::of(4, 0, &[], &[]).p95_ms, None);
    /// ```
    pub fn of(queries: u64, errors: u64, milliseconds: &[f64], dollars: &[f64]) -> Self {
        let mut sorted = milliseconds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let at = |percent: usize| sorted.get((n * percent).div_ceil(100).max(1) - 1).copied();
        Self {
            queries,
            errors,
            n: n as u64,
            p50_ms: at(50),
            p95_ms: at(95),
            cost_usd: Dollars {
                known: (!dollars.is_empty()).then(|| dollars.iter().sum()),
                unknown: queries.saturating_sub(dollars.len() as u64),
            },
        }
    }

    /// The cost of 1,000 queries, in US dollars; `None` unless every query has a price.
    pub(crate) fn dollars_for_1000(&self) -> Option<f64> {
        let known = self.cost_usd.known.filter(|_| self.cost_usd.unknown == 0 && self.queries > 0)?;
        Some(known * 1000.0 / self.queries as f64)
    }

    /// Whether only the number of queries is known.
    pub fn is_silent(&self) -> bool {
        self.n == 0 && self.errors == 0 && self.cost_usd.known.is_none()
    }
}
