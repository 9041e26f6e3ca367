//! The ideals of a sample's queries, by the labels of a part of their pools.
//!
//! A difference in nDCG hardly depends on the exact ideal. With the number of documents that each grade of the judge
//! predicts, on the scale of human labels, the error is .003 to .016, and the standard error over queries .021 to .035
//! (TREC 2019 and 2021 Deep Learning).

use std::collections::BTreeMap;

use crate::ideal_gain::IdealGain;

/// So many labels of all grades are added to those of each grade.
const SHRINKAGE: f64 = 2.0;

/// A document of a query's pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct PooledLabel {
    pub(super) query: usize,
    /// The judge's.
    pub(super) grade: i64,
    /// The gain of the human label, if it was drawn and labelled.
    pub(super) human: Option<f64>,
    /// The probability of its draw.
    pub(super) probability: f64,
}

/// The ideal of each query, and the share of its pool without a human label.
#[derive(Debug, Clone)]
pub(super) struct Ideals {
    pub(super) by_query: Vec<f64>,
    pub(super) unlabelled: Vec<f64>,
}

impl Ideals {
    /// Of a judge whose grades are put on the scale of human labels; labels count where they are known.
    pub(super) fn new(pool: &[PooledLabel], queries: usize, gain: &IdealGain) -> Self {
        Self::by(&Shares::new(pool, gain), pool, queries, gain)
    }

    /// Of human labels alone, which know of an unlabelled document no more than those of all others.
    pub(super) fn without_judge(pool: &[PooledLabel], queries: usize, gain: &IdealGain) -> Self {
        let one = |document: &PooledLabel| PooledLabel { grade: 0, ..*document };
        Self::new(&pool.iter().map(one).collect::<Vec<_>>(), queries, gain)
    }

    fn by(shares: &Shares, pool: &[PooledLabel], queries: usize, gain: &IdealGain) -> Self {
        let mut counts = vec![vec![0.0; gain.steps()]; queries];
        let (mut sizes, mut labelled) = (vec![0.0; queries], vec![0.0; queries]);
        for document in pool.iter().filter(|document| document.query < queries) {
            let counts = counts[document.query].iter_mut();
            sizes[document.query] += 1.0;
            match document.human {
                Some(human) => {
                    labelled[document.query] += 1.0;
                    counts.zip(gain.reached(human)).for_each(|(count, reached)| *count += reached);
                }
                None => counts.zip(shares.of(document.grade)).for_each(|(count, share)| *count += share),
            }
        }
        let unlabelled =
            |(size, labelled): (&f64, &f64)| if *size > 0.0 { 1.0 - labelled / size } else { 0.0 };
        Self {
            by_query: counts.iter().map(|counts| gain.of(counts)).collect(),
            unlabelled: sizes.iter().zip(&labelled).map(unlabelled).collect(),
        }
    }
}

/// The share of documents at or above each gain, by the judge's grade.
struct Shares {
    by_grade: BTreeMap<i64, Vec<f64>>,
    all: Vec<f64>,
}

impl Shares {
    /// Labels count in inverse proportion to their probability, in sum as many as there are.
    fn new(pool: &[PooledLabel], gain: &IdealGain) -> Self {
        let labelled: Vec<(i64, f64, f64)> = pool
            .iter()
            .filter_map(|document| Some((document.grade, document.human?, document.probability.recip())))
            .collect();
        let scale = labelled.len() as f64 / labelled.iter().map(|(_, _, weight)| weight).sum::<f64>();
        let mut sums: BTreeMap<i64, (f64, Vec<f64>)> = BTreeMap::new();
        let mut all = vec![0.0; gain.steps()];
        for (grade, human, weight) in &labelled {
            let (weights, reached) = sums.entry(*grade).or_insert((0.0, vec![0.0; gain.steps()]));
            *weights += weight * scale;
            for (at, reaches) in gain.reached(*human).enumerate() {
                reached[at] += reaches * weight * scale;
                all[at] += reaches * weight * scale / labelled.len() as f64;
            }
        }
        let shrunk = |(weights, reached): (f64, Vec<f64>)| -> Vec<f64> {
            let share = |(reached, all): (&f64, &f64)| (reached + SHRINKAGE * all) / (weights + SHRINKAGE);
            reached.iter().zip(&all).map(share).collect()
        };
        let by_grade = sums.into_iter().map(|(grade, sums)| (grade, shrunk(sums))).collect();
        Self { by_grade, all }
    }

    /// Of a grade without a label, those of all labels.
    fn of(&self, grade: i64) -> &[f64] {
        self.by_grade.get(&grade).unwrap_or(&self.all)
    }
}

#[cfg(test)]
mod tests {
    use llull_metrics::Measure;

    use super::*;

    fn gain() -> IdealGain {
        let measure: Measure = "nDCG@10".parse().unwrap();
        IdealGain::new(&measure.divided_form().unwrap(), 10, [1.0, 2.0, 3.0])
    }

    /// Grade, human label and probability of the labelled documents of query 1, and a pool of query 0 of four documents
    /// of grade 0, five of grade 1 and three of grade 2.
    fn pool() -> Vec<PooledLabel> {
        let labelled = [(0, 0.0, 0.2), (0, 1.0, 0.5), (1, 2.0, 0.4), (1, 0.0, 0.25), (2, 3.0, 0.5)];
        let labelled = labelled.map(|(grade, human, probability)| PooledLabel {
            query: 1,
            grade,
            human: Some(human),
            probability,
        });
        let open = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2];
        let open = open.map(|grade| PooledLabel { query: 0, grade, human: None, probability: 0.5 });
        open.into_iter().chain(labelled).collect()
    }

    // Golden values of numpy from the definition.
    #[test]
    fn shares_are_weighted_and_shrunk_to_all_labels() {
        let shares = Shares::new(&pool(), &gain());
        let golden = [
            [0.348_484_848_5, 0.136_363_636_4, 0.060_606_060_6],
            [0.401_574_803_1, 0.338_582_677_2, 0.062_992_126_0],
            [0.560_975_609_8, 0.463_414_634_1, 0.341_463_414_6],
        ];
        for (grade, golden) in golden.into_iter().enumerate() {
            for (share, golden) in shares.of(grade as i64).iter().zip(golden) {
                assert!((share - golden).abs() < 1e-9, "{grade}: {share} {golden}");
            }
        }
        assert_eq!(shares.of(7), shares.all, "a grade without a label");
        let ideals = Ideals::new(&pool(), 2, &gain());
        assert!((ideals.by_query[0] - 6.747_361_566_2).abs() < 1e-9, "{ideals:?}");
        assert_eq!(ideals.unlabelled, [1.0, 0.0]);
    }

    #[test]
    fn a_pool_with_all_labels_has_its_exact_ideal() {
        let known = [3.0, 0.0, 1.0, 1.0];
        let known =
            known.map(|human| PooledLabel { query: 0, grade: 0, human: Some(human), probability: 1.0 });
        let ideals = Ideals::new(&known, 1, &gain());
        let exact = 3.0 + 1.0 / 3.0_f64.log2() + 1.0 / 2.0;
        assert!((ideals.by_query[0] - exact).abs() < 1e-12, "{ideals:?}");
    }

    // Golden values of numpy from the definition: the counts are 7.4, 4.2 and 2.3, two of them of known labels.
    #[test]
    fn known_labels_count_and_the_others_are_expected() {
        let mut pool: Vec<PooledLabel> = pool().into_iter().take(12).collect();
        (pool[0].human, pool[11].human) = (Some(1.0), Some(3.0));
        let by_grade = [[0.2, 0.1, 0.0], [0.6, 0.3, 0.1], [0.9, 0.7, 0.4]];
        let by_grade = (0..).zip(by_grade.map(Vec::from)).collect();
        let ideals = Ideals::by(&Shares { by_grade, all: Vec::new() }, &pool, 1, &gain());
        assert!((ideals.by_query[0] - 8.184_092_216_7).abs() < 1e-9, "{ideals:?}");
        assert!((ideals.unlabelled[0] - 10.0 / 12.0).abs() < 1e-12, "{ideals:?}");
    }

    #[test]
    fn human_labels_alone_know_no_grade_of_the_judge() {
        let pool = pool();
        let ideals = Ideals::without_judge(&pool, 2, &gain());
        let turned: Vec<PooledLabel> =
            pool.iter().map(|document| PooledLabel { grade: 9 - document.grade, ..*document }).collect();
        assert_eq!(ideals.by_query, Ideals::without_judge(&turned, 2, &gain()).by_query);
        let with_judge = Ideals::new(&pool, 2, &gain());
        assert_eq!(ideals.by_query[1], with_judge.by_query[1], "every label is known");
        assert!((ideals.by_query[0] - with_judge.by_query[0]).abs() > 0.01);
        assert_eq!(ideals.unlabelled, with_judge.unlabelled);
        let none = Ideals::without_judge(&pool[..12], 2, &gain());
        assert_eq!(none.by_query, [0.3, 0.3], "without a label there is no gain to expect");
    }
}
