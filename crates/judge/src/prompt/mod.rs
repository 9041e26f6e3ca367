//! Prompts: what the judge is shown, as templates that a user can replace.

mod anchors;
mod delimit;
mod error;
mod fit;
mod render;
mod schema;
mod template;
mod tokens;

pub use anchors::AnchorOrder;
pub use error::PromptError;
pub use fit::{DEFAULT_DOCUMENT_TOKENS, Fitted, fit};
pub use render::{PromptInput, Rendered, RenderedMessage, Role};
pub use schema::{AnswerKind, answer_schema};
pub use template::{BUILTIN_PROMPTS, Prompt};
pub use tokens::estimate_tokens;
