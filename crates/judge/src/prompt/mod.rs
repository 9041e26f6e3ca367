//! Prompts: what the judge is shown, as templates that a user can replace.

mod anchors;
mod compared;
mod comparison;
mod delimit;
mod error;
mod fit;
mod graded;
mod rendered;
mod schema;
mod template;
mod tokens;
mod window;

pub use anchors::AnchorOrder;
pub use compared::{BUILTIN_COMPARE_PROMPTS, CompareInput, ComparePrompt};
pub(crate) use comparison::NEITHER;
pub use comparison::{CompareKind, Comparison, comparison_schema};
pub use error::PromptError;
pub use fit::{DEFAULT_DOCUMENT_TOKENS, Fitted, fit};
pub use graded::{BUILTIN_PROMPTS, Prompt, PromptInput};
pub use rendered::{Rendered, RenderedMessage, Role};
pub use schema::{AnswerKind, answer_schema};
pub use tokens::estimate_tokens;
pub use window::{DEFAULT_WINDOW_TOKENS, fit_together, window_that_fits};
