//! Judges of known noise, and schedulers to compare with: what a tournament costs and how good it is, before it is paid.

mod baseline;
mod chance;
mod judge;
mod plan;
mod pool;
mod quality;
mod summary;
mod trial;

pub use baseline::{Sorted, all_pairs, heapsort, sliding_window};
pub use judge::{CyclicPanel, NoisyJudge};
pub use plan::{Figures, Scheduler, call_bound, plan};
pub use pool::{Prior, SimulatedPool};
pub use quality::{ndcg, tau};
pub use summary::Summary;
pub use trial::{PlanOptions, play};
