//! Fits documents into a prompt.
//!
//! It estimates tokens, cuts one document, divides the budget among several, and checks whether the server read
//! everything.

mod cut;
mod served;
mod tokens;
mod window;

pub use cut::{DEFAULT_DOCUMENT_TOKENS, Fitted, fit};
pub use served::{PromptCut, ServedPrompt, prompt_cut};
pub use tokens::estimate_tokens;
pub use window::{DEFAULT_WINDOW_TOKENS, fit_together, window_that_fits};
