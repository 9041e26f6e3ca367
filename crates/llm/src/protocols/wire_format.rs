//! The seam between models and the wire formats of their servers.

use std::fmt;

use llull_core::Usage;
use llull_http::{Address, KEY, KeyForm};
use serde_json::Value;

use super::anthropic::Anthropic;
use super::batches::BatchFormat;
use super::bedrock::Bedrock;
use super::gemini::{GEMINI, VERTEX};
use super::openai::{AZURE, DEEPSEEK, GROQ, MISTRAL, OPENAI, TOGETHER};
use super::parameter::{Form, Parameter, SchemaForm};
use super::responses::Responses;
use crate::chat::{ChatReply, ChatRequest};
use crate::price::CacheRates;
use crate::provider::Wire;

/// The wire format of a provider's requests and replies. It is pure: it opens no connection and remembers nothing.
pub(crate) trait WireFormat: fmt::Debug + Send + Sync {
    /// Returns the address of a model's requests below a base address.
    fn address(&self, base: &Address, model: &str) -> Address;

    /// Returns the path of a model's requests in batch files.
    fn batch_url(&self, requests: &Address, model: &str) -> String;

    /// Returns the form of batches, if the format has some. Not every provider of the format has them.
    fn batches(&self) -> Option<&'static dyn BatchFormat> {
        None
    }

    /// Returns how the key is sent.
    fn key_form(&self) -> KeyForm {
        KeyForm::Bearer
    }

    /// Returns the headers of every request, besides the key's.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the forms in which a schema is sent, each for a server that refuses the one before it.
    fn schema_forms(&self) -> &'static [SchemaForm];

    /// Returns the parameters that no server of this format takes; `ResponseFormat` if none takes a schema as such.
    fn lacks(&self) -> &'static [Parameter] {
        &[]
    }

    /// Returns the body of a request. What is `None` in the request is left out, so that the server decides.
    fn body(&self, model: &str, request: &ChatRequest, form: Form) -> Value;

    /// Reads the body of an answer with a status of success, which may still quote the key. `tool` is the name of the
    /// one that the model had to call.
    fn reply(&self, body: &Value, tool: Option<&str>) -> Result<ChatReply, Unread>;

    /// Returns the prices of tokens that a server caches, in shares of the price of others.
    fn cache_rates(&self) -> CacheRates {
        CacheRates { read: 1.0, written: 1.0 }
    }
}

/// Returns the wire format of a provider.
pub(crate) fn wire_format(wire: Wire) -> &'static dyn WireFormat {
    match wire {
        Wire::OpenAi => &OPENAI,
        Wire::Responses => &Responses,
        Wire::Azure => &AZURE,
        Wire::Mistral => &MISTRAL,
        Wire::Groq => &GROQ,
        Wire::Together => &TOGETHER,
        Wire::DeepSeek => &DEEPSEEK,
        Wire::Anthropic => &Anthropic,
        Wire::Gemini => &GEMINI,
        Wire::Vertex => &VERTEX,
        Wire::Bedrock => &Bedrock,
    }
}

/// A key in a header of its own.
pub(super) fn key_header(name: &str) -> KeyForm {
    KeyForm::Header { name: name.to_owned(), value: KEY.to_owned() }
}

/// Why a body under a status of success is no reply.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It has an error.
    Error(Value),
    /// It does not follow the protocol, in these words.
    NotTheProtocol(String),
}

/// Returns the usage of a server whose count of the prompt leaves out what is read from its cache and written to it.
pub(super) fn usage_beside_cache(
    new: Option<u64>,
    completion: Option<u64>,
    [read, written]: [Option<u64>; 2],
) -> Usage {
    let prompt = new.map(|new| [read, written].into_iter().flatten().fold(new, u64::saturating_add));
    Usage { cached_tokens: read, cache_written_tokens: written, ..Usage::new(prompt, completion) }
}
