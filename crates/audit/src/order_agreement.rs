//! Agreement of a judge's order with human grades, whatever its paradigm.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::reference::human_grades;
use crate::{AskedAs, AuditedCollection, AuditedJudge};

/// Returns, of each query, how many pairs of documents with different human grades the judge puts in the same order,
/// and how many such pairs it judged: pairs of documents that it graded, or that one answer compared. A tie counts
/// half, and so do votes on a pair that cancel out. Judges of all paradigms have this figure, on pairs of their own.
pub fn order_agreement(judge: &AuditedJudge, collection: &AuditedCollection) -> Vec<[f64; 2]> {
    let human = human_grades(collection);
    let mut grades: BTreeMap<usize, BTreeMap<Item, f64>> = BTreeMap::new();
    for answer in judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
        grades.entry(answer.query).or_default().entry(answer.document).or_insert(answer.grade);
    }
    // Above 0 if the first document is the better one.
    let mut leads: BTreeMap<(usize, Item, Item), f64> = BTreeMap::new();
    let mut add = |query: usize, (one, first): (Item, f64), (other, second): (Item, f64)| {
        let lead = f64::from(i8::from(first > second) - i8::from(first < second));
        let (pair, lead) =
            if one < other { ((query, one, other), lead) } else { ((query, other, one), -lead) };
        *leads.entry(pair).or_default() += lead;
    };
    for (query, documents) in &grades {
        let documents: Vec<(Item, f64)> = documents.iter().map(|(item, grade)| (*item, *grade)).collect();
        for (place, one) in documents.iter().enumerate() {
            documents.iter().skip(place + 1).for_each(|other| add(*query, *one, *other));
        }
    }
    for answer in judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
        let level = |item: Item| (item, -(answer.level(item) as f64));
        for (place, one) in answer.shown.iter().enumerate() {
            let others = answer.shown.iter().skip(place + 1);
            others.for_each(|other| add(answer.query, level(*one), level(*other)));
        }
    }
    let mut queries: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for ((query, one, other), lead) in leads {
        let (Some(first), Some(second)) = (human.get(&(query, one)), human.get(&(query, other))) else {
            continue;
        };
        let wanted = first - second;
        if wanted != 0.0 {
            let [right, all] = queries.entry(query).or_default();
            *right += if lead == 0.0 { 0.5 } else { f64::from(u8::from((lead > 0.0) == (wanted > 0.0))) };
            *all += 1.0;
        }
    }
    queries.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ComparedAnswer, GradedAnswer, ShownDocument};

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
