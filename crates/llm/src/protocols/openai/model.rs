//! A model behind an OpenAI-compatible server.

use futures::future::BoxFuture;
use llull_core::{Failure, Scope, Usage};
use llull_http::Address;

use super::{
    learnt::Learnt,
    parameter::{Form, Parameter},
    refusal::{Refused, refusal},
    reply::reply,
    request::body,
    server::Server,
};
use crate::{
    chat::{ChatModel, ChatReply, ChatRequest, Finish},
    extra::ExtraFields,
    notice::Notice,
    price::Price,
};

/// A model behind an OpenAI-compatible server. Learns which parameters the server refuses, each once. It never uses
/// another model and never changes the prompt.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// The model's name as configured.
    name: String,
    server: Server,
    price: Option<Price>,
    /// The fields that are added to every request.
    extra: ExtraFields,
    learnt: Learnt,
}

/// A refusal that a request was sent again for, and the parameter that it was sent again without.
struct Trial {
    parameter: Parameter,
    first: Refused,
    /// Whether the server named the parameter; if not, it is only the likely reason.
    named: bool,
}

impl OpenAi {
    /// Returns the address of chat completions below a base address.
    pub(crate) fn chat_address(base: &Address) -> Address {
        base.with_path(&format!("{}/chat/completions", base.path()))
    }

    pub(crate) fn new(name: &str, server: Server, price: Option<Price>, extra: ExtraFields) -> Self {
        Self { name: name.to_owned(), server, price, extra, learnt: Learnt::default() }
    }

    /// Sends a request in the form that the server is known to accept.
    ///
    /// A request that is refused for a parameter is sent again without it, or with it renamed. If the second request
    /// is answered, the lesson is learnt. The same holds for a request whose rejection may be due to the schema. If
    /// the schema was not the reason either, the caller gets the first rejection. If the second failure is transient,
    /// nothing is known yet, and the caller gets that failure.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, Failure> {
        let mut form = self.learnt.form();
        let mut trials: Vec<Trial> = Vec::new();
        loop {
            let refused = match self.send(request, form).await {
                Ok(reply) => return Ok(self.answered(reply, request, form, &trials)),
                Err(refused) => refused,
            };
            match self.next_trial(refused, request, form, &trials) {
                Ok(trial) => {
                    form = form.without(trial.parameter);
                    trials.push(trial);
                }
                Err(refused) => return Err(deciding(refused, trials)),
            }
        }
    }

    /// Returns the next form to try after a refusal, or the refusal if no form is left.
    fn next_trial(
        &self,
        first: Refused,
        request: &ChatRequest,
        form: Form,
        trials: &[Trial],
    ) -> Result<Trial, Refused> {
        if let Some(parameter) = first.parameter(request, form) {
            return Ok(Trial { parameter, first, named: true });
        }
        let schema = Parameter::ResponseFormat;
        let untried = trials.iter().all(|trial| trial.parameter != schema) && !self.learnt.takes_schemas();
        if form.sends(schema, request) && untried && first.may_be_the_schema() {
            return Ok(Trial { parameter: schema, first, named: false });
        }
        Err(first)
    }

    /// Learns from a reply, and from the refusals on the way to it.
    fn answered(&self, reply: ChatReply, request: &ChatRequest, form: Form, trials: &[Trial]) -> ChatReply {
        for trial in trials {
            self.learnt.refuses(trial.parameter, &self.name, &trial.first.words);
        }
        if form.sends(Parameter::ResponseFormat, request) {
            self.learnt.schema_taken();
        }
        let asked = form.sends(Parameter::Logprobs, request);
        if asked && reply.tokens.is_empty() && reply.finish == Finish::Stop {
            self.learnt.leaves_logprobs_out(&self.name);
        }
        ChatReply { adjusted: form.adjustments(request), ..reply }
    }

    async fn send(&self, request: &ChatRequest, form: Form) -> Result<ChatReply, Refused> {
        let body = body(&self.server.model, self.server.states_cost(), request, form, &self.extra);
        let response = self.server.transport.post(&body).await;
        let response = response.map_err(|error| self.server.unanswered(error))?;
        if !response.is_success() {
            let refused = refusal(&self.server, &response);
            return if refused.is_cut_off() { Ok(cut_off()) } else { Err(refused) };
        }
        let mut reply = reply(&self.server, &response)?;
        reply.cost_usd = reply.cost_usd.or_else(|| self.price.and_then(|price| price.cost(&reply.usage)));
        Ok(reply)
    }
}

/// Returns the failure of a request that was refused in every form that was tried.
fn deciding(last: Refused, mut trials: Vec<Trial>) -> Failure {
    match trials.pop() {
        Some(trial) if !trial.named && last.failure.kind.scope() != Scope::Transient => trial.first.failure,
        _ => last.failure,
    }
}

/// Returns the reply of a model that has used up its limit before it wrote anything.
fn cut_off() -> ChatReply {
    ChatReply {
        text: String::new(),
        reasoning: None,
        finish: Finish::Length,
        usage: Usage::default(),
        model: None,
        tokens: Vec::new(),
        cost_usd: None,
        adjusted: Vec::new(),
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
        self.learnt.notices()
    }
}
