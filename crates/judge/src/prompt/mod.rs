//! Prompts, as templates that a user can replace.

mod anchors;
mod delimit;
mod error;
mod facts;
mod growth;
mod kind;
mod question;
mod template;
mod variables;

pub use anchors::AnchorOrder;
pub use error::PromptError;
pub use facts::FactsPrompt;
pub use kind::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, PromptKind};
pub use question::QuestionPrompt;
pub use template::{Prompt, PromptInput, PromptRole, Rendered, RenderedMessage};
