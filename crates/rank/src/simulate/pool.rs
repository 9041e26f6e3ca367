//! The pool of a simulated tournament, with known worth and grades.

use llull_core::Item;

use crate::random::Random;

/// How good the order is in which documents are first met: the fused order of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SimulatedPrior {
    /// An order without information.
    Random,
    /// By true rank plus an error with this standard deviation, as a share of the number of documents: at 0.2
    /// a document out of 100 is typically met 20 places from where it belongs.
    Ranks(f64),
    /// By worth plus an error with this standard deviation, in grades.
    Worth(f64),
}

/// The percentage of documents with at least grade 3, 2, 1.
pub(super) const AT_LEAST: [(u8, usize); 3] = [(3, 5), (2, 15), (1, 35)];

/// The standard deviation of worth among documents of one grade, in grades.
pub(super) const SPREAD: f64 = 0.35;

/// The pool of a query. Items are positions in the prior order.
///
/// 5% of the documents have grade 3, 10% grade 2, 20% grade 1 and 65% grade 0 (rounded up from the top, so
/// there is always one of grade 3), and a document is worth its grade + N(0, 0.35): about what a judged pool
/// of a test collection looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedPool {
    /// The worth of each item; a perfect judge orders by it.
    pub worth: Vec<f64>,
    /// Each item's grade, from 0 to 3.
    pub grades: Vec<u8>,
}

impl SimulatedPool {
    /// Creates a pool of `documents` documents, in a prior order. The same arguments always give the same
    /// pool.
    ///
    /// ```
    /// use llull_rank::simulate::{SimulatedPool, SimulatedPrior};
    ///
    /// let pool = SimulatedPool::new(100, SimulatedPrior::Random, 7);
    /// let count = |grade| pool.grades.iter().filter(|&&other| other == grade).count();
    /// assert_eq!([3, 2, 1, 0].map(count), [5, 10, 20, 65]);
    /// ```
    pub fn new(documents: usize, prior: SimulatedPrior, seed: u64) -> Self {
        let mut random = Random::new(seed, [0x0D0C_5EED]);
        let mut drawn: Vec<(f64, u8)> = (0..documents)
            .map(|document| {
                let grade = grade_at(document, documents);
                (f64::from(grade) + SPREAD * random.normal(), grade)
            })
            .collect();
        drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut keyed: Vec<(f64, (f64, u8))> = drawn
            .into_iter()
            .enumerate()
            .map(|(rank, document)| {
                let key = match prior {
                    SimulatedPrior::Random => random.uniform(),
                    SimulatedPrior::Ranks(noise) => rank as f64 + noise * documents as f64 * random.normal(),
                    SimulatedPrior::Worth(noise) => -(document.0 + noise * random.normal()),
                };
                (key, document)
            })
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (worth, grades) = keyed.into_iter().map(|(_, document)| document).unzip();
        Self { worth, grades }
    }

    /// Returns the same pool with its grades assigned in the order of worth, so that the order of a perfect
    /// judge has an nDCG of 1. As drawn, documents of neighbouring grades overlap a little, and the best
    /// order by worth misses 1 by about half a hundredth.
    #[must_use]
    pub fn graded_by_worth(mut self) -> Self {
        for (rank, item) in self.true_order().into_iter().enumerate() {
            if let Some(grade) = self.grades.get_mut(item.index()) {
                *grade = grade_at(rank, self.worth.len());
            }
        }
        self
    }

    /// Returns the items by worth, best first.
    pub fn true_order(&self) -> Vec<Item> {
        let mut items: Vec<(Item, f64)> = (0..).map(Item).zip(self.worth.iter().copied()).collect();
        items.sort_by(|a, b| b.1.total_cmp(&a.1));
        items.into_iter().map(|(item, _)| item).collect()
    }
}

/// Returns the grade of the document at a rank, if grades are assigned from the top.
fn grade_at(rank: usize, documents: usize) -> u8 {
    AT_LEAST
        .iter()
        .find(|(_, percent)| rank < (documents * percent).div_ceil(100))
        .map_or(0, |(grade, _)| *grade)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::quality::{ndcg, tau};

    #[test]
    fn small_pools_have_something_to_find() {
        for documents in 1..30 {
            let pool = SimulatedPool::new(documents, SimulatedPrior::Random, 1);
            assert_eq!(pool.grades.len(), documents);
            assert!(pool.grades.contains(&3), "{documents}");
        }
        assert!(SimulatedPool::new(0, SimulatedPrior::Random, 1).worth.is_empty());
    }

    #[test]
    fn the_better_the_prior_the_more_it_says() {
        let found = |prior| {
            let taus = (0..20).map(|seed| {
                let pool = SimulatedPool::new(100, prior, seed);
                tau(&Item::first(100).collect::<Vec<_>>(), &pool.worth).unwrap()
            });
            taus.sum::<f64>() / 20.0
        };
        assert_eq!(found(SimulatedPrior::Ranks(0.0)), 1.0);
        assert_eq!(found(SimulatedPrior::Worth(0.0)), 1.0);
        let (half, random) = (found(SimulatedPrior::Ranks(0.2)), found(SimulatedPrior::Random));
        assert!(half > 0.4 && half < 0.7, "{half}");
        assert!(random.abs() < 0.1, "{random}");
    }

    #[test]
    fn graded_by_worth_the_true_order_is_ideal() {
        let pools: Vec<_> =
            (0..50).map(|seed| SimulatedPool::new(100, SimulatedPrior::Random, seed)).collect();
        let best = |pool: &SimulatedPool| ndcg(&pool.true_order(), &pool.grades, 10);
        let mean = pools.iter().map(best).sum::<f64>() / 50.0;
        assert!(mean > 0.99 && mean < 1.0, "{mean}");
        for pool in pools {
            assert_eq!(best(&pool.graded_by_worth()), 1.0);
        }
    }
}
