//! One tournament against a simulated judge.

use crate::{Outcome, Tournament, TournamentError, TournamentOptions};

use super::{NoisyJudge, Prior, SimulatedPool};

/// What is to be planned.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// How many documents a topic's pool has.
    pub documents: usize,
    /// How they are compared.
    pub tournament: TournamentOptions,
    /// The standard deviation of the judge's errors, in grades; see [`NoisyJudge::noise`].
    pub noise: f64,
    /// The share of neighbours in an answer that it reports tied, from 0 to 1; see [`NoisyJudge::margin_for_share`].
    pub ties: f64,
    /// What is known before anything is asked.
    pub prior: Prior,
}

impl PlanOptions {
    /// The pool and the judge of a seed. The grades follow the worth, so a perfect judge's order has an nDCG of 1.
    pub fn topic(&self, seed: u64) -> (SimulatedPool, NoisyJudge) {
        let pool = SimulatedPool::new(self.documents, self.prior, seed).graded_by_worth();
        let mut judge = NoisyJudge { noise: self.noise, ..NoisyJudge::new(pool.worth.clone(), seed) };
        judge.margin = judge.margin_for_share(self.ties, self.tournament.window);
        (pool, judge)
    }
}

/// Plays a tournament to its end, or until so many calls were made, with the judge's answers in place of a model's.
pub fn play(
    judge: &NoisyJudge,
    options: &TournamentOptions,
    max_calls: Option<u64>,
) -> Result<Outcome, TournamentError> {
    let mut tournament = Tournament::new(judge.worth.len(), options.clone())?;
    let mut left = max_calls.unwrap_or(u64::MAX);
    while left > 0 {
        let wave = tournament.next(usize::try_from(left).unwrap_or(usize::MAX));
        if wave.is_empty() {
            break;
        }
        left = left.saturating_sub(wave.len() as u64);
        for batch in &wave {
            tournament.observe(batch, &[judge.answer(&batch.items, batch.round)]);
        }
    }
    Ok(tournament.outcome())
}
