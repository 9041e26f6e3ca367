//! Expected answers judged by the judges of studies: language models, and panels of them and of others.
//!
//! Each context (a query, an expected answer, a text) is a pair of a study in memory whose rubric has two grades, no
//! and yes. So the strict reading of replies, retries, the ledger and its keys, the median of a panel, agreement and
//! alarms are those of every study: a reply that is neither is unusable, which is no "no", and nothing is paid for
//! twice.

mod computed;
mod contexts;
mod judgments;

pub use computed::computed_answers;
pub use contexts::{AnswerStudyOptions, answer_study};
pub use judgments::asked_judgments;
