//! Agreement of a judge's order with human grades, whatever its paradigm.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::reference::human_grades;
use crate::{AskedAs, AuditedCollection, AuditedJudge, ComparedAnswer};

/// Returns, of each query, how many pairs of documents with different human grades the judge puts in the same order,
/// and how many such pairs it judged: pairs of documents that it graded, or that one answer compared. A tie counts
/// half, and so do votes on a pair that cancel out. Judges of all paradigms have this figure, on pairs of their own.
pub fn order_agreement(judge: &AuditedJudge, collection: &AuditedCollection) -> Vec<[f64; 2]> {
    let human = human_grades(collection);
    let mut queries: BTreeMap<usize, QueryVotes<'_>> = BTreeMap::new();
    for answer in judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
        // Of all pairs of a benchmark's documents only those with human labels count.
        if human.contains_key(&(answer.query, answer.document)) {
            let votes = queries.entry(answer.query).or_default();
            votes.grades.entry(answer.document).or_insert(answer.grade);
        }
    }
    for answer in judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
        queries.entry(answer.query).or_default().compared.push(answer);
    }
    let human = &human;
    let human = |query: usize| move |item: Item| human.get(&(query, item)).copied();
    let counts = queries.into_iter().map(|(query, votes)| votes.order(human(query)));
    counts.filter(|[_, all]| *all > 0.0).collect()
}

/// The votes of a judge on a query.
#[derive(Default)]
struct QueryVotes<'a> {
    grades: BTreeMap<Item, f64>,
    compared: Vec<&'a ComparedAnswer>,
}

impl QueryVotes<'_> {
    /// How many pairs are in the order of the human grades, and how many there are.
    fn order(&self, human: impl Fn(Item) -> Option<f64>) -> [f64; 2] {
        // Above 0 if the document with the higher human grade is the better one.
        let mut leads: BTreeMap<(Item, Item), f64> = BTreeMap::new();
        let mut add = |(one, first): (Item, f64), (other, second): (Item, f64)| {
            let Some(wanted) = human(one).zip(human(other)).map(|(one, other)| one - other) else { return };
            let lead = f64::from(i8::from(first > second) - i8::from(first < second));
            if wanted > 0.0 {
                *leads.entry((one, other)).or_default() += lead;
            } else if wanted < 0.0 {
                *leads.entry((other, one)).or_default() -= lead;
            }
        };
        let documents: Vec<(Item, f64)> = self.grades.iter().map(|(item, grade)| (*item, *grade)).collect();
        for (place, one) in documents.iter().enumerate() {
            documents.iter().skip(place + 1).for_each(|other| add(*one, *other));
        }
        for answer in &self.compared {
            let level = |item: Item| (item, -(answer.level(item) as f64));
            for (place, one) in answer.shown.iter().enumerate() {
                answer.shown.iter().skip(place + 1).for_each(|other| add(level(*one), level(*other)));
            }
        }
        let right = |lead: &f64| if *lead == 0.0 { 0.5 } else { f64::from(u8::from(*lead > 0.0)) };
        [leads.values().map(right).sum(), leads.len() as f64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GradedAnswer, ShownDocument};

    fn collection(grades: &[f64]) -> AuditedCollection {
        let shown = |grade: &f64| ShownDocument { human_grade: Some(*grade), ..ShownDocument::default() };
        AuditedCollection {
            documents: vec![grades.iter().map(shown).collect()],
            ..AuditedCollection::default()
        }
    }

    /// Of three documents with human grades 2, 1 and 1 two pairs have an order: the judge has one and ties the other.
    #[test]
    fn a_tie_counts_half_and_human_ties_do_not_count() {
        let graded = [3.0, 3.0, 0.0].iter().enumerate().map(|(document, grade)| GradedAnswer {
            query: 0,
            document: Item::at(document),
            grade: *grade,
            asked_as: AskedAs::Vote,
            rationale: None,
        });
        let judge = AuditedJudge { graded: graded.collect(), ..AuditedJudge::default() };
        assert_eq!(order_agreement(&judge, &collection(&[2.0, 1.0, 1.0])), [[1.5, 2.0]]);
    }

    #[test]
    fn comparisons_and_lists_have_the_same_figure() {
        let items = [0, 1, 2].map(Item::at);
        let answer = |shown: &[Item], groups: &[&[Item]]| ComparedAnswer {
            query: 0,
            shown: shown.to_vec(),
            groups: groups.iter().map(|group| group.to_vec()).collect(),
            asked_as: AskedAs::Vote,
            rationale: None,
        };
        let list = answer(&items, &[&items[..1], &items[2..], &items[1..2]]);
        let judge = |compared| AuditedJudge { compared, ..AuditedJudge::default() };
        let people = collection(&[2.0, 1.0, 0.0]);
        assert_eq!(order_agreement(&judge(vec![list]), &people), [[2.0, 3.0]]);
        let pair = answer(&items[..2], &[&items[..1], &items[1..2]]);
        let reverse = answer(&items[..2], &[&items[1..2], &items[..1]]);
        assert_eq!(order_agreement(&judge(vec![pair.clone()]), &people), [[1.0, 1.0]]);
        assert_eq!(
            order_agreement(&judge(vec![pair, reverse]), &people),
            [[0.5, 1.0]],
            "the votes cancel out"
        );
    }
}
