//! Bradley and Terry with judges who differ in how well they tell items apart.

mod discrimination;
mod likelihood;
mod model;
mod topic;

pub use model::{JudgeAware, JudgeAwareError, judge_aware};
