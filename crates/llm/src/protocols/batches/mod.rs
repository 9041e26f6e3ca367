//! Batches of providers: a file for each of their forms.

mod anthropic;
mod bedrock;
mod gemini;
mod openai;
mod remote;

use std::fmt;

use llull_http::{Address, HttpMethod, Transport};
use serde_json::Value;

pub(super) use anthropic::ANTHROPIC_BATCHES;
pub(crate) use bedrock::BedrockBatches;
pub(super) use gemini::GEMINI_BATCHES;
pub(super) use openai::{OPENAI_BATCHES, endpoint as batch_endpoint};

use crate::chat::{BatchLimits, BatchStatus};

/// A request about batches.
pub(crate) struct Call {
    method: HttpMethod,
    address: Address,
    /// The type of the body's content, and the body.
    body: Option<(&'static str, Vec<u8>)>,
    /// Whether nothing is lost if the server does not find the address.
    may_lack: bool,
}

impl Call {
    fn get(address: Address) -> Self {
        Self { method: HttpMethod::Get, address, body: None, may_lack: false }
    }

    fn post(address: Address, body: &Value) -> Self {
        let body = Some(("application/json", body.to_string().into_bytes()));
        Self { method: HttpMethod::Post, address, body, may_lack: false }
    }
}

/// The form of a provider's batches. It is pure. Addresses are made from that of single requests, and lines are in
/// OpenAI's form, whatever the provider's.
pub(crate) trait BatchFormat: fmt::Debug + Send + Sync {
    fn limits(&self) -> BatchLimits;

    /// Returns the connection of a request: that of the models, unless batches have other servers.
    fn transport<'a>(&'a self, _call: &Call, models: &'a Transport) -> &'a Transport {
        models
    }

    /// Returns the request that uploads lines before the batch is made; `None` if the batch holds them itself.
    fn upload(&self, _requests: &Address, _name: &str, _lines: &[Value]) -> Option<Call> {
        None
    }

    /// Returns the request that makes a batch of lines, or of the answer to their upload.
    fn submit(&self, requests: &Address, name: &str, lines: &[Value], uploaded: Option<&Value>) -> Call;

    /// Returns the identifier of the batch in an answer about it.
    fn id<'a>(&self, answer: &'a Value) -> Option<&'a str>;

    /// Returns the request for the latest batches, among them those with this name, or for the page of them that an
    /// answer named; `None` if they have no names.
    fn list(&self, _requests: &Address, _name: &str, _page: Option<&str>) -> Option<Call> {
        None
    }

    /// Returns what the answer names the next page of batches.
    fn next_page<'a>(&self, _answer: &'a Value) -> Option<&'a str> {
        None
    }

    /// Returns the identifier of the batch with this name in the answer to that request.
    fn named<'a>(&self, _answer: &'a Value, _name: &str) -> Option<&'a str> {
        None
    }

    fn status_call(&self, requests: &Address, batch: &str) -> Call;

    fn status(&self, answer: &Value) -> Option<BatchStatus>;

    /// Returns the requests for the files of results, by the answer about a batch that has ended.
    fn results(&self, _requests: &Address, _answer: &Value) -> Result<Vec<Call>, String> {
        Ok(Vec::new())
    }

    /// Returns the results that are in that answer itself.
    fn inline(&self, _answer: &Value) -> Vec<Value> {
        Vec::new()
    }

    /// Returns a result as a line in OpenAI's form.
    fn line(&self, result: Value) -> Value {
        result
    }

    fn cancel(&self, requests: &Address, batch: &str) -> Call;
}
