//! A model behind a server, in any wire format.

use futures::future::BoxFuture;
use llull_core::{Failure, Scope, Usage};
use llull_http::Response;
use serde_json::{Map, Value, json};

use super::{
    batches::{BatchFormat, BedrockBatches},
    learnt::Learnt,
    parameter::{Form, Parameter},
    refusal::{REQUEST_ID_HEADERS, Refused, failure_of_line, refusal, refusal_in_body, request_id},
    server::Server,
    wire_format::{Unread, WireFormat, wire_format},
};
use crate::{
    chat::{BatchLines, BatchServer, ChatModel, ChatReply, ChatRequest, Finish},
    extra::ExtraFields,
    notice::Notice,
    price::Price,
    rate_limit::{RateLimit, rate_limits},
};

/// A model behind a server. Learns which parameters the server refuses, each once. It never uses another model and
/// never changes the prompt.
#[derive(Debug)]
pub(crate) struct RemoteModel {
    /// The model's name as configured.
    name: String,
    /// The account whose limits count the requests.
    account: String,
    pub(super) server: Server,
    pub(super) format: &'static dyn WireFormat,
    price: Option<Price>,
    /// The share of a price that requests in batches cost.
    batch_share: f64,
    /// Its batches, if they need settings.
    bedrock_batches: Option<BedrockBatches>,
    /// The fields that are added to every request.
    extra: ExtraFields,
    learnt: Learnt,
}

/// A refusal that a request was sent again for, and the parameter that it was sent again without.
struct Trial {
    parameter: Parameter,
    /// The form of the refused request.
    form: Form,
    first: Refused,
    /// Whether the server named the parameter; if not, it is only the likely reason.
    named: bool,
}

impl RemoteModel {
    /// Creates a model with the price of requests, and the share of it that requests in batches cost.
    pub(crate) fn new(
        name: &str,
        server: Server,
        (price, batch_share): (Option<Price>, f64),
        bedrock_batches: Option<BedrockBatches>,
        extra: ExtraFields,
    ) -> Self {
        let format = wire_format(server.provider.wire);
        let learnt = Learnt::new(Form::of(format));
        let account = format!("{} {} {}", server.transport.address(), server.model, server.key_variable);
        let name = name.to_owned();
        Self { name, account, server, format, price, batch_share, bedrock_batches, extra, learnt }
    }

    /// Returns the form of its batches; `None` without any.
    pub(super) fn batches(&self) -> Option<&dyn BatchFormat> {
        let own = || self.format.batches().map(|batches| batches as &dyn BatchFormat);
        self.bedrock_batches.as_ref().map(|batches| batches as &dyn BatchFormat).or_else(own)
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
            match self.next_trial(refused, request, form) {
                Ok(trial) => {
                    form = form.without(trial.parameter);
                    trials.push(trial);
                }
                Err(refused) => return Err(deciding(refused, trials)),
            }
        }
    }

    /// Returns the next form to try after a refusal, or the refusal if no form is left.
    fn next_trial(&self, first: Refused, request: &ChatRequest, form: Form) -> Result<Trial, Refused> {
        if let Some(parameter) = first.parameter(request, form) {
            return Ok(Trial { parameter, form, first, named: true });
        }
        let schema = Parameter::ResponseFormat;
        if form.sends(schema, request) && !self.learnt.takes_schemas() && first.may_be_the_schema() {
            return Ok(Trial { parameter: schema, form, first, named: false });
        }
        Err(first)
    }

    /// Learns from a reply, and from the refusals on the way to it.
    fn answered(&self, reply: ChatReply, request: &ChatRequest, form: Form, trials: &[Trial]) -> ChatReply {
        for trial in trials {
            self.learnt.refuses(trial.parameter, trial.form, &self.name, &trial.first.words);
        }
        for parameter in self.format.lacks().iter().filter(|parameter| parameter.is_asked_for(request)) {
            // A server that refuses JSON too has told that itself.
            if *parameter != Parameter::ResponseFormat || form.takes(*parameter) {
                self.learnt.lacks(*parameter, &self.name);
            }
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
        let response = self.server.transport.post(&self.body(request, form)).await;
        let response = response.map_err(|error| self.server.unanswered(error))?;
        self.learnt.limited(rate_limits(&response));
        self.received(&response, form.tool(request))
    }

    fn body(&self, request: &ChatRequest, form: Form) -> Value {
        let mut body = self.format.body(&self.server.model, request, form);
        add(&mut body, &self.extra);
        body
    }

    /// Reads an answer, whatever its status.
    fn received(&self, response: &Response, tool: Option<&str>) -> Result<ChatReply, Refused> {
        if !response.is_success() {
            let refused = refusal(&self.server, response);
            return if refused.is_cut_off() { Ok(cut_off()) } else { Err(refused) };
        }
        let read = self.read(response, tool)?;
        let rates = self.format.cache_rates();
        let priced = || self.price.and_then(|price| price.cost_with_cache(&read.usage, rates));
        let cost_usd = read.cost_usd.filter(|_| self.server.provider.states_price).or_else(priced);
        let request_id = read.request_id.or_else(|| request_id(response).map(str::to_owned));
        Ok(self.server.without_key(ChatReply { cost_usd, request_id, ..read }))
    }

    /// Reads an answer with a status of success.
    fn read(&self, response: &Response, tool: Option<&str>) -> Result<ChatReply, Refused> {
        let server = &self.server;
        let body: Value = serde_json::from_slice(&response.body).map_err(|error| {
            let start = String::from_utf8_lossy(&response.body);
            server.not_the_protocol(&format!("the answer is not JSON ({error}): {start}"))
        })?;
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(refusal_in_body(server, response, error));
        }
        self.format.reply(&body, tool).map_err(|unread| match unread {
            Unread::Error(error) => refusal_in_body(server, response, &error),
            Unread::NotTheProtocol(what) => Refused::from(server.not_the_protocol(&what)),
        })
    }
}

/// Adds a study's fields to a body, also inside the objects that it has.
fn add(body: &mut Value, extra: &Map<String, Value>) {
    let Some(fields) = body.as_object_mut() else { return };
    for (name, value) in extra {
        match (fields.get_mut(name), value) {
            (Some(own @ Value::Object(_)), Value::Object(added)) => add(own, added),
            _ => {
                fields.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Returns the failure of a request that was refused in every form that was tried.
fn deciding(last: Refused, trials: Vec<Trial>) -> Failure {
    if last.failure.kind.scope() == Scope::Transient {
        return last.failure;
    }
    // A schema that was not named may have been tried in several forms; the first refusal tells the reason.
    let named = trials.iter().rposition(|trial| trial.named).map_or(0, |at| at + 1);
    trials.into_iter().nth(named).map_or(last.failure, |trial| trial.first.failure)
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
        request_id: None,
    }
}

impl BatchLines for RemoteModel {
    fn line(&self, id: &str, request: &ChatRequest) -> Value {
        json!({
            "custom_id": id,
            "method": "POST",
            "url": self.format.batch_url(self.server.transport.address(), &self.server.model),
            "body": self.body(request, self.learnt.form()),
        })
    }

    fn reply(&self, line: &Value, request: &ChatRequest) -> Result<ChatReply, Failure> {
        let status = line.pointer("/response/status_code").and_then(Value::as_u64);
        let status = status.and_then(|status| u16::try_from(status).ok());
        let body = line.pointer("/response/body").filter(|body| !body.is_null());
        let response = match (body, line.get("error").filter(|error| !error.is_null())) {
            (Some(body), _) => {
                let response = Response::new(status.unwrap_or(200), body.to_string().into_bytes());
                let id = line.pointer("/response/request_id").and_then(Value::as_str);
                id.into_iter().fold(response, |response, id| response.with_header(REQUEST_ID_HEADERS[0], id))
            }
            (None, Some(error)) => {
                return Err(failure_of_line(&self.server, status, error));
            }
            (None, None) => {
                let words = "the line has neither a body of a response nor an error";
                return Err(self.server.not_the_protocol(words));
            }
        };
        // Another process may have learnt that the schema has to be a tool's.
        let tool = request.schema.as_ref().map(|schema| schema.name.as_str());
        let reply = self.received(&response, tool).map_err(|refused| refused.failure)?;
        let cost_usd = reply.cost_usd.map(|usd| usd * self.batch_share);
        Ok(ChatReply { cost_usd, adjusted: self.learnt.form().adjustments(request), ..reply })
    }
}

impl ChatModel for RemoteModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(self.ask(request))
    }

    fn batch_lines(&self) -> Option<&dyn BatchLines> {
        Some(self)
    }

    fn batch_server(&self) -> Option<&dyn BatchServer> {
        let has_some = self.server.provider.half_price_batches && self.batches().is_some();
        has_some.then_some(self as &dyn BatchServer)
    }

    fn notices(&self) -> Vec<Notice> {
        self.learnt.notices()
    }

    fn account(&self) -> &str {
        &self.account
    }

    fn limits(&self) -> Vec<RateLimit> {
        self.learnt.limits()
    }
}
