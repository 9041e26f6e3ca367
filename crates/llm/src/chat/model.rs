//! The trait of language models, its requests and its replies.

use futures::future::BoxFuture;
use llull_core::{Answer, Failure, Outcome, Reason, Sampling, Unusable, Usage, Verdict};
use serde_json::Value;

use super::{batch_lines::BatchLines, batch_server::BatchServer};
use crate::{adjustment::Adjustment, notice::Notice, rate_limit::RateLimit};

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// The question.
    User,
    /// The model, in worked examples.
    Assistant,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its author.
    pub role: Role,
    /// Its text.
    pub content: String,
}

/// The JSON schema that a reply has to follow, if the server can enforce one.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseSchema {
    /// A short name, for OpenAI's `json_schema.name`.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Sampling parameters.
    pub sampling: Sampling,
    /// The form of the reply.
    pub schema: Option<ResponseSchema>,
    /// How many alternatives to name for each token, with their log-probabilities (most servers name 20 at most).
    /// `None` asks for no log-probabilities.
    pub logprobs: Option<u8>,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The token limit was reached.
    Length,
    /// A filter intervened, or the model refused in the field made for that.
    Refused,
    /// The model called a tool and wrote no text, although it was given none. The reply's text is the call as JSON.
    ToolCall,
    /// Another reason, in the server's word; empty if it names none.
    Other(String),
}

/// The words for a refused text or reply, in lower case: those of Anthropic, Bedrock and Gemini. OpenAI and Azure use
/// `content_filter`, which gateways put before the word of another server.
const REFUSALS: [&str; 12] = [
    "refusal",
    "content_filtered",
    "guardrail_intervened",
    "safety",
    "recitation",
    "language",
    "blocklist",
    "prohibited_content",
    "spii",
    "escalation",
    "model_armor",
    "image_safety",
];

impl Finish {
    /// Returns what a server's word for the end of a reply means: `finish_reason`, `stop_reason` or the like. Gateways
    /// hand on the words of other servers. The words of tool calls are [`Other`](Self::Other): whether the reply has a
    /// text beside them is not in the word.
    pub fn of_word(word: &str) -> Self {
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "stop" | "end_turn" | "stop_sequence" | "eos" => Self::Stop,
            "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => Self::Length,
            "content_filter" => Self::Refused,
            lower if lower.starts_with("content_filter:") || REFUSALS.contains(&lower) => Self::Refused,
            _ => Self::Other(word.to_owned()),
        }
    }
}

/// One token of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyToken {
    /// Its text.
    pub text: String,
    /// The natural logarithm of its probability, at most 0.
    pub logprob: f64,
    /// The most likely tokens at its place with their log-probabilities, in the server's order. The token itself is
    /// usually among them.
    pub alternatives: Vec<(String, f64)>,
}

/// One reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatReply {
    /// The reply's text, verbatim.
    pub text: String,
    /// Reasoning, if the server keeps it apart from the text. It is never read for an answer.
    pub reasoning: Option<String>,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens, as far as the server counted them.
    pub usage: Usage,
    /// The model that answered, as the server calls it.
    pub model: Option<String>,
    /// Its tokens with log-probabilities, if the request wanted them and the server gives them. Some servers put the
    /// tokens of reasoning first.
    pub tokens: Vec<ReplyToken>,
    /// The cost in US dollars: the server's, otherwise the configured price of the usage, otherwise unknown.
    pub cost_usd: Option<f64>,
    /// The parameters that were left out or renamed because the server refuses them.
    pub adjusted: Vec<Adjustment>,
    /// The provider's identifier of the request.
    pub request_id: Option<String>,
}

impl ChatReply {
    /// Returns the judge's answer, given what its text was read as. A call of a tool is never read.
    pub fn into_answer(self, read: Result<Verdict, Unusable>, tokens_cut: u32) -> Answer {
        let outcome = match self.finish {
            Finish::ToolCall => Outcome::Unusable(Unusable {
                reason: Reason::ToolCall,
                detail: "the model called a tool and wrote no text; llull gives it no tools".into(),
            }),
            _ => read.into(),
        };
        // Some servers send reasoning separately from the text. It is recorded in the form of models that send both
        // together, so that the record is one reply.
        let text = match self.reasoning {
            Some(reasoning) => format!("<think>\n{reasoning}\n</think>\n{}", self.text),
            None => self.text,
        };
        Answer {
            outcome,
            reply: Some(text),
            model: self.model,
            usage: self.usage,
            cost_usd: self.cost_usd,
            tokens_cut,
            adjusted: Adjustment::json(&self.adjusted),
            request_id: self.request_id,
        }
    }
}

/// A language model. Implementations do not retry, except to learn once which parameters a server supports: the runner
/// decides about retries and records every attempt.
pub trait ChatModel: Send + Sync {
    /// Returns the model's name as configured, `openai/gpt-4o-mini`.
    fn name(&self) -> &str;

    /// Asks once.
    ///
    /// Dropping the future abandons the request.
    ///
    /// # Errors
    /// Returns a [`Failure`] without secrets in its message if no reply arrives.
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>>;

    /// Returns the lines of the model's requests in batch files; `None` if it has none.
    fn batch_lines(&self) -> Option<&dyn BatchLines> {
        None
    }

    /// Returns the batches of the model's provider; `None` if it has none that are known.
    fn batch_server(&self) -> Option<&dyn BatchServer> {
        None
    }

    /// Returns notices about the server for readers of the results, in the order in which they were learnt; none for
    /// most models. Call it again at the end: the limits of a server show in its first answers.
    fn notices(&self) -> Vec<Notice> {
        Vec::new()
    }

    /// Returns what identifies the account whose limits count the requests: server, model and the variable of the key.
    fn account(&self) -> &str {
        self.name()
    }

    /// Returns the limits of the account that the server's latest answer stated; none for most models.
    fn limits(&self) -> Vec<RateLimit> {
        Vec::new()
    }
}
