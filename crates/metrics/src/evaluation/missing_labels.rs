//! Bounds the effect of missing labels on a difference of systems.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::{GRADE_PARTS, Grade, Qrels, Ranking, Run};
use rayon::prelude::*;

use super::graded::{GRAIN, reverse_ties, value};
use crate::definition::{LabelsRead, Ties};
use crate::graded_ranking::GradedRanking;
use crate::measure::Measure;

/// Up to so many missing documents are all tried one by one; of more, those that matter most.
const FEW: usize = 32;
/// Up to this number, documents of a sum are graded one by one, each with a pass over both lists.
const MANY: usize = 256;

/// The labels that are known, and the grades that the missing ones could have.
#[derive(Debug, Clone)]
pub struct KnownLabels<'a> {
    /// The labels.
    pub labels: &'a Qrels,
    /// The lowest grade that a label can have.
    pub lowest: Grade,
    /// The highest.
    pub highest: Grade,
    /// The queries that count once every label is there.
    pub queries: Vec<&'a str>,
    /// The documents whose labels are missing.
    pub missing: MissingDocuments<'a>,
}

/// The documents whose labels are missing.
#[derive(Debug, Clone)]
pub enum MissingDocuments<'a> {
    /// Every retrieved document without a label.
    Retrieved,
    /// These documents of each query, retrieved or not. Others without a label are not relevant.
    Named(BTreeMap<&'a str, BTreeSet<&'a str>>),
}

/// The difference between two systems on one query, system minus baseline, at the extremes of the missing labels.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceBounds {
    /// The query.
    pub query: String,
    /// The lowest difference.
    pub low: f64,
    /// The highest difference.
    pub high: f64,
    /// The documents without a label that the measure reads, in either list.
    pub missing: usize,
    /// The documents that it reads, in either list.
    pub seen: usize,
    /// Whether the query has any label.
    pub labelled: bool,
}

impl<'a> KnownLabels<'a> {
    /// The labels of a file: its queries count, and grades run from 0 to the highest label.
    pub fn of_file(labels: &'a Qrels) -> Self {
        let highest = labels.iter().flat_map(|(_, labels)| labels.values().copied()).max();
        Self {
            labels,
            lowest: 0,
            highest: highest.unwrap_or(1).max(1),
            queries: labels.iter().map(|(query, _)| query).collect(),
            missing: MissingDocuments::Retrieved,
        }
    }

    /// Bounds the difference by `measure` on every query, in the order of the queries; no query if the measure only
    /// counts labels. Each bound is the difference under labels that were found. They are the extremes for sums over
    /// documents (P, DCG, RBP, SetP), RR, Success and R. Those of other measures take too long to find: in simulations,
    /// nDCG, AP and ERR come within 0.02.
    ///
    /// ```
    /// use llull_core::{Qrels, Ranking, Run};
    /// use llull_metrics::KnownLabels;
    ///
    /// let mut labels = Qrels::default();
    /// labels.insert("q1", "d1", 1);
    /// let (mut baseline, mut system) = (Run::new("baseline"), Run::new("system"));
    /// baseline.insert("q1", Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
    /// system.insert("q1", Ranking::from_ordered([("d1", 2.0), ("d3", 1.0)]));
    /// let bounds = KnownLabels::of_file(&labels).bounds(&"P@1".parse()?, &baseline, &system);
    /// assert_eq!((bounds[0].low, bounds[0].high, bounds[0].missing), (0.0, 1.0, 1));
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    pub fn bounds(&self, measure: &Measure, baseline: &Run, system: &Run) -> Vec<DifferenceBounds> {
        // Measures that count labels (Judged, unj) state the number of missing ones; these do not make them uncertain.
        if matches!(measure.labels_read(), LabelsRead::Presence | LabelsRead::Judged | LabelsRead::Nothing) {
            return Vec::new();
        }
        let in_parts = measure.in_parts(GRADE_PARTS);
        if let Some((measure, labels)) = in_parts.and_then(|measure| Some((measure, self.labels.in_parts()?)))
        {
            let [lowest, highest] =
                [self.lowest, self.highest].map(|grade| grade.saturating_mul(GRADE_PARTS));
            return KnownLabels { labels: &labels, lowest, highest, ..self.clone() }
                .bounds(&measure, baseline, system);
        }
        let known = self.labels.iter().flat_map(|(_, labels)| labels.values().copied()).max().unwrap_or(1);
        let highest = known.max(self.highest).max(1);
        let bounds = |query: &&str| {
            let open = OpenQuery::new(self, measure, query, [baseline, system], highest);
            let retrieved = |places: &&[Option<usize>; 2]| places.iter().any(Option::is_some);
            DifferenceBounds {
                query: (*query).to_owned(),
                low: 0.0 - open.most(0),
                high: open.most(1),
                missing: open.places.iter().filter(retrieved).count(),
                seen: open.seen,
                labelled: self.labels.topic(query).is_some_and(|labels| !labels.is_empty()),
            }
        };
        self.queries.par_iter().with_min_len(GRAIN.0).map(bounds).collect()
    }
}

/// A document of a list: its label if it has one, or its number among the documents without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Known(Option<Grade>),
    Missing(usize),
}

/// A query with both rankings, and the documents whose labels are missing.
struct OpenQuery<'a> {
    measure: &'a Measure,
    /// The grades to try, lowest first.
    grades: Vec<Grade>,
    /// The highest grade among the labels of all queries.
    highest: Grade,
    /// Each list in the order of ranks.
    lists: [Vec<Slot>; 2],
    /// The same with ties in ascending order; empty unless the measure reads them so.
    ascending: [Vec<Slot>; 2],
    /// The known labels above 0.
    known: Vec<Grade>,
    /// How many known labels are 0.
    zeros: usize,
    /// The place of each missing document in both lists, from 0.
    places: Vec<[Option<usize>; 2]>,
    /// The documents that the measure reads, in either list.
    seen: usize,
}

impl<'a> OpenQuery<'a> {
    fn new(of: &KnownLabels<'_>, measure: &'a Measure, query: &str, runs: [&Run; 2], highest: Grade) -> Self {
        let labels = of.labels.topic(query);
        let depth = measure.reads().unwrap_or(usize::MAX);
        let rankings = runs.map(|run| run.ranking(query));
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut places: Vec<[Option<usize>; 2]> = Vec::new();
        let mut documents = BTreeSet::new();
        let none = BTreeSet::new();
        let named = match &of.missing {
            MissingDocuments::Retrieved => None,
            MissingDocuments::Named(named) => Some(named.get(query).unwrap_or(&none)),
        };
        let lists = [0, 1].map(|list| {
            let hits = rankings[list].into_iter().flat_map(Ranking::iter).take(depth).enumerate();
            hits.map(|(place, hit)| {
                documents.insert(hit.document);
                let label = labels.and_then(|labels| labels.get(hit.document)).copied();
                if label.is_some() || named.is_some_and(|named| !named.contains(hit.document)) {
                    return Slot::Known(label);
                }
                let number = *numbers.entry(hit.document).or_insert(places.len());
                if number == places.len() {
                    places.push([None; 2]);
                }
                places[number][list] = Some(place);
                Slot::Missing(number)
            })
            .collect::<Vec<Slot>>()
        });
        let ascending = match measure.definition().ties {
            Ties::Descending => Default::default(),
            Ties::Ascending => [0, 1].map(|list| in_ascending_order(&lists[list], rankings[list])),
        };
        if !measure.reads_retrieved_only() {
            let all = named.map_or(0, BTreeSet::len);
            places.resize(places.len().max(all), [None; 2]);
        }
        let grades = || labels.into_iter().flat_map(|labels| labels.values().copied());
        Self {
            measure,
            grades: tried(of.lowest, of.highest.max(of.lowest)),
            highest,
            lists,
            ascending,
            known: grades().filter(|grade| *grade > 0).collect(),
            zeros: grades().filter(|grade| *grade == 0).count(),
            places,
            seen: documents.len(),
        }
    }

    /// The highest difference in favour of one of the lists.
    fn most(&self, list: usize) -> f64 {
        let mut search = Search::new(self, list);
        if self.places.is_empty() || self.lists[0] == self.lists[1] {
            return search.difference();
        }
        match self.measure.linear_form() {
            Some(_) if self.places.len() <= MANY => search.each_by_itself(),
            _ => search.greedily(),
        }
    }
}

/// Documents of one score in the other order.
fn in_ascending_order(slots: &[Slot], ranking: Option<&Ranking>) -> Vec<Slot> {
    let mut ascending = slots.to_vec();
    reverse_ties(&mut ascending, ranking);
    ascending
}

/// Grades every document by itself, since none changes the worth of another.
fn tried(lowest: Grade, highest: Grade) -> Vec<Grade> {
    const MOST: i64 = 8;
    let (low, span) = (i64::from(lowest), i64::from(highest) - i64::from(lowest));
    let steps = span.min(MOST);
    let grade = |step: i64| low + if steps == 0 { 0 } else { span * step / steps };
    (0..=steps).map(|step| grade(step) as Grade).collect()
}

/// A search for the labels that favour one list most.
struct Search<'a> {
    query: &'a OpenQuery<'a>,
    /// The list that is favoured.
    list: usize,
    /// The grade of each missing document.
    assigned: Vec<Grade>,
    retrieved: Vec<Option<Grade>>,
    ascending: Vec<Option<Grade>>,
    condensed: Vec<Option<Grade>>,
    ideal: Vec<Grade>,
}

impl<'a> Search<'a> {
    fn new(query: &'a OpenQuery<'a>, list: usize) -> Self {
        let lowest = query.grades.first().copied().unwrap_or(0);
        Self {
            query,
            list,
            assigned: vec![lowest; query.places.len()],
            retrieved: Vec::new(),
            ascending: Vec::new(),
            condensed: Vec::new(),
            ideal: Vec::new(),
        }
    }

    /// The difference with the grades that are assigned.
    fn difference(&mut self) -> f64 {
        let positive = |grade: &Grade| *grade > 0;
        self.ideal.clear();
        self.ideal
            .extend(self.query.known.iter().chain(self.assigned.iter().filter(|grade| positive(grade))));
        self.ideal.sort_unstable_by(|a, b| b.cmp(a));
        self.value(self.list) - self.value(1 - self.list)
    }

    fn value(&mut self, list: usize) -> f64 {
        let Self { query, assigned, retrieved, ascending, condensed, ideal, .. } = self;
        let graded = |slot: &Slot| match *slot {
            Slot::Known(grade) => grade,
            Slot::Missing(number) => assigned.get(number).copied(),
        };
        retrieved.clear();
        retrieved.extend(query.lists[list].iter().map(graded));
        ascending.clear();
        ascending.extend(query.ascending[list].iter().map(graded));
        condensed.clear();
        condensed.extend(retrieved.iter().filter(|grade| grade.is_some_and(|grade| grade >= 0)));
        let zeros = query.zeros + assigned.iter().filter(|grade| **grade == 0).count();
        let graded = GradedRanking { retrieved, ascending, condensed, ideal, zeros, highest: query.highest };
        value(query.measure, &graded)
    }

    /// Grades every document by itself, since none changes what another is worth.
    fn each_by_itself(&mut self) -> f64 {
        for document in 0..self.assigned.len() {
            self.improve(document, f64::NEG_INFINITY);
        }
        self.difference()
    }

    /// Gives a document the grade with the highest difference, if that is above `best`; returns the difference.
    fn improve(&mut self, document: usize, best: f64) -> f64 {
        let (mut best, mut chosen) = (best, self.assigned[document]);
        for at in 0..self.query.grades.len() {
            self.assigned[document] = self.query.grades[at];
            let found = self.difference();
            if found > best {
                (best, chosen) = (found, self.query.grades[at]);
            }
        }
        self.assigned[document] = chosen;
        best
    }

    /// Gives one grade to the documents that favour the list most, as many of them as give the highest difference, or
    /// to one alone; then changes single grades while that raises it. Tries every grade.
    fn greedily(&mut self) -> f64 {
        let lowest = self.query.grades.first().copied().unwrap_or(0);
        let orders = self.orders();
        let mut most = self.difference();
        for grade in self.query.grades.iter().skip(1).rev() {
            let (mut best, mut labels) = (f64::NEG_INFINITY, self.assigned.clone());
            for (order, favouring) in &orders {
                let sizes = prefixes(order.len()).into_iter().chain([*favouring]);
                let alone = order.iter().take(FEW).map(std::slice::from_ref);
                for graded in sizes.map(|size| &order[..size]).chain(alone) {
                    self.assigned.fill(lowest);
                    graded.iter().for_each(|document| self.assigned[*document] = *grade);
                    let found = self.difference();
                    if found > best {
                        best = found;
                        labels.clone_from(&self.assigned);
                    }
                }
            }
            self.assigned = labels;
            if self.assigned.len() <= FEW {
                best = self.improve_all(best);
            }
            most = most.max(best);
        }
        most
    }

    /// Changes single grades while that raises the difference, a few times.
    fn improve_all(&mut self, mut best: f64) -> f64 {
        for _ in 0..4 {
            let before = best;
            for document in 0..self.assigned.len() {
                best = self.improve(document, best);
            }
            if best <= before {
                break;
            }
        }
        best
    }

    /// The documents in several orders of how much they favour the list, and how many do: where a sum is highest.
    fn orders(&self) -> [(Vec<usize>, usize); 3] {
        let gained = |places: &[Option<usize>; 2], at: fn(usize) -> f64| {
            let of = |list: usize| places[list].map_or(0.0, at);
            of(self.list) - of(1 - self.list)
        };
        let discounted: fn(usize) -> f64 = |place| 1.0 / ((place + 2) as f64).log2();
        let reciprocal: fn(usize) -> f64 = |place| 1.0 / (place + 1) as f64;
        let retrieved: fn(usize) -> f64 = |place| 4.0 + 1.0 / ((place + 2) as f64).log2();
        [discounted, reciprocal, retrieved].map(|at| {
            let mut order: Vec<usize> = (0..self.query.places.len()).collect();
            let favour: Vec<f64> = self.query.places.iter().map(|places| gained(places, at)).collect();
            order.sort_by(|a, b| favour[*b].total_cmp(&favour[*a]));
            (order, favour.iter().filter(|favour| **favour > 0.0).count())
        })
    }
}

/// How many documents get the highest grade: every number up to [`FEW`], then growing by a half.
fn prefixes(documents: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = (1..=documents.min(FEW)).collect();
    let mut size = FEW * 3 / 2;
    while size < documents {
        sizes.push(size);
        size += size / 2;
    }
    if documents > FEW {
        sizes.push(documents);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate;

    const DOCUMENTS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

    /// The lowest and the highest difference under every way to grade the missing documents.
    fn by_force(measure: &Measure, known: &Qrels, top: Grade, runs: &[Run; 2]) -> (f64, f64) {
        let missing: Vec<&str> = DOCUMENTS
            .into_iter()
            .filter(|document| known.grade("q", document).is_none())
            .filter(|document| {
                let holds = |run: &Run| {
                    let depth = measure.reads().unwrap_or(usize::MAX);
                    run.ranking("q").unwrap().iter().take(depth).any(|hit| hit.document == *document)
                };
                runs.iter().any(holds)
            })
            .collect();
        let ways = (top as usize + 1).pow(missing.len() as u32);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for way in 0..ways {
            let (mut labels, mut rest) = (known.clone(), way);
            for document in &missing {
                labels.insert("q", document, (rest % (top as usize + 1)) as Grade);
                rest /= top as usize + 1;
            }
            let of = |run: &Run| evaluate(&[*measure], &labels, run).mean(0).unwrap();
            let difference = of(&runs[1]) - of(&runs[0]);
            (low, high) = (low.min(difference), high.max(difference));
        }
        (low, high)
    }

    fn run(name: &str, order: &[usize]) -> Run {
        let mut run = Run::new(name);
        let hits = order.iter().enumerate().map(|(at, place)| (DOCUMENTS[*place], -(at as f64)));
        run.insert("q", Ranking::from_scored(hits));
        run
    }

    fn order() -> impl Strategy<Value = Vec<usize>> {
        Just((0..DOCUMENTS.len()).collect::<Vec<_>>())
            .prop_shuffle()
            .prop_flat_map(|order| (2..=order.len()).prop_map(move |length| order[..length].to_vec()))
    }

    proptest! {
        #[test]
        fn no_labels_are_more_extreme_than_the_bounds(
            baseline in order(),
            system in order(),
            known in proptest::collection::vec(0i32..4, 2..5),
            (measure, tolerance) in prop::sample::select(vec![
                ("P@3", 1e-9), ("P(rel=2)@2", 1e-9), ("DCG@4", 1e-9), ("RBP(p=0.8)", 1e-9), ("SetP", 1e-9),
                ("RR", 1e-9), ("RR@3", 1e-9), ("Success@2", 1e-9), ("R@3", 1e-9), ("AP", 0.02), ("nDCG@4", 0.02),
                ("nDCG", 0.02), ("nDCG(dcg='exp-log2')@3", 0.02), ("ERR@4", 0.02),
            ]),
        ) {
            let measure: Measure = measure.parse().unwrap();
            let mut labels = Qrels::default();
            for (document, grade) in DOCUMENTS.iter().zip(known) {
                labels.insert("q", document, grade);
            }
            let runs = [run("baseline", &baseline), run("system", &system)];
            let of = KnownLabels { highest: 3, ..KnownLabels::of_file(&labels) };
            let found = &of.bounds(&measure, &runs[0], &runs[1])[0];
            let (low, high) = by_force(&measure, &labels, 3, &runs);
            let apart = [found.low - low, high - found.high];
            prop_assert!(apart.iter().all(|apart| (-1e-9..=tolerance).contains(apart)), "{}: {:?}", measure, apart);
        }
    }

    #[test]
    fn a_query_without_any_label_is_bounded_too() {
        let labels = Qrels::default();
        let runs = [run("baseline", &[0, 1, 2]), run("system", &[3, 4, 5])];
        let of = KnownLabels { queries: vec!["q"], highest: 3, ..KnownLabels::of_file(&labels) };
        let found = &of.bounds(&"nDCG@3".parse().unwrap(), &runs[0], &runs[1])[0];
        assert_eq!((found.low, found.high), (-1.0, 1.0));
        assert_eq!((found.missing, found.seen, found.labelled), (6, 6, false));
    }

    #[test]
    fn documents_that_neither_list_has_can_bring_a_difference_down() {
        let mut labels = Qrels::default();
        labels.insert("q", "a", 1);
        let runs = [run("baseline", &[1]), run("system", &[0])];
        let measure: Measure = "R@1".parse().unwrap();
        labels.insert("q", "b", 0);
        let alone = &KnownLabels::of_file(&labels).bounds(&measure, &runs[0], &runs[1])[0];
        assert_eq!((alone.low, alone.high), (1.0, 1.0));
        let missing = MissingDocuments::Named(BTreeMap::from([("q", BTreeSet::from(["c", "d", "e"]))]));
        let of = KnownLabels { missing, ..KnownLabels::of_file(&labels) };
        let found = &of.bounds(&measure, &runs[0], &runs[1])[0];
        assert_eq!((found.low, found.high, found.missing), (0.25, 1.0, 0));
    }

    #[test]
    fn what_counts_labels_is_not_uncertain_for_lack_of_labels() {
        let mut labels = Qrels::default();
        labels.insert("q", "a", 1);
        let runs = [run("baseline", &[0, 1]), run("system", &[2, 3])];
        for measure in ["Judged@2", "unj@2", "NumRet"] {
            let found = KnownLabels::of_file(&labels).bounds(&measure.parse().unwrap(), &runs[0], &runs[1]);
            assert_eq!(found, [], "{measure}");
        }
    }

    #[test]
    fn long_lists_are_bounded_without_trying_every_prefix() {
        assert!(prefixes(2_000).len() < 50);
        assert_eq!(prefixes(3), [1, 2, 3]);
        assert_eq!(prefixes(2_000).last(), Some(&2_000));
        assert_eq!(tried(0, 3), [0, 1, 2, 3]);
        assert_eq!((tried(0, 100).len(), tried(0, 100).last()), (9, Some(&100)));
    }
}
