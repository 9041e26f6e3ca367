//! Simulates judges of known noise, tournaments and published schedulers.
//!
//! A simulation shows the cost and the quality of a tournament before it is paid for.

mod baseline;
mod noisy_judge;
mod plan;
mod play;
mod pool;
mod quality;
mod sample_summary;

pub use baseline::{Sorted, all_pairs, graded, heapsort, sliding_window};
pub use noisy_judge::NoisyJudge;
pub use plan::{Figures, PlanOptions, Scheduler, call_bound, plan};
pub use play::play;
pub use pool::{SimulatedPool, SimulatedPrior};
pub use quality::{ndcg, tau};
pub use sample_summary::SampleSummary;
