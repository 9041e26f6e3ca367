//! What results say of how a system was asked.

use llull_data::QueryResults;
use llull_report::RetrievalFigures;

/// Times, prices and failures of a system's queries, as its results state them.
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

    /// Returns what is known; `None` if nothing is but how many queries there are.
    pub fn figures(&self) -> Option<RetrievalFigures> {
        let found = RetrievalFigures::of(self.queries, self.errors, &self.milliseconds, &self.dollars);
        (!found.is_silent()).then_some(found)
    }
}
