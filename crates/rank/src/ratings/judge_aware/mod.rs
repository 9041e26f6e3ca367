//! Bradley-Terry ratings with judges of different discrimination.

mod likelihood;
mod model;
mod topic;

pub use model::{JudgeAware, JudgeAwareError, judge_aware};
