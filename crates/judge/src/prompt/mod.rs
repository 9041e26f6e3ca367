//! Prompts, as templates that a user can replace.

mod anchors;
mod built_in;
mod comparing;
mod delimit;
mod digits;
mod error;
mod facts;
mod grading;
mod growth;
mod input;
mod kind;
mod messages;
mod question;
mod rendered;
mod rubric_values;
mod template;

pub use anchors::AnchorOrder;
pub use built_in::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
pub use error::PromptError;
pub use facts::FactsPrompt;
pub use input::PromptInput;
pub use kind::PromptKind;
pub use question::QuestionPrompt;
pub use rendered::{PromptRole, Rendered, RenderedMessage};
pub use template::Prompt;
