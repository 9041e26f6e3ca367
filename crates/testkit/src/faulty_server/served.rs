//! Counts of a server's requests and faults.

use std::collections::BTreeMap;

use llull_core::Hash;
use serde_json::Value;

/// The counts of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// Requests by how they were answered: [`Fault::name`](crate::Fault::name), or `no_schema`,
    /// `new_limit_name`, `bad_request`.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Requests by the hash of their prompt.
    pub prompts: BTreeMap<Hash, PromptCount>,
    /// The most requests that were open at once.
    pub most_open: usize,
}

/// The number of requests with one prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PromptCount {
    /// Requests.
    pub asked: u32,
    /// Requests that met a fault in transit: 429, 500, a hang, a broken connection.
    pub stumbled: u32,
    /// Requests that were answered, whatever the text.
    pub answered: u32,
}

/// One request, as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The body; `null` if it is not JSON.
    pub body: Value,
}

impl Served {
    /// Returns the number of all requests.
    pub fn total(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// Returns the number of requests of this kind.
    pub fn of(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// Returns the number of answers that a provider would have charged for.
    pub fn answered(&self) -> u64 {
        self.prompts.values().map(|count| u64::from(count.answered)).sum()
    }

    /// Returns the number of answers beyond the first to the same prompt: those that were paid for twice.
    pub fn answered_again(&self) -> u64 {
        self.prompts.values().map(|count| u64::from(count.answered.saturating_sub(1))).sum()
    }
}
