//! Above the ledger line: asking judges, what that would cost, and exactly what a judge would be sent.

mod allowed_servers;
mod budget;
mod call_range;
mod earlier_answers;
mod entry_order;
mod environment;
mod estimate;
mod gather;
mod kept_prompts;
mod models;
mod open_rechecks;
mod outcome;
mod panel;
mod plan;
mod preview;
mod prompts;
mod replayed_labels;
mod reread_notes;
mod session;

pub(crate) use allowed_servers::AllowedServers;
pub(crate) use budget::priced;
pub use budget::{BudgetEnd, BudgetScope};
pub use earlier_answers::EarlierAnswers;
pub(crate) use earlier_answers::{changed, earlier_answers, short};
pub use environment::Environment;
pub use estimate::Estimate;
pub(crate) use estimate::estimates;
pub(crate) use gather::{Excerpt, read_evidence, read_excerpt};
pub(crate) use kept_prompts::keep_prompts;
pub(crate) use models::{connected, endpoint};
pub use outcome::{JudgeTally, JudgingOutcome};
pub use plan::LEAST_RECHECKS;
pub(crate) use preview::previews;
pub use preview::{PreviewMessage, PromptPreview};
pub use session::Judging;
