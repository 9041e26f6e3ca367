//! Depth-k pooling: the documents to judge, with runs and ranks.

use std::num::NonZeroUsize;

use llull_core::{Run, Topics};
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

/// The documents to judge: for every query the union of the best `depth` documents of every run.
///
/// Depth-k pooling is TREC's (Sparck Jones and van Rijsbergen 1975; Voorhees and Harman 2005, chapter 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// How many documents of each run and query were pooled.
    pub depth: NonZeroUsize,
    /// The names of the runs; [`Found::run`] is a position in this list.
    pub runs: Vec<String>,
    /// The queries.
    pub topics: Vec<PooledTopic>,
}

/// The pool of one query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledTopic {
    /// The identifier of the query.
    pub id: String,
    /// Its documents: by the best rank in any run, then by identifier. So, if money runs out, the documents that
    /// decide the measures are judged already; and the order does not reveal which run found a document.
    pub documents: Vec<Pooled>,
}

/// One document to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooled {
    /// The identifier of the document.
    pub id: Box<str>,
    /// The runs that found it, in their order; empty if none did and it is in the pool for its label.
    pub found: Vec<Found>,
}

impl Pooled {
    /// Returns the best rank in any run, from 1.
    pub fn best_rank(&self) -> u32 {
        self.found.iter().map(|found| found.rank).min().unwrap_or(u32::MAX)
    }
}

/// A document found by a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The position of the run in [`Pool::runs`].
    pub run: u16,
    /// The rank of the document in the run, from 1.
    pub rank: u32,
}

/// The reason why runs cannot be pooled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// There is nothing to pool.
    #[error("there is no run to pool: name at least one run or retriever")]
    NoRuns,
    /// There are more runs than a pool can number.
    #[error("{0} runs are too many to pool: at most 65,535")]
    TooManyRuns(usize),
    /// Two runs have the same name, so reports could not tell them apart.
    #[error("two runs are named {0:?}: give each run its own name")]
    SameName(String),
    /// A run answers queries that are not among the queries of the study.
    #[error(
        "run {run:?} answers query {topic:?}, which is not among the queries ({count} such queries in this run): \
         add it to the queries, or remove it from the run"
    )]
    UnknownTopic {
        /// The name of the run.
        run: String,
        /// The first such query.
        topic: String,
        /// The number of its queries that are unknown.
        count: usize,
    },
}

/// The contribution of one run to the pool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// The number of pairs that it found.
    pub pairs: usize,
    /// The number of pairs that only it found.
    pub unique: usize,
}

impl Pool {
    /// Pools the best `depth` documents of each run.
    ///
    /// Queries are in the order of `topics`, also those that no run answers; without `topics`, in the order in which
    /// the runs first name them.
    ///
    /// # Errors
    /// Returns an error if there is no run or too many, two runs have the same name, or one answers a query that is
    /// not in `topics`.
    pub fn of(runs: &[Run], depth: NonZeroUsize, topics: Option<&Topics>) -> Result<Self, PoolError> {
        check(runs, topics)?;
        let pooled = order(runs, topics).into_iter().map(|topic| pool_topic(runs, depth, topic));
        Ok(Self { depth, runs: runs.iter().map(|run| run.name.clone()).collect(), topics: pooled.collect() })
    }

    /// Returns the number of pairs of query and document to judge.
    pub fn pairs(&self) -> usize {
        self.topics.iter().map(|topic| topic.documents.len()).sum()
    }

    /// Returns all pairs, query by query: the identifier of the query and the document.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Pooled)> {
        self.topics
            .iter()
            .flat_map(|topic| topic.documents.iter().map(|document| (topic.id.as_str(), document)))
    }

    /// Returns the contribution of each run, in the order of [`runs`](Self::runs).
    pub fn contributions(&self) -> Vec<Contribution> {
        let mut contributions = vec![Contribution::default(); self.runs.len()];
        for (_, document) in self.iter() {
            for found in &document.found {
                if let Some(contribution) = contributions.get_mut(usize::from(found.run)) {
                    contribution.pairs += 1;
                    contribution.unique += usize::from(document.found.len() == 1);
                }
            }
        }
        contributions
    }
}

fn check(runs: &[Run], topics: Option<&Topics>) -> Result<(), PoolError> {
    if runs.is_empty() {
        return Err(PoolError::NoRuns);
    }
    if runs.len() > usize::from(u16::MAX) {
        return Err(PoolError::TooManyRuns(runs.len()));
    }
    let mut names = indexmap::IndexSet::with_hasher(FxBuildHasher);
    for run in runs {
        if !names.insert(run.name.as_str()) {
            return Err(PoolError::SameName(run.name.clone()));
        }
        let Some(topics) = topics else { continue };
        let mut unknown = run.iter().map(|(topic, _)| topic).filter(|topic| topics.get(topic).is_none());
        if let Some(topic) = unknown.next() {
            let topic = topic.to_owned();
            return Err(PoolError::UnknownTopic { run: run.name.clone(), topic, count: 1 + unknown.count() });
        }
    }
    Ok(())
}

fn order<'a>(runs: &'a [Run], topics: Option<&'a Topics>) -> Vec<&'a str> {
    match topics {
        Some(topics) => topics.iter().map(|topic| topic.id.as_str()).collect(),
        None => {
            let named = runs.iter().flat_map(|run| run.iter().map(|(topic, _)| topic));
            named.collect::<indexmap::IndexSet<_>>().into_iter().collect()
        }
    }
}

fn pool_topic(runs: &[Run], depth: NonZeroUsize, topic: &str) -> PooledTopic {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut documents: Vec<Pooled> = Vec::new();
    for (number, run) in (0u16..).zip(runs) {
        for hit in run.ranking(topic).into_iter().flat_map(|ranking| ranking.iter().take(depth.get())) {
            let found = Found { run: number, rank: u32::try_from(hit.rank).unwrap_or(u32::MAX) };
            let place = *places.entry(hit.document).or_insert(documents.len());
            match documents.get_mut(place) {
                Some(document) => document.found.push(found),
                None => documents.push(Pooled { id: hit.document.into(), found: vec![found] }),
            }
        }
    }
    documents.sort_unstable_by(|a, b| a.best_rank().cmp(&b.best_rank()).then_with(|| a.id.cmp(&b.id)));
    PooledTopic { id: topic.to_owned(), documents }
}

#[cfg(test)]
mod tests {
    use llull_core::{Ranking, Topic};
    use proptest::prelude::*;

    use super::*;

    fn run(name: &str, topics: &[(&str, &[&str])]) -> Run {
        let mut run = Run::new(name);
        for (topic, documents) in topics {
            let scored = documents.iter().enumerate().map(|(place, id)| (*id, -(place as f64)));
            run.insert(*topic, Ranking::from_scored(scored));
        }
        run
    }

    fn topics(ids: &[&str]) -> Topics {
        ids.iter().map(|id| Topic { id: (*id).into(), text: format!("about {id}") }).collect()
    }

    fn depth(depth: usize) -> NonZeroUsize {
        NonZeroUsize::new(depth).unwrap()
    }

    #[test]
    fn a_pool_remembers_who_found_what_where() {
        let runs =
            [run("a", &[("q1", &["d1", "d2", "d3"])]), run("b", &[("q1", &["d3", "d1"]), ("q2", &["d9"])])];
        let pool = Pool::of(&runs, depth(2), None).unwrap();
        let ids: Vec<&str> = pool.topics[0].documents.iter().map(|document| &*document.id).collect();
        assert_eq!(ids, ["d1", "d3", "d2"]);
        assert_eq!(pool.topics[0].documents[0].found, [Found { run: 0, rank: 1 }, Found { run: 1, rank: 2 }]);
        assert_eq!(pool.topics[0].documents[1].found, [Found { run: 1, rank: 1 }], "d3 is too deep in a");
        assert_eq!(pool.pairs(), 4);
        assert_eq!(
            pool.contributions(),
            [Contribution { pairs: 2, unique: 1 }, Contribution { pairs: 3, unique: 2 }]
        );
    }

    #[test]
    fn every_topic_is_there_in_order_answered_or_not() {
        let runs = [run("a", &[("q2", &["d1"]), ("q1", &["d1"])])];
        let pool = Pool::of(&runs, depth(5), Some(&topics(&["q1", "q2", "q3"]))).unwrap();
        let sizes: Vec<_> =
            pool.topics.iter().map(|topic| (topic.id.as_str(), topic.documents.len())).collect();
        assert_eq!(sizes, [("q1", 1), ("q2", 1), ("q3", 0)]);
    }

    #[test]
    fn what_cannot_be_pooled_is_refused() {
        assert_eq!(Pool::of(&[], depth(1), None), Err(PoolError::NoRuns));
        let twice = [run("a", &[]), run("a", &[])];
        assert_eq!(Pool::of(&twice, depth(1), None), Err(PoolError::SameName("a".into())));
        let unknown = [run("a", &[("q1", &[]), ("q8", &[]), ("q9", &[])])];
        let error = Pool::of(&unknown, depth(1), Some(&topics(&["q1"]))).unwrap_err();
        assert_eq!(error, PoolError::UnknownTopic { run: "a".into(), topic: "q8".into(), count: 2 });
    }

    proptest! {
        #[test]
        fn a_pool_is_the_union_of_the_tops(
            rankings in proptest::collection::vec(proptest::collection::vec("[a-f]", 0..6), 1..5),
            k in 1usize..8,
        ) {
            let runs: Vec<Run> = rankings
                .iter()
                .enumerate()
                .map(|(number, ids)| {
                    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                    run(&number.to_string(), &[("q", &ids)])
                })
                .collect();
            let pool = Pool::of(&runs, depth(k), None).unwrap();
            let mut expected = 0;
            for (number, run) in runs.iter().enumerate() {
                for hit in run.ranking("q").unwrap().iter().take(k) {
                    expected += 1;
                    let found = Found { run: number as u16, rank: hit.rank as u32 };
                    let pooled = pool.iter().filter(|(_, document)| &*document.id == hit.document);
                    let pooled: Vec<_> = pooled.collect();
                    prop_assert_eq!(pooled.len(), 1);
                    prop_assert!(pooled[0].1.found.contains(&found));
                }
            }
            prop_assert_eq!(pool.iter().map(|(_, document)| document.found.len()).sum::<usize>(), expected);
            prop_assert!(pool.contributions().iter().all(|part| part.unique <= part.pairs));
        }
    }
}
