//! Chat completions as OpenAI defines them (<https://platform.openai.com/docs/api-reference/chat>), and as OpenRouter,
//! vLLM, llama.cpp's server and Ollama understand them.

mod limits;
mod reply;
mod request;
mod status;

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use futures::future::BoxFuture;
use llull_core::{Failure, Scope};

use self::{request::Form, status::Refused};
use crate::{
    ChatModel, ChatReply, ChatRequest, Finish, Notice, Price, registry::Provider, transport::Transport,
};

/// A model behind an OpenAI-compatible server. Learns three things at most, each once: the name of the token limit, whether a
/// JSON schema is taken, and whether log-probabilities are given. It never asks another model and never changes the prompt.
#[derive(Debug)]
pub(crate) struct OpenAi {
    name: String,
    /// The model's name at the server.
    model: String,
    provider: &'static Provider,
    transport: Transport,
    price: Option<Price>,
    /// The words with which the server refused a schema.
    schema_refused: OnceLock<String>,
    /// A reply came to a request with a schema. Later rejections have other reasons.
    schema_taken: AtomicBool,
    /// The words with which the server refused log-probabilities; `None` if a reply came without them, after which the next
    /// may have some: behind one address there can be several servers.
    no_logprobs: OnceLock<Option<String>>,
    /// The server wants `max_completion_tokens`.
    new_limit_name: AtomicBool,
}

impl OpenAi {
    pub(crate) fn new(
        name: &str,
        model: &str,
        provider: &'static Provider,
        transport: Transport,
        price: Option<Price>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            model: model.to_owned(),
            provider,
            transport,
            price,
            schema_refused: OnceLock::new(),
            schema_taken: AtomicBool::new(false),
            no_logprobs: OnceLock::new(),
            new_limit_name: AtomicBool::new(false),
        }
    }

    /// Asks with the schema if there is one and the server is not known to refuse it. A rejection that may be due to
    /// the schema is tried once without: when that is answered the server has no schema, and when it fails as
    /// well the schema was not the reason, and the first rejection is what the caller hears, unless the second failure
    /// is one that may pass: then nothing is known yet, and asking again will tell.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, Failure> {
        let schema = request.schema.is_some() && self.schema_refused.get().is_none();
        let first = match self.send(request, schema).await {
            Ok(reply) => {
                self.schema_taken.fetch_or(schema, Ordering::Relaxed);
                return Ok(reply);
            }
            Err(refused) => refused,
        };
        if !schema || self.schema_taken.load(Ordering::Relaxed) || !first.may_be_the_schema() {
            return Err(first.failure);
        }
        match self.send(request, false).await {
            Ok(reply) => {
                self.schema_refused.get_or_init(|| first.words);
                Ok(reply)
            }
            Err(second) if second.failure.kind.scope() == Scope::Transient => Err(second.failure),
            Err(_) => Err(first.failure),
        }
    }

    /// Sends, and again when the server wants the token limit under its newer name, or gives no log-probabilities and says so.
    async fn send(&self, request: &ChatRequest, schema: bool) -> Result<ChatReply, Refused> {
        let mut form = Form {
            schema,
            logprobs: request.logprobs.is_some() && !matches!(self.no_logprobs.get(), Some(Some(_))),
            new_limit_name: self.new_limit_name.load(Ordering::Relaxed),
        };
        loop {
            match self.send_as(request, form).await {
                Err(refused) if !form.new_limit_name && refused.wants_new_limit_name() => {
                    self.new_limit_name.store(true, Ordering::Relaxed);
                    form.new_limit_name = true;
                }
                Err(refused) if form.logprobs && refused.refuses_logprobs() => {
                    self.no_logprobs.get_or_init(|| Some(refused.words));
                    form.logprobs = false;
                }
                Ok(reply) => {
                    if form.logprobs && reply.tokens.is_empty() && reply.finish == Finish::Stop {
                        self.no_logprobs.get_or_init(|| None);
                    }
                    return Ok(reply);
                }
                Err(refused) => return Err(refused),
            }
        }
    }

    async fn send_as(&self, request: &ChatRequest, form: Form) -> Result<ChatReply, Refused> {
        let body = request::body(&self.model, self.states_cost(), request, form);
        let answered = self.transport.post(&body).await?;
        if !answered.status.is_success() {
            return Err(self.refusal(&answered));
        }
        let mut reply = self.reply(&answered)?;
        if !self.states_cost() {
            // elsewhere `cost` has no agreed unit
            reply.cost_usd = None;
        }
        reply.cost_usd = reply.cost_usd.or_else(|| self.price.and_then(|price| price.cost(&reply.usage)));
        Ok(reply)
    }

    /// Whether the server tells what a reply cost, in US dollars.
    fn states_cost(&self) -> bool {
        self.provider.name == "openrouter"
    }
}

impl ChatModel for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(self.ask(request))
    }

    fn notices(&self) -> Vec<Notice> {
        let model = || self.name.clone();
        let schema = self.schema_refused.get();
        let schema = schema.map(|words| Notice::SchemaRefused { model: model(), words: words.clone() });
        let logprobs = self.no_logprobs.get();
        let logprobs = logprobs.map(|words| Notice::NoLogprobs { model: model(), words: words.clone() });
        schema.into_iter().chain(logprobs).collect()
    }
}
