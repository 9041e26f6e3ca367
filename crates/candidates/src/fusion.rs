//! Fuses runs by reciprocal rank.

use llull_core::{Ranking, Run, Topics};
use rustc_hash::FxHashMap;

use crate::pool::PooledTopic;

/// The constant of reciprocal rank fusion, as published.
const K: f64 = 60.0;

impl PooledTopic {
    /// Returns the positions of its documents, best guess first, by reciprocal rank fusion over the runs that found
    /// them. The score is the sum of 1 / (60 + rank) (Cormack, Clarke and Büttcher, SIGIR 2009); equal sums keep the
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

/// Fuses several runs by reciprocal rank: the best `depth` documents of each query by the sum of 1 / (60 + rank) over
/// the runs that found them (Cormack, Clarke and Büttcher, SIGIR 2009). A query that no run answers is unanswered.
///
/// ```
/// use llull_candidates::fused_run;
/// use llull_core::{Ranking, Run, Topic, Topics};
///
/// let run = |documents: &[&str]| {
///     let mut run = Run::new("one");
///     let scored = documents.iter().enumerate().map(|(at, document)| (*document, -(at as f64)));
///     run.insert("q1", Ranking::from_scored(scored));
///     run
/// };
/// let topics = Topics::from_iter([Topic { id: "q1".into(), text: "what".into() }]);
/// let fused = fused_run("hybrid", &[&run(&["a", "b"]), &run(&["b", "c"])], &topics, 2);
/// let hits: Vec<_> = fused.ranking("q1").unwrap().iter().map(|hit| hit.document.to_owned()).collect();
/// assert_eq!(hits, ["b", "a"]);
/// ```
pub fn fused_run(name: &str, runs: &[&Run], topics: &Topics, depth: usize) -> Run {
    let mut fused = Run::new(name);
    for topic in topics.iter() {
        let answers: Vec<&Ranking> = runs.iter().filter_map(|run| run.ranking(&topic.id)).collect();
        if answers.is_empty() {
            continue;
        }
        let mut scores: FxHashMap<&str, f64> = FxHashMap::default();
        for hit in answers.iter().flat_map(|ranking| ranking.iter()) {
            *scores.entry(hit.document).or_default() += 1.0 / (K + hit.rank as f64);
        }
        let all = Ranking::from_scored(scores);
        let best = all.iter().take(depth).map(|hit| (hit.document, hit.score));
        fused.insert(topic.id.as_str(), Ranking::from_scored(best));
    }
    fused
}
