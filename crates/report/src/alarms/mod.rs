//! Judge checks in words, and as conditions of a study.

mod condition;
mod distrusted;
mod gate;
mod judge_audit;
mod sentence;

pub use condition::{AlarmCondition, AlarmConditionError};
pub use distrusted::distrusted;
pub use gate::{AlarmGate, alarm_gates};
pub use judge_audit::{JudgeAudit, PositionAudit, audit_text, judge_audits};
pub use sentence::{alarm_sentence, figure_of_alarm};
