//! Retrieval measured by the answers that are expected, in place of labels of documents.
//!
//! [`evaluate_answers`] judges every result by every expected answer of its query, maps each result to the first answer
//! that it holds and that no better result has taken, and returns labels and runs that any measure of
//! [`llull_metrics`] takes: an answer is a relevant document, a result that brings none of them is not.

mod documents;
mod evaluate;
mod facts;
mod found;
mod gains;
mod judge;
mod made;
mod made_facts;
mod mapping;
mod report;
mod results;
#[cfg(feature = "encoders")]
mod retrieved;
#[cfg(feature = "encoders")]
mod semantic;
mod supported;

pub use evaluate::{AnswerEvaluation, GatheredAnswers, evaluate_answers};
pub use facts::{AnswerFacts, FactsError};
pub use found::{FoundAnswer, QueryAnswers, SystemAnswers};
pub use gains::weigh_by_facts;
pub use judge::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because, FactsFound};
pub use made::MadeQueries;
pub use made_facts::{AnswerWithoutFacts, FactsTally, MadeFacts};
pub use report::{AnswerReportOptions, answer_report};
pub use results::{SystemResults, read_system_results};
#[cfg(feature = "encoders")]
pub use retrieved::{SearchedDocuments, WantedResults};
#[cfg(feature = "encoders")]
pub use semantic::SemanticJudge;
pub use supported::SupportedFacts;
