//! Fits documents into a prompt.
//!
//! It estimates tokens, cuts one document, divides the budget among several, and checks whether the server read
//! everything.

mod cut;
mod served;
mod window;

pub use cut::{DEFAULT_DOCUMENT_TOKENS, Fitted, fit};
pub use llull_core::estimate_tokens;
pub use served::{PromptCut, ServedPrompt, prompt_cut};
pub use window::{DEFAULT_WINDOW_TOKENS, fit_together, window_that_fits};
