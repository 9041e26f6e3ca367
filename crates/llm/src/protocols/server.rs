//! The server behind a model.

use llull_core::{Failure, FailureKind};
use llull_http::{Transport, TransportError};

use super::refusal::ADDRESS_ADVICE;
use crate::chat::{ChatReply, ReplyToken};
use crate::{endpoint::Endpoint, provider::Provider};

/// A provider's server and a model there, for messages about a request.
#[derive(Debug)]
pub(crate) struct Server {
    /// The model's name at the server.
    pub(super) model: String,
    pub(super) provider: &'static Provider,
    /// The environment variable of the key.
    pub(super) key_variable: String,
    pub(super) transport: Transport,
}

impl Server {
    pub(crate) fn new(
        model: &str,
        provider: &'static Provider,
        endpoint: &Endpoint,
        transport: Transport,
    ) -> Self {
        let key_variable = endpoint.variable_of_key().to_owned();
        Self { model: model.to_owned(), provider, key_variable, transport }
    }

    /// Returns a reply without the key, wherever the server quotes it.
    pub(super) fn without_key(&self, reply: ChatReply) -> ChatReply {
        let without = |text| self.transport.without_key(text);
        let token = |token: ReplyToken| ReplyToken {
            text: without(token.text),
            alternatives: token
                .alternatives
                .into_iter()
                .map(|(text, logprob)| (without(text), logprob))
                .collect(),
            ..token
        };
        ChatReply {
            text: without(reply.text),
            reasoning: reply.reasoning.map(without),
            model: reply.model.map(without),
            request_id: reply.request_id.map(without),
            tokens: reply.tokens.into_iter().map(token).collect(),
            ..reply
        }
    }

    /// Returns the failure of a request without an answer. If users run such servers themselves, it has the command
    /// that starts one.
    pub(super) fn unanswered(&self, error: TransportError) -> Failure {
        match (&error, self.provider.start_with) {
            (TransportError::NotConnected { .. }, Some(command)) => {
                Failure::new(error.kind(), format!("{error}; is the server running ({command})?"))
            }
            _ => error.into(),
        }
    }

    /// Returns an answer that does not follow the protocol as a failure. Most often the address is another service's.
    pub(super) fn not_the_protocol(&self, what: &str) -> Failure {
        let message = format!("{}: {}{ADDRESS_ADVICE}", self.transport.address(), self.transport.quote(what));
        Failure::new(FailureKind::Server, message)
    }
}
