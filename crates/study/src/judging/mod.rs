//! Runs judges, estimates their cost, and shows their prompts.
//!
//! This is the part of the engine above the ledger line.

mod allowed_servers;
mod annotators;
mod attributes;
mod budget;
mod build_evidence;
mod call_range;
mod changed_rubric_or_prompt;
mod comparing_judges;
mod entry_order;
mod error;
mod estimate;
mod evidence_source;
mod models;
mod outcome;
mod own_judge_error;
mod own_judges;
mod panel;
mod plan;
mod preview;
mod probing;
mod prompts;
mod reading;
mod recorded_judge;
mod replayed_labels;
mod sent_prompt;
mod session;
mod study_context;
mod tree;

pub(crate) use allowed_servers::AllowedServers;
pub(crate) use budget::priced;
pub use budget::{BudgetEnd, BudgetScope, MissingFigure, UnknownSpending};
pub use changed_rubric_or_prompt::EarlierAnswers;
pub(crate) use changed_rubric_or_prompt::{changed, earlier_answers, short};
pub(crate) use comparing_judges::{comparing_judges, features_asked};
pub use error::JudgeError;
pub(crate) use estimate::estimates;
pub use estimate::{Estimate, estimate_of_requests};
pub use models::connect_model;
pub(crate) use models::endpoint;
pub use outcome::{JudgeTally, JudgingOutcome};
pub use own_judge_error::OwnJudgeError;
pub use own_judges::JudgeFunction;
pub(crate) use own_judges::{own_channel, own_identity};
pub use plan::LEAST_RECHECKS;
pub(crate) use preview::previews;
pub use preview::{PreviewMessage, PromptPreview};
pub use probing::ProbingOutcome;
pub(crate) use probing::probe_estimates;
pub(crate) use prompts::anchor_order;
pub(crate) use reading::{read_evidence, read_evidence_with, read_excerpt, read_texts};
pub(crate) use sent_prompt::SentPrompts;
pub use sent_prompt::{AskedPrompt, attempt_texts};
pub use session::Judging;
pub(crate) use study_context::Excerpt;
