//! The judges: a prompted model, the lexical baseline, a file of labels made elsewhere.

mod prompted;
mod replay;
mod similarity;

pub use prompted::{PromptedJudge, PromptedSettings};
pub use replay::ReplayJudge;
pub use similarity::SimilarityJudge;

/// Stands in a [`JudgeSpec`](llull_core::JudgeSpec) where a judge reads no rubric, so that changing the rubric does
/// not ask it again.
const NO_RUBRIC: llull_core::Hash = llull_core::Hash([0; 32]);

/// The domain of all task keys.
const TASK: &str = "llull task v1";
