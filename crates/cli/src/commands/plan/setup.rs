//! The options of the simulation, and its schedulers.

use llull::core::{Grade, Seed};
use llull::label::tournament_rating;
use llull::rank::simulate::{NoiseTerm, NoiseTermError, PlanOptions, Scheduler, SimulatedPrior, call_bound};
use llull::rank::{Schedule, TieRule, TournamentOptions, TournamentOutcome};

use crate::args::PlanArgs;

/// Above this many documents all pairs are counted and not simulated: there are more than half a million for each
/// query.
pub(super) const PAIRS_SIMULATED: u32 = 1_000;

/// Above this many documents the exhaustive schedule is not simulated: it would take minutes.
pub(super) const MOST_EXHAUSTIVE: u32 = 500;

/// How many of the best documents are to be found.
pub(super) fn top(args: &PlanArgs) -> u32 {
    args.top.unwrap_or(10.min(args.documents))
}

/// The options of the simulation of a judge that is shown so many documents at once.
pub(super) fn options(args: &PlanArgs, window: u32) -> PlanOptions {
    PlanOptions {
        documents: args.documents as usize,
        tournament: TournamentOptions {
            window: window as usize,
            top: top(args) as usize,
            schedule: args.schedule,
            // the meaning of Neither for the tournament, or of a shared place in an order
            ties: if window == 2 { TieRule::Open } else { TieRule::Equal },
            rejudge: rejudge(args),
            seed: Seed(args.seed),
        },
        noise: args.noise,
        ties: args.ties,
        prior: args.prior.map_or(SimulatedPrior::Random, SimulatedPrior::Ranks),
    }
}

/// The judge's noise, given as it is or by a figure of the judge.
///
/// # Errors
///
/// Returns an error if no noise gives the figure.
pub(super) fn noise(args: &PlanArgs) -> Result<f64, NoiseTermError> {
    match (args.kappa, args.flip_rate) {
        (Some(kappa), _) => NoiseTerm::Kappa(kappa).noise(),
        (None, Some(rate)) => NoiseTerm::FlipRate(rate).noise(),
        (None, None) => Ok(args.noise),
    }
}

/// The labels that a study makes of a tournament by default.
pub(super) fn labels(outcome: &TournamentOutcome) -> Vec<Option<Grade>> {
    tournament_rating(outcome).iter().map(|label| label.map(|label| label.grade)).collect()
}

/// How often a pair inside a cycle is repeated; `None` if the best documents are compared again instead.
pub(super) fn rejudge(args: &PlanArgs) -> Option<u32> {
    args.rejudge.or((args.schedule == Schedule::Exhaustive).then_some(1))
}

/// The name of a scheduler.
pub(super) fn key(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Tournament(Schedule::Sequential) => "sequential",
        Scheduler::Tournament(Schedule::Balanced) => "balanced",
        Scheduler::Tournament(Schedule::Parallel) => "parallel",
        Scheduler::Tournament(Schedule::Exhaustive) => "exhaustive",
        Scheduler::AllPairs => "all pairs",
        Scheduler::SlidingWindow => "sliding window",
        Scheduler::Heapsort => "heapsort",
        Scheduler::Graded => "graded",
    }
}

/// A lower bound of the calls for one query.
pub(super) fn bound(args: &PlanArgs) -> f64 {
    call_bound(args.documents as usize, args.window as usize, top(args) as usize)
}
