//! The common parts of all judges' keys.

use llull_core::Hash;

/// The domain of all task keys.
pub(super) const TASK: &str = "llull task v1";

/// The rubric hash in the [`JudgeSpec`](llull_core::JudgeSpec) of a judge without a rubric. Since it is constant, a
/// change of the rubric does not ask the judge again.
pub(super) const NO_RUBRIC: Hash = Hash([0; 32]);
