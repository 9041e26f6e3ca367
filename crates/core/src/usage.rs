//! What a reply consumed.

use serde::{Deserialize, Serialize};

/// Tokens as the provider counted them. `None` is unknown, never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, reasoning included.
    pub completion_tokens: Option<u64>,
}
