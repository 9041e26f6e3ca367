//! Depth-k pooling: which documents are judged, and which runs gave them at which rank.

use std::num::NonZeroUsize;

use llull_core::{Run, Topics};
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

/// The documents to judge: for every topic the union of the best `depth` documents of every run.
///
/// Depth-k pooling is TREC's (Sparck Jones and van Rijsbergen 1975; Voorhees and Harman 2005, chapter 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// How many documents of each run and topic entered it.
    pub depth: NonZeroUsize,
    /// The runs' names; [`Found::run`] is a place in this list.
    pub runs: Vec<String>,
    /// The topics.
    pub topics: Vec<PooledTopic>,
}

/// The pool of one topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledTopic {
    /// The topic's identifier.
    pub id: String,
    /// Its documents: by the best rank that any run gave them, then by identifier. Where money runs out, what
    /// decides the measures is judged already; and the order does not tell which run found a document.
    pub documents: Vec<Pooled>,
}

/// One document to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooled {
    /// The document's identifier.
    pub id: Box<str>,
    /// Who found it, in the order of the runs. Never empty.
    pub found: Vec<Found>,
}

impl Pooled {
    /// The best rank that any run gave it, from 1.
    pub fn best_rank(&self) -> u32 {
        self.found.iter().map(|found| found.rank).min().unwrap_or(u32::MAX)
    }
}

/// One run's finding of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The run's place in [`Pool::runs`].
    pub run: u16,
    /// The document's rank there, from 1.
    pub rank: u32,
}

/// Why runs cannot be pooled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// There is nothing to pool.
    #[error("there is no run to pool: name at least one run or retriever")]
    NoRuns,
    /// More runs than a pool can number.
    #[error("{0} runs are too many to pool: at most 65,535")]
    TooManyRuns(usize),
    /// Two runs could not be told apart in any report.
    #[error("two runs are named {0:?}: give each run its own name")]
    SameName(String),
    /// A run answers topics that are not among the topics.
    #[error(
        "run {run:?} answers topic {topic:?}, which is not among the topics ({count} such topics in this run): \
         add it to the topics, or remove it from the run"
    )]
    UnknownTopic {
        /// The run's name.
        run: String,
        /// The first such topic.
        topic: String,
        /// How many of its topics are unknown.
        count: usize,
    },
}

/// What one run brought into the pool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// Pairs that it found.
    pub pairs: usize,
    /// Pairs that it alone found.
    pub unique: usize,
}

impl Pool {
    /// Pools the best `depth` documents of each run.
    ///
    /// Topics come in the order of `topics`, each of them, also where no run answers it; without `topics`, in the
    /// order in which the runs first name them.
    ///
    /// # Errors
    /// When there is no run, there are too many, two have one name, or one answers a topic that is not in `topics`.
    pub fn of(runs: &[Run], depth: NonZeroUsize, topics: Option<&Topics>) -> Result<Self, PoolError> {
        check(runs, topics)?;
        let pooled = order(runs, topics).into_iter().map(|topic| pool_topic(runs, depth, topic));
        Ok(Self { depth, runs: runs.iter().map(|run| run.name.clone()).collect(), topics: pooled.collect() })
    }

    /// How many pairs of topic and document there are to judge.
    pub fn pairs(&self) -> usize {
        self.topics.iter().map(|topic| topic.documents.len()).sum()
    }

    /// All pairs, topic by topic: the topic's identifier and the document.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Pooled)> {
        self.topics
            .iter()
            .flat_map(|topic| topic.documents.iter().map(|document| (topic.id.as_str(), document)))
    }

    /// What each run brought, in the order of [`runs`](Self::runs).
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
