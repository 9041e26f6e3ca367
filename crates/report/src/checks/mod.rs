//! Judge checks in words, and as conditions of a study.

mod condition;
mod gate;
mod judge_audit;
mod sentence;

pub use condition::{CheckCondition, CheckConditionError};
pub use gate::{CheckGate, check_gates, unreliable_judges};
pub use judge_audit::{JudgeAudit, PositionAudit, audit_text, judge_audits};
pub use sentence::check_sentence;
pub(crate) use sentence::{check_text, outcome_counts};
