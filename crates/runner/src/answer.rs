//! What asking a judge once resulted in.

use llull_core::{Failure, Outcome, Usage};

/// The result of asking a judge once.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A verdict, an unusable reply or a failure.
    pub outcome: Outcome,
    /// The reply verbatim, if the judge writes one.
    pub reply: Option<String>,
    /// The model that answered, as its server calls it.
    pub model: Option<String>,
    /// The tokens it took, as far as they are known.
    pub usage: Usage,
    /// The price in US dollars, if known.
    pub cost_usd: Option<f64>,
    /// Estimated tokens of the documents that were cut off before the judge saw them.
    pub tokens_cut: u32,
}

impl Answer {
    /// An answer that was computed in this process: no reply, no tokens, no cost.
    pub fn computed(outcome: Outcome) -> Self {
        Self {
            outcome,
            reply: None,
            model: None,
            usage: Usage { prompt_tokens: Some(0), completion_tokens: Some(0) },
            cost_usd: Some(0.0),
            tokens_cut: 0,
        }
    }

    /// No answer. What the attempt cost is unknown.
    pub fn failed(failure: Failure) -> Self {
        Self {
            outcome: Outcome::Failed(failure),
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            tokens_cut: 0,
        }
    }
}
