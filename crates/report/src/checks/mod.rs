//! Judge checks in words, and as conditions of a study.

mod condition;
mod judge_audit;

pub use condition::{CheckCondition, CheckConditionError, CheckGate, check_gates, unreliable_judges};
pub use judge_audit::{JudgeAudit, PositionAudit, audit_text, check_sentence, judge_audits};
pub(crate) use judge_audit::{check_text, outcome_counts};
