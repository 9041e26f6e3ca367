//! Measures runs with graded labels.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use llull_core::{GRADE_PARTS, Grade, Qrels, Ranking, Run, TopicQrels};
use rayon::prelude::*;

use super::query_loop::{Grain, LabelledQueries, RankedQuery};
use super::scores::{Cell, Scores, TopicScores};
use crate::definition::{Depth, Ties};
use crate::graded_ranking::{GradedRanking, RaisedRanking};
use crate::measure::Measure;
use crate::parameters::Unjudged;

/// Measuring a query takes microseconds.
pub(super) const GRAIN: Grain = Grain(16);

/// Measures one run: every query of `qrels` in their order, by every measure in the order given.
///
/// A query that the run does not answer, or answers with no document, has figures of 0 and `answered: false`.
/// Queries that only the run has are listed in [`Scores::unlabelled`] and count nowhere. Documents that the labels
/// [drop](Qrels::drop_pair) are removed from the rankings: those below them move up. Measures that compute with grades
/// read the [means](Qrels::set_mean) of a panel, if the labels have them.
pub fn evaluate(measures: &[Measure], qrels: &Qrels, run: &Run) -> Scores {
    Evaluator::new(measures, qrels).evaluate(run)
}

/// Measures several runs, on all cores; the result does not depend on the number of cores. In the order of
/// `runs`.
pub fn evaluate_all(measures: &[Measure], qrels: &Qrels, runs: &[Run]) -> Vec<Scores> {
    let evaluator = Evaluator::new(measures, qrels);
    runs.par_iter().map(|run| evaluator.evaluate(run)).collect()
}

/// Measures and labels, made ready to measure run after run. The scores are those of [`evaluate`].
pub struct Evaluator<'a> {
    measures: &'a [Measure],
    queries: LabelledQueries<'a, QueryLabels<'a>>,
    highest: Grade,
    means: Means,
}

/// The measures that read means, as they are in parts of a grade.
#[derive(Default)]
struct Means {
    /// The places of the measures.
    places: Vec<usize>,
    measures: Vec<Measure>,
    highest: Grade,
}

/// The labels of a query: the grades, and the means if a measure reads any.
struct QueryLabels<'a> {
    grades: SortedLabels<'a>,
    means: Option<SortedLabels<'a>>,
}

impl<'a> Evaluator<'a> {
    /// Sorts the labels of each query.
    pub fn new(measures: &'a [Measure], qrels: &'a Qrels) -> Self {
        let mut means = Means::default();
        if qrels.has_means() {
            let in_parts = |(at, measure): (usize, &Measure)| Some((at, measure.in_parts(GRADE_PARTS)?));
            (means.places, means.measures) = measures.iter().enumerate().filter_map(in_parts).unzip();
        }
        let in_parts =
            |labels: &SortedLabels<'a>| (!means.places.is_empty()).then(|| SortedLabels::of_means(labels));
        let queries = SortedLabels::of_queries(qrels).into_iter();
        let queries =
            queries.map(|(query, grades)| (query, QueryLabels { means: in_parts(&grades), grades }));
        let queries = LabelledQueries::new(queries.collect());
        let highest = SortedLabels::highest(queries.labels().map(|labels| &labels.grades));
        means.highest = SortedLabels::highest(queries.labels().filter_map(|labels| labels.means.as_ref()));
        Self { measures, queries, highest, means }
    }

    /// Measures one run, its queries on all cores.
    pub fn evaluate(&self, run: &Run) -> Scores {
        let Ok(scores) = self.queries.measure(self.measures, run, GRAIN, |grades: &mut Grades, query| {
            Ok::<_, Infallible>(self.score(query, grades))
        });
        scores
    }

    /// Measures one run in the calling thread alone, for callers that measure several runs side by side.
    pub fn evaluate_alone(&self, run: &Run) -> Scores {
        let Ok(scores) = self.queries.measure_alone(self.measures, run, |grades: &mut Grades, query| {
            Ok::<_, Infallible>(self.score(query, grades))
        });
        scores
    }

    /// Measures one query of a run, for callers that do not hold the whole run; `None` if it has no labels.
    /// The figures of all queries are put together by [`of_queries`](Self::of_queries).
    pub fn evaluate_query(&self, query: &str, ranking: &Ranking) -> Option<TopicScores> {
        let query = self.queries.find(query, Some(ranking))?;
        Some(self.score(&query, &mut Grades::default()))
    }

    /// Combines the results of [`evaluate_query`](Self::evaluate_query) for every query of a run, in
    /// their order. The result is that of [`evaluate`](Self::evaluate).
    pub fn of_queries(&self, run: impl Into<String>, queries: Vec<(String, Option<TopicScores>)>) -> Scores {
        let mut known = BTreeMap::new();
        let mut unlabelled = Vec::new();
        for (query, scores) in queries {
            match scores {
                Some(scores) => drop(known.insert(query, scores)),
                None => unlabelled.push(query),
            }
        }
        let topics = self.queries.unanswered().map(|query| {
            known.remove(query.query).unwrap_or_else(|| self.score(&query, &mut Grades::default()))
        });
        Scores { run: run.into(), measures: self.measures.to_vec(), topics: topics.collect(), unlabelled }
    }

    fn score(&self, query: &RankedQuery<'_, QueryLabels<'_>>, grades: &mut Grades) -> TopicScores {
        let labels = &query.labels.grades;
        let mut cells = grades.cells(self.measures, labels, self.highest, query.ranking);
        if let Some(means) = &query.labels.means {
            let of_means = grades.cells(&self.means.measures, means, self.means.highest, query.ranking);
            for (place, of_mean) in self.means.places.iter().zip(of_means) {
                cells.get_mut(*place).into_iter().for_each(|cell| *cell = of_mean);
            }
        }
        TopicScores {
            topic: query.query.to_owned(),
            answered: query.is_answered(),
            relevant: labels.ideal.len() as u32,
            cells,
        }
    }
}

/// The labels of a query, of these the grades above 0, highest first, and how many are 0.
pub(super) struct SortedLabels<'a> {
    labels: &'a TopicQrels,
    /// The grades, or the means in parts, in the order of the labels.
    values: Cow<'a, [Grade]>,
    /// The documents that are removed from rankings.
    dropped: Option<&'a BTreeSet<Box<str>>>,
    ideal: Vec<Grade>,
    zeros: usize,
}

impl<'a> SortedLabels<'a> {
    /// The labels of every query.
    pub(super) fn of_queries(qrels: &'a Qrels) -> Vec<(&'a str, Self)> {
        let queries: Vec<(&str, &TopicQrels)> = qrels.iter().collect();
        let queries = queries.into_par_iter().with_min_len(GRAIN.0);
        let of_query = |(query, labels): (&'a str, &'a TopicQrels)| {
            (query, Self::new(labels, labels.grades().into(), qrels.dropped_of(query)))
        };
        queries.map(of_query).collect()
    }

    /// The same labels by means, in parts.
    fn of_means(of: &Self) -> Self {
        let values = match of.labels.means() {
            [] => of.values.iter().map(|grade| grade.saturating_mul(GRADE_PARTS)).collect(),
            means => Cow::Borrowed(means),
        };
        Self::new(of.labels, values, of.dropped)
    }

    /// The highest grade of several queries, 1 at least.
    pub(super) fn highest<'b>(labels: impl Iterator<Item = &'b Self>) -> Grade
    where
        'a: 'b,
    {
        labels.filter_map(|labels| labels.ideal.first().copied()).max().unwrap_or(1)
    }

    fn new(
        labels: &'a TopicQrels,
        values: Cow<'a, [Grade]>,
        dropped: Option<&'a BTreeSet<Box<str>>>,
    ) -> Self {
        let mut zeros = 0;
        let mut ideal = Vec::new();
        for grade in values.iter() {
            match *grade {
                0 => zeros += 1,
                grade if grade > 0 => ideal.push(grade),
                _ => {}
            }
        }
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        Self { labels, values, dropped, ideal, zeros }
    }
}

/// The grades of a ranking, looked up once for all measures. The memory is used again for the next ranking.
#[derive(Default)]
pub(super) struct Grades {
    retrieved: Vec<Option<Grade>>,
    ascending: Vec<Option<Grade>>,
    condensed: Vec<Option<Grade>>,
}

impl Grades {
    /// The figures of one ranking.
    pub(super) fn cells(
        &mut self,
        measures: &[Measure],
        labels: &SortedLabels<'_>,
        highest: Grade,
        ranking: Option<&Ranking>,
    ) -> Vec<Cell> {
        let kept = ranking
            .zip(labels.dropped)
            .map(|(ranking, dropped)| ranking.without(|document| dropped.contains(document)));
        let ranking = kept.as_ref().or(ranking);
        self.look_up(ranking, labels);
        if measures.iter().any(|measure| measure.definition().ties == Ties::Ascending) {
            self.reverse_ties(ranking);
        }
        if measures.iter().any(|measure| measure.unjudged() == Unjudged::Excluded) {
            self.condense();
        }
        let graded = GradedRanking {
            retrieved: &self.retrieved,
            ascending: &self.ascending,
            condensed: &self.condensed,
            ideal: &labels.ideal,
            zeros: labels.zeros,
            highest,
        };
        measures.iter().map(|measure| cell(measure, &graded)).collect()
    }

    fn look_up(&mut self, ranking: Option<&Ranking>, labels: &SortedLabels<'_>) {
        self.retrieved.clear();
        self.ascending.clear();
        self.condensed.clear();
        if let Some(ranking) = ranking {
            let (places, values) = (labels.labels, &*labels.values);
            let value = |document: &str| values.get(places.place(document)?).copied();
            self.retrieved.extend(ranking.iter().map(|hit| value(hit.document)));
        }
    }

    /// Leaves out the documents that were not judged.
    fn condense(&mut self) {
        let judged = self.retrieved.iter().filter(|grade| grade.is_some_and(|grade| grade >= 0));
        self.condensed.extend(judged);
    }

    fn reverse_ties(&mut self, ranking: Option<&Ranking>) {
        self.ascending.extend_from_slice(&self.retrieved);
        reverse_ties(&mut self.ascending, ranking);
    }
}

/// Puts the documents of a ranking, in the official order, into the one in which documents of one score are in
/// ascending order. The official one has them in descending order, so it is enough to reverse each such group.
pub(super) fn reverse_ties<T>(documents: &mut [T], ranking: Option<&Ranking>) {
    let mut rest = documents;
    for tied in ranking.map_or(&[][..], Ranking::scores).chunk_by(|a, b| a == b) {
        let tied = tied.len().min(rest.len());
        let (group, others) = std::mem::take(&mut rest).split_at_mut(tied);
        group.reverse();
        rest = others;
    }
}

fn cell(measure: &Measure, graded: &GradedRanking<'_>) -> Cell {
    let seen = seen(measure, graded);
    Cell {
        value: value(measure, graded),
        seen: seen.len() as u32,
        unjudged: seen.iter().filter(|grade| grade.is_none()).count() as u32,
        nothing_relevant: nothing_relevant(measure, graded.ideal),
    }
}

/// Whether no grade of the labels is worth anything; `ideal` has those above 0.
fn nothing_relevant(measure: &Measure, ideal: &[Grade]) -> bool {
    // A grade of 0 or less is worth nothing to any measure, and some measures read no grade.
    measure.is_worth(0).is_some() && !ideal.iter().any(|grade| measure.is_worth(*grade) == Some(true))
}

/// 0 if nothing was retrieved, except for values that do not depend on the run.
pub(super) fn value(measure: &Measure, graded: &GradedRanking<'_>) -> f64 {
    let definition = measure.definition();
    if graded.retrieved.is_empty() && !definition.computed_without_documents {
        return 0.0;
    }
    let lowest = measure.parameters().min_rel;
    if lowest > 0 {
        let raised = RaisedRanking::above(lowest, graded);
        return (definition.value)(&raised.ranking(), &measure.parameters().above_lowest());
    }
    (definition.value)(graded, measure.parameters())
}

/// The retrieved documents that the measure reads.
fn seen<'g>(measure: &Measure, graded: &'g GradedRanking<'_>) -> &'g [Option<Grade>] {
    match measure.depth() {
        _ if measure.definition().depth == Depth::Zero => &[],
        None => graded.top(measure.unjudged(), measure.cutoff()),
        Some(depth) => graded.retrieved.get(..depth).unwrap_or(graded.retrieved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best_order;

    /// By hand: grades 1 and 1 are the means 4/3 and 2/3, and the run has the worse one first.
    #[test]
    fn ndcg_reads_means_and_precision_grades() {
        let mut labels = Qrels::default();
        for (document, mean) in [("d1", 4 * GRADE_PARTS / 3), ("d2", 2 * GRADE_PARTS / 3)] {
            labels.insert("q1", document, 1);
            labels.set_mean("q1", document, mean);
        }
        labels.insert("q2", "d1", 2);
        let mut run = Run::new("run");
        run.insert("q1", Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
        run.insert("q2", Ranking::from_ordered([("d1", 1.0)]));
        let measures = ["P@2", "nDCG@2", "nDCG(dcg='exp-log2')@2"].map(|name| name.parse().unwrap());
        let scores = evaluate(&measures, &labels, &run);
        let log = 3f64.log2();
        let ndcg = (2.0 / 3.0 + 4.0 / 3.0 / log) / (4.0 / 3.0 + 2.0 / 3.0 / log);
        let values = scores.topics[0].cells.iter().map(|cell| cell.value);
        for (value, expected) in values.zip([1.0, ndcg, 1.0]) {
            assert!((value - expected).abs() < 1e-12, "{value} {expected}");
        }
        assert_eq!(scores.topics[1].cells[1].value, 1.0);
        assert_eq!(scores.measures, measures);
        assert_eq!(best_order(&measures, &labels, &run, None)[1], Some(1.0));
        // By the mean the third document is best, and by the median it is not relevant.
        labels.insert("q1", "d3", 0);
        labels.set_mean("q1", "d3", 2 * GRADE_PARTS);
        run.insert("q1", Ranking::from_ordered([("d3", 3.0), ("d2", 2.0), ("d1", 1.0)]));
        let best = best_order(&["P@1", "nDCG@1"].map(|name| name.parse().unwrap()), &labels, &run, None);
        assert_eq!(best, [Some(1.0); 2]);
    }
}
