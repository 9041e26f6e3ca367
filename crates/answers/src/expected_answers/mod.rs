//! Measures retrieval by expected answers instead of documents' labels.
//!
//! [`GatheredAnswers`] judges every result by every expected answer of its query. It maps each result to the first
//! answer that it contains, unless a better result has it already. It returns labels and runs for any measure of
//! [`llull_metrics`]: an answer is a relevant document, a result without one is not.

mod documents;
mod evaluate;
mod facts;
mod found;
mod gains;
mod judge;
mod made;
mod report;
mod results;
#[cfg(feature = "encoders")]
mod retrieved;
#[cfg(feature = "encoders")]
mod semantic;
mod warnings;

pub use evaluate::{AnswerEvaluation, GatheredAnswers};
pub use facts::{AnswerFacts, AnswerWithoutFacts, FactsError, FactsTally, MadeFacts};
pub use found::{FoundAnswer, QueryAnswers, SupportedFacts, SystemAnswers};
pub use gains::weigh_by_facts;
pub use judge::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because, FactsFound};
pub use made::MadeQueries;
pub use report::{AnswerReportOptions, answer_report};
pub use results::{SystemResults, read_system_results};
#[cfg(feature = "encoders")]
pub use retrieved::{SearchedDocuments, WantedResults};
#[cfg(feature = "encoders")]
pub use semantic::SemanticJudge;
pub use warnings::{dataset_remarks, refusal_of_yes_and_no};
