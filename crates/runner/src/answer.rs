//! The result of one request to a judge.

use llull_core::{Failure, Outcome, Reason, Unusable, Usage};
use llull_llm::{Adjustment, ChatReply, Finish};

/// The result of asking a judge once.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A verdict, an unusable reply or a failure.
    pub outcome: Outcome,
    /// The reply verbatim, if the judge writes one.
    pub reply: Option<String>,
    /// The name of the model that answered, as given by its server.
    pub model: Option<String>,
    /// The tokens that were used, if they are known.
    pub usage: Usage,
    /// The price in US dollars, if known.
    pub cost_usd: Option<f64>,
    /// The estimated number of tokens that were cut from the documents before the judge saw them.
    pub tokens_cut: u32,
    /// The request parameters that were left out or renamed because the server refuses them, as JSON. `None` if the
    /// request was sent unchanged.
    pub adjusted: Option<String>,
}

impl Answer {
    /// Creates an answer that was computed in this process, without a reply and at no cost.
    pub fn computed(outcome: Outcome) -> Self {
        Self {
            outcome,
            reply: None,
            model: None,
            usage: Usage { prompt_tokens: Some(0), completion_tokens: Some(0) },
            cost_usd: Some(0.0),
            tokens_cut: 0,
            adjusted: None,
        }
    }

    /// Creates the answer of a model that replied, which reads as `outcome`. A call of a tool is never read.
    pub fn replied(outcome: Outcome, reply: ChatReply, tokens_cut: u32) -> Self {
        let outcome = match reply.finish {
            Finish::ToolCall => Outcome::Unusable(Unusable {
                reason: Reason::ToolCall,
                detail: "the model called a tool and wrote no text; llull gives it no tools".into(),
            }),
            _ => outcome,
        };
        // Some servers send reasoning separately from the text. It is recorded in the form of models that send both
        // together, so that the record is one reply.
        let text = match reply.reasoning {
            Some(reasoning) => format!("<think>\n{reasoning}\n</think>\n{}", reply.text),
            None => reply.text,
        };
        Self {
            outcome,
            reply: Some(text),
            model: reply.model,
            usage: reply.usage,
            cost_usd: reply.cost_usd,
            tokens_cut,
            adjusted: Adjustment::json(&reply.adjusted),
        }
    }

    /// Creates a failed answer. The cost of the attempt is unknown.
    pub fn failed(failure: Failure) -> Self {
        Self {
            outcome: Outcome::Failed(failure),
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            tokens_cut: 0,
            adjusted: None,
        }
    }
}
