//! Simulates judges of known noise, tournaments and published schedulers.
//!
//! A simulation shows the cost and the quality of a tournament before it is paid for.

mod baseline;
mod noise_terms;
mod noisy_judge;
mod plan;
mod pool;
mod quality;

pub use baseline::{Sorted, all_pairs, graded, heapsort, sliding_window};
pub use noise_terms::{NoiseTerm, NoiseTermError};
pub use noisy_judge::NoisyJudge;
pub use plan::{Figures, PlanOptions, SampleSummary, Scheduler, TournamentLabels, call_bound, plan, play};
pub use pool::{SimulatedPool, SimulatedPrior};
pub use quality::{ndcg, ndcg_of_labels, tau};
