//! Pairs to which two label sets give different grades, with reasons.

use std::cmp::Reverse;

use llull_core::{Grade, Qrels, Run};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{ABSENT, count, shorten, text_table, visible_line, words};

/// The pairs of two label sets that differ: how many, and the first of them. `S` names the two sides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DifferingPairs<S> {
    /// Pairs of query and document that both have labelled.
    pub both: usize,
    /// How many of them differ.
    pub differ: usize,
    /// How many of those have the higher grade on the second side.
    pub higher: usize,
    /// How many have the lower grade there.
    pub lower: usize,
    /// The first of them: the largest difference first, then the best rank in a system, then the order of the labels.
    pub listed: Vec<DifferingPair<S>>,
}

/// A pair to which two label sets give different grades.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DifferingPair<S> {
    /// The query.
    pub query: String,
    /// The query text; absent where it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_text: Option<String>,
    /// The document.
    pub document: String,
    /// Its title, or its first words; absent where they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The best rank, from 1, at which one of the systems has the document; absent if none has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_rank: Option<usize>,
    /// The labels of both sides, with their reasons.
    #[serde(flatten)]
    pub sides: S,
}

/// The label of one side for a pair, with its judges' answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairReasons {
    /// The label.
    pub grade: i32,
    /// The answers of the judges behind the label; absent where they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<JudgeReason>,
}

/// One judge's answer for a pair, with its reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeReason {
    /// The judge.
    pub judge: String,
    /// Its grade; absent if it has given none that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<i32>,
    /// Its explanation; absent if it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Parts of the query that it finds addressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets_covered: Vec<String>,
    /// Parts that it finds not addressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets_missing: Vec<String>,
}

/// Query text, title and answers for a pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairDetails {
    /// The query text.
    pub query_text: Option<String>,
    /// The document's title, or its first words.
    pub title: Option<String>,
    /// The answers of the first side's judges.
    pub first: Vec<JudgeReason>,
    /// The answers of the second side's judges.
    pub second: Vec<JudgeReason>,
}

/// The two sides of a difference under the names that JSON gives them.
pub trait Sides: Sized {
    /// The sides of a pair with these grades.
    fn of(first: Grade, second: Grade) -> Self;

    /// The first and the second side.
    fn both(&self) -> [&PairReasons; 2];

    /// The same, to add to.
    fn both_mut(&mut self) -> [&mut PairReasons; 2];
}

/// Defines the two sides of a difference under two names.
macro_rules! sides {
    ($(#[$about:meta])* $name:ident { $first:ident: $is_first:literal, $second:ident: $is_second:literal }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub struct $name {
            #[doc = $is_first]
            pub $first: PairReasons,
            #[doc = $is_second]
            pub $second: PairReasons,
        }

        impl Sides for $name {
            fn of(first: Grade, second: Grade) -> Self {
                let said = |grade| PairReasons { grade, judges: Vec::new() };
                Self { $first: said(first), $second: said(second) }
            }

            fn both(&self) -> [&PairReasons; 2] {
                [&self.$first, &self.$second]
            }

            fn both_mut(&mut self) -> [&mut PairReasons; 2] {
                [&mut self.$first, &mut self.$second]
            }
        }
    };
}

sides! {
    /// Two sides of which none is held to be right.
    AAndB { a: "The one side.", b: "The other side." }
}
sides! {
    /// A truth and labels that are compared with it.
    TruthAndOther { truth: "The truth.", other: "The labels that are compared with it." }
}
sides! {
    /// A study's labels and its reference.
    HereAndThere { here: "These labels.", there: "The reference." }
}

/// Returns how many pairs of two label sets differ, and the first `most` of them. The largest difference comes first,
/// then the best rank at which a run has the document, since a label matters more there, then the order of `first`.
/// Pairs of one side alone do not count.
pub fn differing_pairs<S: Sides>(
    first: &Qrels,
    second: &Qrels,
    runs: &[Run],
    most: usize,
) -> DifferingPairs<S> {
    let mut both = 0;
    let mut found: Vec<(&str, &str, Grade, Grade)> = Vec::new();
    for (query, documents) in first.iter() {
        let Some(others) = second.topic(query) else { continue };
        for (document, grade) in documents {
            let Some(other) = others.get(document) else { continue };
            both += 1;
            if grade != other {
                found.push((query, document, *grade, *other));
            }
        }
    }
    let (differ, higher) = (found.len(), found.iter().filter(|(_, _, first, second)| second > first).count());
    let lower = differ - higher;
    let listed = match most {
        0 => Vec::new(),
        most => {
            let ranks = BestRanks::of(runs, found.iter().map(|(query, document, ..)| (*query, *document)));
            // A rank only orders pairs of equal difference up to the last listed one, but sorting needs all ranks.
            found.sort_by_cached_key(|(query, document, first, second)| {
                (Reverse(first.abs_diff(*second)), ranks.get(query, document).unwrap_or(usize::MAX))
            });
            let first = found.into_iter().take(most);
            first.map(|pair| DifferingPair::of(pair, ranks.get(pair.0, pair.1))).collect()
        }
    };
    DifferingPairs { both, differ, higher, lower, listed }
}

impl<S> DifferingPair<S> {
    /// Removes the texts of query and document.
    fn remove_texts(&mut self) {
        (self.query_text, self.title) = (None, None);
    }
}

impl DifferingPair<PairReasons> {
    /// Removes the texts of query and document, and the judges' words about them.
    pub(crate) fn remove_all_texts(&mut self) {
        self.remove_texts();
        self.sides.remove_texts();
    }
}

impl PairReasons {
    fn remove_texts(&mut self) {
        for said in &mut self.judges {
            said.rationale = None;
            said.facets_covered.clear();
            said.facets_missing.clear();
        }
    }
}

impl<S: Sides> DifferingPairs<S> {
    /// Removes the texts of queries and documents, and the judges' words about them.
    pub(crate) fn remove_texts(&mut self) {
        for pair in &mut self.listed {
            pair.remove_texts();
            pair.sides.both_mut().into_iter().for_each(PairReasons::remove_texts);
        }
    }
}

impl<S: Sides> DifferingPair<S> {
    fn of((query, document, first, second): (&str, &str, Grade, Grade), best_rank: Option<usize>) -> Self {
        Self {
            query: query.to_owned(),
            query_text: None,
            document: document.to_owned(),
            title: None,
            best_rank,
            sides: S::of(first, second),
        }
    }
}

impl<S: Sides> DifferingPairs<S> {
    /// Adds texts, titles and answers to each listed pair. `details` returns them for all pairs of query and document,
    /// in their order.
    pub fn explain(&mut self, details: impl FnOnce(&[(&str, &str)]) -> Vec<PairDetails>) {
        let pairs: Vec<(&str, &str)> =
            self.listed.iter().map(|pair| (pair.query.as_str(), pair.document.as_str())).collect();
        let known = details(&pairs);
        for (pair, PairDetails { query_text, title, first, second }) in self.listed.iter_mut().zip(known) {
            (pair.query_text, pair.title) = (query_text, title);
            for (side, judges) in pair.sides.both_mut().into_iter().zip([first, second]) {
                side.judges = judges;
            }
        }
    }

    /// The share of the common pairs that differ, from 0 to 1; `None` if there is no common pair.
    pub fn share(&self) -> Option<f64> {
        (self.both > 0).then(|| self.differ as f64 / self.both as f64)
    }
}

/// The best rank, from 1, of each document of some queries.
struct BestRanks<'a>(FxHashMap<&'a str, FxHashMap<&'a str, usize>>);

impl<'a> BestRanks<'a> {
    /// Of the documents that `wanted` names, so that runs of a million lines leave no more than these behind.
    fn of(runs: &[Run], wanted: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut ranks: FxHashMap<&'a str, FxHashMap<&'a str, usize>> = FxHashMap::default();
        if runs.is_empty() {
            return Self(ranks);
        }
        for (query, document) in wanted {
            ranks.entry(query).or_default().insert(document, usize::MAX);
        }
        for (query, ranking) in runs.iter().flat_map(Run::iter) {
            let Some(documents) = ranks.get_mut(query) else { continue };
            for hit in ranking.iter() {
                if let Some(best) = documents.get_mut(hit.document) {
                    *best = hit.rank.min(*best);
                }
            }
        }
        Self(ranks)
    }

    /// The rank; `None` if no system returned the document.
    fn get(&self, query: &str, document: &str) -> Option<usize> {
        self.0.get(query)?.get(document).copied().filter(|rank| *rank < usize::MAX)
    }
}

/// How long a query, a title and a rationale may be, in characters.
const QUERY: usize = 60;
const TITLE: usize = 60;
const RATIONALE: usize = 240;

/// The listed pairs: a line each under the names of the two sides, and below it the judges' reasons, if they are
/// known. Empty if nothing is listed.
pub fn differing_text<S: Sides>(pairs: &DifferingPairs<S>, first: &str, second: &str) -> String {
    if pairs.listed.is_empty() {
        return String::new();
    }
    let ranked = pairs.listed.iter().any(|pair| pair.best_rank.is_some());
    let row = |pair: &DifferingPair<S>| {
        let grades = pair.sides.both().map(|side| side.grade.to_string());
        let mut row = vec![pair.query.clone(), pair.document.clone()];
        row.extend(grades);
        if ranked {
            row.push(pair.best_rank.map_or_else(|| ABSENT.to_owned(), count));
        }
        row
    };
    let mut headings = vec![words("query"), words("document"), first.into(), second.into()];
    headings.extend(ranked.then(|| "best rank".into()));
    let table = text_table(headings, pairs.listed.iter().map(row));
    let mut lines: Vec<String> = table.lines().take(1).map(str::to_owned).collect();
    for (line, pair) in table.lines().skip(1).zip(&pairs.listed) {
        lines.push(line.to_owned());
        lines.extend(about(pair));
        for (name, side) in [first, second].iter().zip(pair.sides.both()) {
            lines.extend(side.judges.iter().map(|judge| reason(name, judge)));
        }
    }
    lines.join("\n")
}

/// The heading of a list: how many differ, and how many are shown.
pub(crate) fn shown<S>(pairs: &DifferingPairs<S>) -> String {
    match (pairs.listed.len(), pairs.differ) {
        (listed, all) if listed == all => "largest difference first".to_owned(),
        (listed, all) => format!("the {} largest of {}", count(listed), count(all)),
    }
}

fn about<S>(pair: &DifferingPair<S>) -> Option<String> {
    let query = pair.query_text.as_deref().map(|text| format!("\"{}\"", shorten(text, QUERY)));
    let title = pair.title.as_deref().map(|text| format!("\"{}\"", shorten(text, TITLE)));
    let known: Vec<String> = query.into_iter().chain(title).collect();
    (!known.is_empty()).then(|| format!("    {}", visible_line(&known.join(" - "))))
}

/// A judge's reasons: its explanation, and the covered and missing facets; `None` if it gave no reason.
pub(crate) fn reason_text(judge: &JudgeReason) -> Option<String> {
    let mut parts: Vec<String> = judge.rationale.iter().map(|text| shorten(text, RATIONALE)).collect();
    let listed = |what: &str, facets: &[String]| {
        (!facets.is_empty()).then(|| format!("{what}: {}", shorten(&facets.join("; "), RATIONALE)))
    };
    parts.extend(listed("covers", &judge.facets_covered));
    parts.extend(listed("lacks", &judge.facets_missing));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A judge's answer and its reasons, on one line.
fn reason(side: &str, judge: &JudgeReason) -> String {
    let grade = judge.grade.map_or_else(|| ABSENT.to_owned(), |grade| grade.to_string());
    let why = reason_text(judge).map_or_else(String::new, |why| format!(": {why}"));
    visible_line(&format!("    {side}, {} {grade}{why}", judge.judge)).into_owned()
}

#[cfg(test)]
mod tests {
    use llull_core::Ranking;
    use proptest::prelude::*;

    use super::*;

    fn qrels(pairs: &[(&str, &str, Grade)]) -> Qrels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in pairs {
            qrels.insert(query, document, *grade);
        }
        qrels
    }

    #[test]
    fn the_largest_difference_comes_first_and_then_the_best_rank() {
        let first = qrels(&[("q", "a", 0), ("q", "b", 2), ("q", "c", 3), ("q", "d", 1), ("p", "a", 1)]);
        let second = qrels(&[("q", "a", 1), ("q", "b", 1), ("q", "c", 0), ("q", "d", 1), ("p", "z", 3)]);
        let mut run = Run::new("r");
        run.insert("q", Ranking::from_ordered([("x", 3.0), ("b", 2.0), ("a", 1.0)]));
        let found: DifferingPairs<AAndB> = differing_pairs(&first, &second, &[run], 10);
        let listed: Vec<_> = found.listed.iter().map(|pair| (&*pair.document, pair.best_rank)).collect();
        assert_eq!(listed, [("c", None), ("b", Some(2)), ("a", Some(3))]);
        assert_eq!((found.both, found.differ, found.higher, found.lower), (4, 3, 1, 2));
        assert_eq!(found.share(), Some(0.75));
        assert_eq!(differing_pairs::<AAndB>(&first, &second, &[], 1).listed[0].document, "c");
        assert_eq!(differing_pairs::<AAndB>(&first, &second, &[], 0).differ, 3);
    }

    proptest! {
        /// Exchanging the sides exchanges `higher` and `lower`, and loses no pair.
        #[test]
        fn the_sides_are_alike(grades in proptest::collection::vec((0i32..4, 0i32..4), 0..30)) {
            let side = |of: fn(&(i32, i32)) -> i32| {
                let mut qrels = Qrels::default();
                for (at, grades) in grades.iter().enumerate() {
                    qrels.insert(&format!("q{}", at % 3), &format!("d{at}"), of(grades));
                }
                qrels
            };
            let (first, second) = (side(|grades| grades.0), side(|grades| grades.1));
            let there: DifferingPairs<AAndB> = differing_pairs(&first, &second, &[], 100);
            let back: DifferingPairs<AAndB> = differing_pairs(&second, &first, &[], 100);
            prop_assert_eq!((there.both, there.differ), (grades.len(), there.higher + there.lower));
            prop_assert_eq!((there.higher, there.lower), (back.lower, back.higher));
            prop_assert_eq!(there.listed.len(), there.differ);
            let sizes = there.listed.iter().map(|pair| pair.sides.a.grade.abs_diff(pair.sides.b.grade));
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b));
        }
    }
}
