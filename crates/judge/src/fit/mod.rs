//! How much of a document fits a prompt: estimated tokens, the cut of one document, the budget of several
//! together, and whether the server read it all.

mod cut;
mod served;
mod tokens;
mod window;

pub use cut::{DEFAULT_DOCUMENT_TOKENS, Fitted, fit};
pub use served::{PromptCut, ServedPrompt, prompt_cut};
pub use tokens::estimate_tokens;
pub use window::{DEFAULT_WINDOW_TOKENS, fit_together, window_that_fits};
