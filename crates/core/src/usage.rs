//! Token counts of a reply.

use serde::{Deserialize, Serialize};

/// Token counts as reported by the provider. `None` means unknown, never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, reasoning included.
    pub completion_tokens: Option<u64>,
}
