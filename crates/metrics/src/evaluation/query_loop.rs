//! The loop over the queries of a run.

use std::collections::BTreeMap;

use llull_core::{Ranking, Run};
use rayon::prelude::*;

use super::scores::{Scores, TopicFigures};

/// Queries with labels of some kind, in their order.
pub(crate) struct LabelledQueries<'a, L> {
    queries: Vec<(&'a str, L)>,
    /// The place of each query.
    places: BTreeMap<&'a str, usize>,
}

/// A query with its labels and a run's ranking for it.
pub(crate) struct RankedQuery<'a, L> {
    pub(crate) query: &'a str,
    pub(crate) labels: &'a L,
    /// `None` if the run does not have the query.
    pub(crate) ranking: Option<&'a Ranking>,
}

/// The least number of queries that a core measures at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grain(pub(crate) usize);

impl<L> RankedQuery<'_, L> {
    /// Whether the run returned any document.
    pub(crate) fn is_answered(&self) -> bool {
        self.ranking.is_some_and(|ranking| !ranking.is_empty())
    }
}

impl<'a, L: Sync> LabelledQueries<'a, L> {
    /// Queries that are all different.
    pub(crate) fn new(queries: Vec<(&'a str, L)>) -> Self {
        let places = queries.iter().enumerate().map(|(place, (query, _))| (*query, place)).collect();
        Self { queries, places }
    }

    /// A query with its labels; `None` if it has none.
    pub(super) fn find<'b>(
        &'b self,
        query: &str,
        ranking: Option<&'b Ranking>,
    ) -> Option<RankedQuery<'b, L>> {
        let (query, labels) = self.queries.get(*self.places.get(query)?)?;
        Some(RankedQuery { query, labels, ranking })
    }

    /// All queries with their labels, in their order, as if a run answered none.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = RankedQuery<'_, L>> {
        self.queries.iter().map(|(query, labels)| RankedQuery { query, labels, ranking: None })
    }

    /// The labels of all queries, in their order.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &L> {
        self.queries.iter().map(|(_, labels)| labels)
    }

    /// Measures a run on all cores, query by query; the result does not depend on the number of cores. `score` gets
    /// memory that it can use again for the next query.
    pub(crate) fn measure<S, T, E>(
        &self,
        measures: &[T::Measure],
        run: &Run,
        grain: Grain,
        score: impl Fn(&mut S, &RankedQuery<'_, L>) -> Result<T, E> + Sync,
    ) -> Result<Scores<T>, E>
    where
        S: Default,
        T: TopicFigures + Send,
        T::Measure: Clone,
        E: Send,
    {
        let queries = self.queries.par_iter().with_min_len(grain.0);
        let scored = queries.map_init(S::default, |memory, query| score(memory, &ranked(query, run)));
        // gathered first, so that the error is that of the first query
        let scored: Vec<Result<T, E>> = scored.collect();
        Ok(self.scores(measures, run, scored.into_iter().collect::<Result<_, _>>()?))
    }

    /// As [`measure`](Self::measure), in the calling thread alone.
    pub(crate) fn measure_alone<S, T, E>(
        &self,
        measures: &[T::Measure],
        run: &Run,
        score: impl Fn(&mut S, &RankedQuery<'_, L>) -> Result<T, E>,
    ) -> Result<Scores<T>, E>
    where
        S: Default,
        T: TopicFigures,
        T::Measure: Clone,
    {
        let mut memory = S::default();
        let scored = self.queries.iter().map(|query| score(&mut memory, &ranked(query, run)));
        Ok(self.scores(measures, run, scored.collect::<Result<_, _>>()?))
    }

    fn scores<T: TopicFigures>(&self, measures: &[T::Measure], run: &Run, topics: Vec<T>) -> Scores<T>
    where
        T::Measure: Clone,
    {
        let unlabelled = run.iter().map(|(query, _)| query).filter(|query| !self.places.contains_key(query));
        Scores {
            run: run.name.clone(),
            measures: measures.to_vec(),
            unlabelled: unlabelled.map(str::to_owned).collect(),
            topics,
        }
    }
}

impl<'a, L: Sync> LabelledQueries<'a, Vec<L>> {
    /// Labels of one query gathered from several places, such as judges. The queries are in the order of their first
    /// labels.
    pub(crate) fn gathered(labels: impl IntoIterator<Item = (&'a str, L)>) -> Self {
        let mut gathered = Self { queries: Vec::new(), places: BTreeMap::new() };
        for (query, labels) in labels {
            let place = *gathered.places.entry(query).or_insert(gathered.queries.len());
            match gathered.queries.get_mut(place) {
                Some((_, known)) => known.push(labels),
                None => gathered.queries.push((query, vec![labels])),
            }
        }
        gathered
    }
}

fn ranked<'a, L>((query, labels): &'a (&'a str, L), run: &'a Run) -> RankedQuery<'a, L> {
    RankedQuery { query, labels, ranking: run.ranking(query) }
}
