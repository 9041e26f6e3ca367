//! References for a judge's answers: human labels, or the other judges.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Item;

use crate::{AskedAs, AuditedCollection, AuditedJudge};

/// A document of a query.
pub(crate) type Place = (usize, Item);

/// A judge's votes, by document and by pair.
#[derive(Debug, Default)]
pub(crate) struct Votes {
    /// The first grade of each document.
    pub grades: BTreeMap<Place, f64>,
    /// The pairs of documents that one answer put in an order: the query, the better one, the worse one.
    pub pairs: Vec<(usize, Item, Item)>,
}

impl Votes {
    /// Collects a judge's answers that are votes.
    pub(crate) fn of(judge: &AuditedJudge) -> Self {
        let mut votes = Self::default();
        for answer in judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
            votes.grades.entry((answer.query, answer.document)).or_insert(answer.grade);
        }
        for answer in judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
            let levels: Vec<(Item, usize)> =
                answer.shown.iter().map(|&item| (item, answer.level(item))).collect();
            for (place, a) in levels.iter().enumerate() {
                for b in levels.iter().skip(place + 1).filter(|b| a.1 != b.1) {
                    let (better, worse) = if a.1 < b.1 { (a.0, b.0) } else { (b.0, a.0) };
                    votes.pairs.push((answer.query, better, worse));
                }
            }
        }
        votes
    }

    /// Returns the votes on other queries than these.
    pub(crate) fn without(&self, queries: &BTreeSet<usize>) -> Self {
        let kept = |query: usize| !queries.contains(&query);
        Self {
            grades: self
                .grades
                .iter()
                .filter(|(place, _)| kept(place.0))
                .map(|(place, grade)| (*place, *grade))
                .collect(),
            pairs: self.pairs.iter().filter(|pair| kept(pair.0)).copied().collect(),
        }
    }

    /// Returns the pairs as one direction each: above 0 if the lower item won more often.
    pub(crate) fn directions(&self) -> BTreeMap<(usize, Item, Item), i64> {
        let mut directions = BTreeMap::new();
        for &(query, better, worse) in &self.pairs {
            let lead = if better < worse { 1 } else { -1 };
            *directions.entry((query, better.min(worse), better.max(worse))).or_insert(0) += lead;
        }
        directions
    }
}

/// The kind of reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Against {
    /// Human grades.
    HumanLabels,
    /// Human comparisons of documents side by side.
    HumanComparing,
    /// The other judges, so many of them.
    Judges(usize),
}

impl Against {
    /// Returns how sentences name it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::HumanLabels => "human labels",
            Self::HumanComparing => "human comparisons of pairs in random order",
            Self::Judges(1) => "the other judge",
            Self::Judges(_) => "the other judges",
        }
    }
}

/// The reference of a judge, as several sets of grades and of pairs.
pub(crate) struct Reference<'a> {
    /// Who it is.
    pub against: Against,
    /// Grades of documents, one set for people or each other judge.
    pub grades: Vec<&'a BTreeMap<Place, f64>>,
    /// The votes of other judges that compare.
    pub votes: Vec<&'a Votes>,
}

impl<'a> Reference<'a> {
    /// Returns human grades if any are of documents that the judge saw, otherwise the other judges; `None` without
    /// either.
    pub(crate) fn of(
        number: usize,
        all: &'a [Votes],
        human_labels: &'a BTreeMap<Place, f64>,
    ) -> Option<Self> {
        let own = all.get(number)?;
        let known = |query: usize, item: Item| human_labels.contains_key(&(query, item));
        let seen_by_annotators = own.grades.keys().any(|&(query, item)| known(query, item))
            || own.pairs.iter().any(|&(query, one, other)| known(query, one) && known(query, other));
        if seen_by_annotators {
            return Some(Self {
                against: Against::HumanLabels,
                grades: vec![human_labels],
                votes: Vec::new(),
            });
        }
        let others: Vec<&Votes> = all
            .iter()
            .enumerate()
            .filter(|(other, votes)| *other != number && !(votes.grades.is_empty() && votes.pairs.is_empty()))
            .map(|(_, votes)| votes)
            .collect();
        if others.is_empty() {
            return None;
        }
        Some(Self {
            against: Against::Judges(others.len()),
            grades: others.iter().map(|votes| &votes.grades).filter(|grades| !grades.is_empty()).collect(),
            votes: others.into_iter().filter(|votes| !votes.pairs.is_empty()).collect(),
        })
    }

    /// Returns human comparisons as the reference of a judge that compares; `None` if this judge put no such pair in
    /// an order.
    pub(crate) fn of_comparisons(own: &Votes, preferred: &'a Votes) -> Option<Self> {
        if own.pairs.is_empty() || preferred.pairs.is_empty() {
            return None;
        }
        let (own, there) = (own.directions(), preferred.directions());
        let seen = own.iter().any(|(pair, lead)| *lead != 0 && there.contains_key(pair));
        seen.then(|| Self { against: Against::HumanComparing, grades: Vec::new(), votes: vec![preferred] })
    }

    /// Returns the lower median of the grades of a document; `None` if it has none.
    pub(crate) fn grade(&self, place: Place) -> Option<f64> {
        let mut grades: Vec<f64> =
            self.grades.iter().filter_map(|grades| grades.get(&place).copied()).collect();
        grades.sort_by(f64::total_cmp);
        grades.get(grades.len().checked_sub(1)? / 2).copied()
    }
}

/// Returns human comparisons as votes.
pub(crate) fn human_preferences(collection: &AuditedCollection) -> Votes {
    let pairs = collection.preferences.iter();
    let pairs = pairs.map(|pair| (pair.query, pair.better, pair.worse)).collect();
    Votes { grades: BTreeMap::new(), pairs }
}

/// Returns the grades that people gave to documents of a collection.
pub(crate) fn human_grades(collection: &AuditedCollection) -> BTreeMap<Place, f64> {
    let documents = collection.documents.iter().enumerate();
    documents
        .flat_map(|(query, documents)| {
            let grades = documents.iter().enumerate();
            grades.filter_map(move |(item, document)| Some(((query, Item::at(item)), document.human_grade?)))
        })
        .collect()
}
