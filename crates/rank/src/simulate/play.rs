//! One tournament against a simulated judge.

use crate::tournament::{Tournament, TournamentError, TournamentOptions, TournamentOutcome};

use super::noisy_judge::NoisyJudge;

/// Plays a tournament to its end, or until `max_calls` calls were made, with the judge's answers in place of
/// a model's.
///
/// # Errors
/// Returns an error if `options` is invalid.
pub fn play(
    judge: &NoisyJudge,
    options: &TournamentOptions,
    max_calls: Option<u64>,
) -> Result<TournamentOutcome, TournamentError> {
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
