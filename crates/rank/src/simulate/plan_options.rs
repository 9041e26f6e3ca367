//! The settings of a simulation.

use super::noisy_judge::NoisyJudge;
use super::pool::{SimulatedPool, SimulatedPrior};
use crate::tournament::TournamentOptions;

/// The settings of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// The number of documents in the pool of a query.
    pub documents: usize,
    /// How they are compared.
    pub tournament: TournamentOptions,
    /// The standard deviation of the judge's errors, in grades; see [`NoisyJudge::noise`].
    pub noise: f64,
    /// The share of neighbours in an answer that the judge reports as tied, from 0 to 1; see
    /// [`NoisyJudge::margin_for_share`].
    pub ties: f64,
    /// The order of the items before the first question.
    pub prior: SimulatedPrior,
}

impl PlanOptions {
    /// Returns the pool and the judge of a seed. The grades follow the worth, so the order of a perfect judge
    /// has an nDCG of 1.
    pub fn topic(&self, seed: u64) -> (SimulatedPool, NoisyJudge) {
        let pool = SimulatedPool::new(self.documents, self.prior, seed).graded_by_worth();
        let mut judge = NoisyJudge { noise: self.noise, ..NoisyJudge::new(pool.worth.clone(), seed) };
        judge.margin = judge.margin_for_share(self.ties, self.tournament.window);
        (pool, judge)
    }
}
