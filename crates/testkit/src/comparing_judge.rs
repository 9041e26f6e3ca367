//! A judge that compares: its votes in a tournament of every query, and its answers to repeated questions.

use llull_audit::{AskedAs, AuditedJudge, ComparedAnswer};
use llull_core::{Ballot, Item, Seed};
use llull_rank::{Tournament, TournamentError, TournamentOptions};

/// How many questions are repeated.
const RECHECKS: usize = 40;

/// The number of the first repeated question; those of votes count from 0.
pub const FIRST_RECHECK: usize = 1_000_000;

/// Plays a tournament of each query, given by its number of documents, and repeats 40 of the questions in reverse
/// order, every second list of more than two rotated. `order` gets a query, its documents as they are shown and the
/// question's number, and returns them in groups, best first.
///
/// # Errors
/// Returns the error of [`Tournament::new`].
pub fn comparing_judge(
    documents: &[usize],
    options: &TournamentOptions,
    seed: Seed,
    order: impl Fn(usize, &[Item], usize) -> Vec<Vec<Item>>,
) -> Result<AuditedJudge, TournamentError> {
    let answer = |query: usize, shown: Vec<Item>, number: usize, asked_as: AskedAs| ComparedAnswer {
        groups: order(query, &shown, number),
        query,
        shown,
        asked_as,
        rationale: None,
    };
    let mut compared = Vec::new();
    for (query, documents) in documents.iter().enumerate() {
        let mut tournament = Tournament::new(*documents, options.clone())?;
        loop {
            let wave = tournament.next(usize::MAX);
            if wave.is_empty() {
                break;
            }
            for batch in &wave {
                let number = compared.len();
                let mut shown = batch.items.clone();
                shown.sort_by_key(|item| seed.stream(&format!("shown {number} {}", item.index())));
                let vote = answer(query, shown, number, AskedAs::Vote);
                tournament.observe(batch, &[Ballot::new(vote.groups.clone())]);
                compared.push(vote);
            }
        }
    }
    let every = compared.len().div_ceil(RECHECKS).max(1);
    let again = compared.iter().step_by(every).enumerate().map(|(number, vote): (usize, &ComparedAnswer)| {
        let mut shown = vote.shown.clone();
        let asked_as = if options.window > 2 && number % 2 == 1 {
            shown.rotate_left(vote.shown.len() / 2);
            AskedAs::Rotated
        } else {
            shown.reverse();
            AskedAs::Reversed
        };
        answer(vote.query, shown, FIRST_RECHECK + number, asked_as)
    });
    let again: Vec<ComparedAnswer> = again.collect();
    compared.extend(again);
    let judge = "simulated".to_owned();
    Ok(AuditedJudge { judge, compared, order_randomised: true, ..AuditedJudge::default() })
}
