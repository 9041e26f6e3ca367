//! Reciprocal rank fusion: one order from several runs, as the first guess at which documents are best.

use crate::pool::PooledTopic;

/// The constant of reciprocal rank fusion, as published.
const K: f64 = 60.0;

impl PooledTopic {
    /// Returns the positions of its documents, best guess first: reciprocal rank fusion over the runs that
    /// found them, the sum of 1 / (60 + rank) (Cormack, Clarke and Büttcher, SIGIR 2009); equal sums in the
    /// order of the pool.
    ///
    /// ```
    /// use llull_candidates::{Found, Pooled, PooledTopic};
    ///
    /// let found = |ranks: &[u32]| (0u16..).zip(ranks).map(|(run, rank)| Found { run, rank: *rank }).collect();
    /// let document = |id: &str, ranks| Pooled { id: id.into(), found: found(ranks) };
    /// let documents = vec![document("once", &[1]), document("twice", &[2, 2])];
    /// assert_eq!(PooledTopic { id: "q1".into(), documents }.fused_order(), [1, 0]);
    /// ```
    pub fn fused_order(&self) -> Vec<u32> {
        let score = |at: &u32| -> f64 {
            let found = self.documents.get(*at as usize).map(|document| document.found.as_slice());
            found.unwrap_or_default().iter().map(|found| 1.0 / (K + f64::from(found.rank))).sum()
        };
        let mut scored: Vec<(f64, u32)> =
            (0..self.documents.len() as u32).map(|at| (score(&at), at)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.into_iter().map(|(_, at)| at).collect()
    }
}
