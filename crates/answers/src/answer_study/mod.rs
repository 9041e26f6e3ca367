//! Expected answers judged by the judges of studies.
//!
//! The judges are language models, and panels of them and of others. Each context (a query, an expected answer, a text)
//! is a pair of a study in memory whose rubric has two grades, no and yes. So it uses the studies' strict reading of
//! replies, retries, ledger and keys, medians of panels, agreement and judge checks. A reply that is neither grade is
//! unusable, and does not count as "no"; nothing is paid for twice. Annotators answer about the same pairs in a
//! review (crate `llull-review`), and are judges like any other.

mod annotator;
mod annotator_agreement;
mod computed;
mod contexts;
mod judgments;

pub use annotator::{annotator_judge_name, annotator_of_judge, answering_annotators};
pub use annotator_agreement::{AnnotatorAgreement, AnnotatorContexts, JudgeAgreement, annotator_agreement};
pub use computed::{computed_answers, recorded_answers};
pub use contexts::{AnswerStudyOptions, answer_study, expected_texts};
pub use judgments::{SettledContexts, asked_judgments, settled_contexts};
