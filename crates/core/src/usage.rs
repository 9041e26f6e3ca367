//! Token counts of a reply.

use serde::{Deserialize, Serialize};

/// Token counts as reported by the provider. `None` means unknown, never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, reasoning included.
    pub completion_tokens: Option<u64>,
    /// Tokens of the prompt that the server read from its cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens of the prompt that the server wrote to its cache, if it charges for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_written_tokens: Option<u64>,
    /// Tokens of the reply that are reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

impl Usage {
    /// Creates the counts of a prompt and a reply without the details.
    pub fn new(prompt_tokens: impl Into<Option<u64>>, completion_tokens: impl Into<Option<u64>>) -> Self {
        let (prompt_tokens, completion_tokens) = (prompt_tokens.into(), completion_tokens.into());
        Self { prompt_tokens, completion_tokens, ..Self::default() }
    }
}
