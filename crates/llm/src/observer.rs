//! Shows each request to a model to an observer, such as one that traces them.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Usage};
use llull_http::Address;
use serde_json::Value;

use crate::chat::{
    BatchLimits, BatchLines, BatchServer, BatchStatus, ChatModel, ChatReply, ChatRequest, Finish,
};
use crate::endpoint::Endpoint;
use crate::notice::Notice;
use crate::rate_limit::RateLimit;

/// A request that has ended. It has neither a text nor the key.
#[derive(Debug, Clone, Copy)]
pub struct EndedRequest<'a> {
    /// Its purpose.
    pub operation: Operation,
    /// The provider's name.
    pub provider: &'static str,
    /// The requested model, without the provider; `None` if the request names none.
    pub model: Option<&'a str>,
    /// The server: protocol, host and port, the port only if it is not the protocol's own.
    pub server: &'a str,
    /// The time at which it was sent.
    pub sent: SystemTime,
    /// The time that it took.
    pub took: Duration,
    /// What the answer tells, or the failure.
    pub result: Result<AnswerFacts<'a>, &'a Failure>,
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A question to a language model.
    Chat,
    /// It submits a batch of so many questions.
    SubmitBatch(usize),
    /// It asks for the state of a batch. Of these requests, the observer sees the last one and those that fail.
    BatchStatus,
    /// It reads the results of a batch that has ended.
    BatchResults,
    /// A reranker scores so many documents.
    Rerank(usize),
}

/// What an answer tells, without its texts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AnswerFacts<'a> {
    /// The model that answered, as the server calls it.
    pub model: Option<&'a str>,
    /// Tokens, as far as the server counted them.
    pub usage: Usage,
    /// Why a reply ended.
    pub finish: Option<&'a Finish>,
    /// The provider's identifier of the batch.
    pub batch: Option<&'a str>,
    /// The number of results of a batch.
    pub results: Option<usize>,
}

/// Observes requests. It is called on the thread of the request, so it should return quickly.
pub trait RequestObserver: Send + Sync {
    /// Observes a request that has ended. An abandoned one has no end.
    fn ended(&self, request: &EndedRequest<'_>);
}

/// A model at a server, whose requests an observer sees.
#[derive(Clone)]
pub struct ObservedServer {
    provider: &'static str,
    model: Option<String>,
    server: String,
    observer: Arc<dyn RequestObserver>,
}

impl ObservedServer {
    /// Creates the server at an address. `model` is the name in requests, if they have one.
    pub fn new(
        provider: &'static str,
        model: Option<&str>,
        address: &Address,
        observer: Arc<dyn RequestObserver>,
    ) -> Self {
        Self { provider, model: model.map(str::to_owned), server: address.server(), observer }
    }

    /// Shows a request that was sent at this time, by both clocks, and has ended now.
    pub fn ended(
        &self,
        operation: Operation,
        (sent, started): (SystemTime, Instant),
        result: Result<AnswerFacts<'_>, &Failure>,
    ) {
        let (provider, model, server) = (self.provider, self.model.as_deref(), &*self.server);
        let took = started.elapsed();
        self.observer.ended(&EndedRequest { operation, provider, model, server, sent, took, result });
    }
}

fn now() -> (SystemTime, Instant) {
    (SystemTime::now(), Instant::now())
}

/// A model whose requests are observed.
struct ObservedModel {
    inner: Arc<dyn ChatModel>,
    server: ObservedServer,
}

/// Returns the same model, whose requests to this endpoint are observed, also those about batches.
pub fn observed(
    model: Arc<dyn ChatModel>,
    endpoint: &Endpoint,
    observer: Arc<dyn RequestObserver>,
) -> Arc<dyn ChatModel> {
    let name = model.name();
    let name = name.split_once('/').map_or(name, |(_, model)| model);
    let server = ObservedServer::new(endpoint.provider().name, Some(name), endpoint.address(), observer);
    Arc::new(ObservedModel { inner: model, server })
}

impl ObservedModel {
    fn batches(&self) -> Result<&dyn BatchServer, Failure> {
        let lacks = || Failure::new(FailureKind::Rejected, "this provider has no batches");
        self.inner.batch_server().ok_or_else(lacks)
    }
}

impl ChatModel for ObservedModel {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(async move {
            let sent = now();
            let result = self.inner.chat(request).await;
            let facts = result.as_ref().map(|reply| AnswerFacts {
                model: reply.model.as_deref(),
                usage: reply.usage,
                finish: Some(&reply.finish),
                ..AnswerFacts::default()
            });
            self.server.ended(Operation::Chat, sent, facts);
            result
        })
    }

    fn batch_lines(&self) -> Option<&dyn BatchLines> {
        self.inner.batch_lines()
    }

    fn batch_server(&self) -> Option<&dyn BatchServer> {
        self.inner.batch_server().map(|_| self as &dyn BatchServer)
    }

    fn notices(&self) -> Vec<Notice> {
        self.inner.notices()
    }

    fn account(&self) -> &str {
        self.inner.account()
    }

    fn limits(&self) -> Vec<RateLimit> {
        self.inner.limits()
    }
}

impl BatchLines for ObservedModel {
    fn line(&self, id: &str, request: &ChatRequest) -> Value {
        self.inner.batch_lines().map_or(Value::Null, |lines| lines.line(id, request))
    }

    fn reply(&self, line: &Value, request: &ChatRequest) -> Result<ChatReply, Failure> {
        self.batches()?.reply(line, request)
    }
}

impl BatchServer for ObservedModel {
    fn limits(&self) -> BatchLimits {
        let none = BatchLimits { requests: 1, bytes: 1, least: 1 };
        self.batches().map_or(none, |batches| batches.limits())
    }

    fn submit<'a>(
        &'a self,
        name: &'a str,
        requests: &'a [(String, ChatRequest)],
    ) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async move {
            let sent = now();
            let result = self.batches()?.submit(name, requests).await;
            let facts = result.as_ref();
            let facts = facts.map(|batch| AnswerFacts { batch: Some(batch), ..AnswerFacts::default() });
            self.server.ended(Operation::SubmitBatch(requests.len()), sent, facts);
            result
        })
    }

    fn find<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move { self.batches()?.find(name).await })
    }

    fn status<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<BatchStatus, Failure>> {
        Box::pin(async move {
            let sent = now();
            let result = self.batches()?.status(batch).await;
            let facts = match &result {
                Ok(BatchStatus { refused: Some(failure), .. }) => Err(failure),
                Ok(_) => Ok(AnswerFacts { batch: Some(batch), ..AnswerFacts::default() }),
                Err(failure) => Err(failure),
            };
            if facts.is_err() || result.as_ref().is_ok_and(|status| status.ended) {
                self.server.ended(Operation::BatchStatus, sent, facts);
            }
            result
        })
    }

    fn read_status(&self, batch: &str, answer: Value) -> Result<BatchStatus, Failure> {
        self.batches()?.read_status(batch, answer)
    }

    fn read_results(&self, status: &BatchStatus, files: &[u8]) -> Vec<Value> {
        self.batches().map_or_else(|_| Vec::new(), |batches| batches.read_results(status, files))
    }

    fn results<'a>(&'a self, status: &'a BatchStatus) -> BoxFuture<'a, Result<Vec<Value>, Failure>> {
        Box::pin(async move {
            let sent = now();
            let result = self.batches()?.results(status).await;
            let facts = result.as_ref().map(|lines| AnswerFacts {
                batch: Some(&status.batch),
                results: Some(lines.len()),
                ..AnswerFacts::default()
            });
            self.server.ended(Operation::BatchResults, sent, facts);
            result
        })
    }

    fn cancel<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.batches()?.cancel(batch).await })
    }
}
