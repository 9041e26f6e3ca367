//! A model behind an OpenAI-compatible server.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use futures::future::BoxFuture;
use llull_core::{Failure, Scope};
use llull_http::{Address, Transport};

use super::{
    refusal::{Refused, refusal},
    reply::reply,
    request::{Form, body},
    server::Server,
};
use crate::{
    chat::{ChatModel, ChatReply, ChatRequest, Finish},
    notice::Notice,
    price::Price,
    provider::Provider,
};

/// A model behind an OpenAI-compatible server. Learns three things about the server at most, each once: the
/// name of the token limit, whether it accepts a JSON schema, and whether it gives log-probabilities. It never
/// asks another model and never changes the prompt.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// The model's name as configured.
    name: String,
    server: Server,
    price: Option<Price>,
    /// The words with which the server refused a schema.
    schema_refused: OnceLock<String>,
    /// A request with a schema was answered, so later rejections have other reasons.
    schema_taken: AtomicBool,
    /// The words with which the server refused log-probabilities; `None` if a reply came without them. The next may
    /// have some: behind one address there can be several servers.
    no_logprobs: OnceLock<Option<String>>,
    /// The server wants `max_completion_tokens`.
    new_limit_name: AtomicBool,
}

impl OpenAi {
    /// Returns the address of chat completions below a base address.
    pub(crate) fn chat_address(base: &Address) -> Address {
        base.with_path(&format!("{}/chat/completions", base.path()))
    }

    pub(crate) fn new(
        name: &str,
        model: &str,
        provider: &'static Provider,
        transport: Transport,
        price: Option<Price>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            server: Server { model: model.to_owned(), provider, transport },
            price,
            schema_refused: OnceLock::new(),
            schema_taken: AtomicBool::new(false),
            no_logprobs: OnceLock::new(),
            new_limit_name: AtomicBool::new(false),
        }
    }

    /// Asks, with the schema if there is one and the server is not known to refuse it.
    ///
    /// A request whose rejection may be due to the schema is sent once without it. If that is answered, the
    /// server has no schema. If it fails too, the schema was not the reason and the caller gets the first
    /// rejection; but if the second failure is transient, nothing is known yet, and the caller gets that.
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

    /// Sends the request, and again if the server wants the token limit under its newer name, or refuses
    /// log-probabilities.
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
        let body = body(&self.server.model, self.server.states_cost(), request, form);
        let response = self.server.transport.post(&body).await;
        let response = response.map_err(|error| self.server.unanswered(error))?;
        if !response.is_success() {
            return Err(refusal(&self.server, &response));
        }
        let mut reply = reply(&self.server, &response)?;
        reply.cost_usd = reply.cost_usd.or_else(|| self.price.and_then(|price| price.cost(&reply.usage)));
        Ok(reply)
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
