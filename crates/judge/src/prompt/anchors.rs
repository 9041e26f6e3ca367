//! The order in which worked examples are shown.

use crate::rubric::{Example, GradeDefinition};

/// The order of the worked examples. Their order biases a judge a little; shuffling it from run to run averages that out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnchorOrder {
    /// From the lowest grade up.
    #[default]
    Ascending,
    /// Shuffled by this seed, always alike for one seed and number of examples: Fisher and Yates's shuffle over the
    /// stream of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    Shuffled(u64),
}

impl AnchorOrder {
    /// The grades that have an example, in this order.
    pub(super) fn arrange(self, grades: &[GradeDefinition]) -> Vec<(&GradeDefinition, &Example)> {
        let mut anchors: Vec<_> =
            grades.iter().filter_map(|grade| Some((grade, grade.example.as_ref()?))).collect();
        if let Self::Shuffled(seed) = self {
            let mut stream = SplitMix64(seed);
            for last in (1..anchors.len()).rev() {
                // The remainder favours small numbers by less than one in 2^57 for the 101 grades that a scale can have.
                let other = stream.next() % (last as u64 + 1);
                anchors.swap(last, other as usize);
            }
        }
        anchors
    }
}

struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The first outputs for the seed 1234567, as published with the reference implementations
    /// (<https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>).
    #[test]
    fn the_stream_is_splitmix64() {
        let mut stream = SplitMix64(1_234_567);
        let first: Vec<_> = (0..5).map(|_| stream.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

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
