//! The order in which worked examples are shown.

use llull_core::{Grade, Hash, Seed};

use crate::rubric::{Example, GradeDefinition};
use crate::shown_order::shuffle;

/// The order of the worked examples. Their order biases a judge a little; shuffling it averages that out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnchorOrder {
    /// From the lowest grade up.
    #[default]
    Ascending,
    /// Shuffled by this seed, always alike for the same seed and number of examples: Fisher and Yates's shuffle
    /// over the stream of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    Shuffled(u64),
    /// Shuffled for each question, by this seed, the query and the set of documents. So a judge's grades can be
    /// compared with the order of the examples for each.
    ShuffledByQuestion(u64),
}

/// How often another order is drawn: that all are the same happens once in 2^64.
const DRAWS: u64 = 64;

impl AnchorOrder {
    /// Returns the order for one question: never [`ShuffledByQuestion`](Self::ShuffledByQuestion).
    #[must_use]
    pub fn of_question(self, query: &str, shown: &[&str]) -> Self {
        let Self::ShuffledByQuestion(seed) = self else { return self };
        // Documents that are compared are shown in several orders; only their order is to differ then.
        let mut documents: Vec<Hash> = shown.iter().map(|text| Hash::of(text.as_bytes())).collect();
        documents.sort_unstable();
        let mut purpose = format!("anchors {}", Hash::of(query.as_bytes()));
        for document in documents {
            purpose.push_str(&format!(" {document}"));
        }
        Self::Shuffled(Seed(seed).stream(&purpose))
    }

    /// Returns another order for a question than this one: drawn by the question, the same each time. `query` and
    /// `shown` are as in [`of_question`](Self::of_question). `None` if there is no other, with fewer than two examples.
    pub fn another(self, grades: &[GradeDefinition], query: &str, shown: &[&str]) -> Option<Self> {
        let own = self.grades_shown(grades, query, shown);
        // Each draw differs from the first order with a chance of at least a half.
        let mut drawn = (0..DRAWS).map(|draw| Self::ShuffledByQuestion(draw).of_question(query, shown));
        drawn.find(|order| order.grades_shown(grades, query, shown) != own)
    }

    /// Returns the grades whose examples a question is shown, in the order in which they are shown: `query` and `shown`
    /// as in [`of_question`](Self::of_question).
    pub fn grades_shown(self, grades: &[GradeDefinition], query: &str, shown: &[&str]) -> Vec<Grade> {
        self.of_question(query, shown).arrange(grades).into_iter().map(|(grade, _)| grade.grade).collect()
    }

    /// Returns the grades that have an example, in this order.
    pub(super) fn arrange(self, grades: &[GradeDefinition]) -> Vec<(&GradeDefinition, &Example)> {
        let mut anchors: Vec<_> =
            grades.iter().filter_map(|grade| Some((grade, grade.example.as_ref()?))).collect();
        if let Self::Shuffled(seed) = self {
            shuffle(&mut anchors, seed);
        }
        anchors
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn grades(n: i32) -> Vec<GradeDefinition> {
        let example =
            |grade: i32| Example { query: format!("q{grade}"), document: "d".into(), why: "w".into() };
        (0..n)
            .map(|grade| GradeDefinition {
                grade,
                name: "n".into(),
                definition: "d".into(),
                example: (grade != 1).then(|| example(grade)),
            })
            .collect()
    }

    fn order(order: AnchorOrder, grades: &[GradeDefinition]) -> Vec<i32> {
        order.arrange(grades).iter().map(|(grade, _)| grade.grade).collect()
    }

    #[test]
    fn a_seed_gives_one_order_and_seeds_give_them_all() {
        let grades = grades(4);
        assert_eq!(order(AnchorOrder::Ascending, &grades), [0, 2, 3]);
        assert_eq!(order(AnchorOrder::Shuffled(7), &grades), order(AnchorOrder::Shuffled(7), &grades));
        let orders: BTreeSet<_> = (0..200).map(|seed| order(AnchorOrder::Shuffled(seed), &grades)).collect();
        assert_eq!(orders.len(), 6);
        assert!(order(AnchorOrder::Shuffled(1), &[]).is_empty());
    }

    #[test]
    fn each_question_has_an_order_of_its_own_whichever_document_comes_first() {
        let grades = grades(4);
        let of = |seed, query: &str, shown: &[&str]| {
            order(AnchorOrder::ShuffledByQuestion(seed).of_question(query, shown), &grades)
        };
        assert_eq!(of(1, "q", &["a", "b"]), of(1, "q", &["b", "a"]));
        let texts: Vec<String> = (0..200).map(|n| n.to_string()).collect();
        for orders in [
            texts.iter().map(|text| of(1, text, &["a"])).collect::<BTreeSet<_>>(),
            texts.iter().map(|text| of(1, "q", &[text])).collect(),
            (0..200).map(|seed| of(seed, "q", &["a"])).collect(),
        ] {
            assert_eq!(orders.len(), 6);
        }
        assert_eq!(AnchorOrder::Ascending.of_question("q", &["a"]), AnchorOrder::Ascending);
    }

    #[test]
    fn another_order_differs_and_all_others_come_up() {
        let four = grades(4);
        for own in [AnchorOrder::Ascending, AnchorOrder::ShuffledByQuestion(5)] {
            let texts: Vec<String> = (0..200).map(|n| n.to_string()).collect();
            let mut others = BTreeSet::new();
            for text in &texts {
                let another = own.another(&four, "q", &[text]).unwrap();
                assert_eq!(Some(another), own.another(&four, "q", &[text]));
                let order = another.grades_shown(&four, "q", &[text]);
                assert_ne!(order, own.grades_shown(&four, "q", &[text]));
                others.insert(order);
            }
            // Of three examples there are six orders; one of them may be the question's own.
            assert!(others.len() >= 5, "{others:?}");
        }
        assert_eq!(AnchorOrder::Ascending.another(&grades(2), "q", &["a"]), None, "one has an example");
        assert_eq!(AnchorOrder::Ascending.another(&[], "q", &["a"]), None);
    }
}
