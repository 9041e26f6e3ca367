//! Sums up times, prices and failures of a system's queries.

use llull_data::QueryResults;
use llull_report::RetrievalFigures;

/// Times, prices and failures of a system's queries, from its results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RetrievalTally {
    queries: u64,
    errors: u64,
    milliseconds: Vec<f64>,
    dollars: Vec<f64>,
}

impl RetrievalTally {
    /// Adds a query.
    pub fn record(&mut self, results: &QueryResults) {
        self.queries += 1;
        self.errors += u64::from(results.failed.is_some());
        self.milliseconds.extend(results.milliseconds);
        self.dollars.extend(results.dollars);
    }

    /// Returns the figures; `None` if only the number of queries is known.
    pub fn figures(&self) -> Option<RetrievalFigures> {
        let found = RetrievalFigures::of(self.queries, self.errors, &self.milliseconds, &self.dollars);
        (!found.is_silent()).then_some(found)
    }
}
