//! The seam: what every language model can be asked, and what it can answer.

use std::fmt;

use futures::future::BoxFuture;
use llull_core::{Failure, Sampling, Usage};
use serde_json::Value;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// The question.
    User,
    /// The model; used for worked examples.
    Assistant,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// The JSON schema that a reply has to follow, where the server can enforce one.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseSchema {
    /// A short name, as OpenAI's `json_schema.name` wants it.
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
    /// How many alternatives to name for each token with their log-probabilities (most servers name 20 at most); `None` asks
    /// for no log-probabilities.
    pub logprobs: Option<u8>,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The token limit was reached.
    Length,
    /// A filter stepped in, or the model refused in the field made for that.
    Refused,
    /// Something else, in the server's word; or nothing was said.
    Other(String),
}

/// One token of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyToken {
    /// Its text.
    pub text: String,
    /// The natural logarithm of its probability, at most 0.
    pub logprob: f64,
    /// The most likely tokens at its place with their log-probabilities, in the server's order; as a rule it is among them.
    pub alternatives: Vec<(String, f64)>,
}

/// One reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatReply {
    /// The reply's text, verbatim.
    pub text: String,
    /// Reasoning that the server keeps apart from the text. Never read for an answer.
    pub reasoning: Option<String>,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens, as far as the server counted them.
    pub usage: Usage,
    /// The model that has answered, as the server calls it.
    pub model: Option<String>,
    /// Its tokens with log-probabilities, if they were asked for and the server gives them. Some servers put the tokens of
    /// reasoning in front.
    pub tokens: Vec<ReplyToken>,
    /// The price in US dollars: what the server states, else what the configured price makes of the usage, else unknown.
    pub cost_usd: Option<f64>,
}

/// What a model has learnt about its server, and whoever reads the results should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The server refused to enforce a JSON schema, so replies have only the prompt to follow.
    SchemaRefused {
        /// The model's name as configured.
        model: String,
        /// The server's words.
        words: String,
    },
    /// The server gives no log-probabilities, so probabilities of answers stay unknown.
    NoLogprobs {
        /// The model's name as configured.
        model: String,
        /// The words with which it refused them; `None` where it takes the request and leaves them out.
        words: Option<String>,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SchemaRefused { model, words } => write!(
                f,
                "{model}: the server takes no JSON schema, so it is asked without one and more replies may be \
                 unusable ({words})"
            ),
            Self::NoLogprobs { model, words } => write!(
                f,
                "{model}: the server gives no log-probabilities, so the probabilities of answers are unknown ({})",
                words.as_deref().unwrap_or("it takes the request and leaves them out")
            ),
        }
    }
}

/// A language model that can be asked. Implementations do no retries of their own, beyond learning once what a
/// server supports: the runner decides about retries and records every attempt.
pub trait ChatModel: Send + Sync {
    /// The model's name as configured, `openai/gpt-4o-mini`.
    fn name(&self) -> &str;

    /// Asks once.
    ///
    /// # Errors
    /// A [`Failure`] without secrets in its message. Dropping the future gives the request up.
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>>;

    /// What it has learnt so far that readers of the results should know; nothing for most models. Ask again at
    /// the end: a server shows what it cannot do when it is first asked to.
    fn notices(&self) -> Vec<Notice> {
        Vec::new()
    }
}
