//! The order in which worked examples are shown.

use crate::{
    rubric::{Example, GradeDefinition},
    shuffle::shuffle,
};

/// The order of the worked examples. Their order biases a judge a little; shuffling it from run to run averages
/// that out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnchorOrder {
    /// From the lowest grade up.
    #[default]
    Ascending,
    /// Shuffled by this seed, always alike for the same seed and number of examples: Fisher and Yates's shuffle
    /// over the stream of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    Shuffled(u64),
}

impl AnchorOrder {
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
}
