//! What the keys of all judges have in common.

use llull_core::Hash;

/// The domain of all task keys.
pub(super) const TASK: &str = "llull task v1";

/// Stands in a [`JudgeSpec`](llull_core::JudgeSpec) for the rubric of a judge that reads none, so that a change of
/// the rubric does not ask it again.
pub(super) const NO_RUBRIC: Hash = Hash([0; 32]);
