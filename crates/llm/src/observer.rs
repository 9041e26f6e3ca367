//! Shows each request to a model to an observer, such as one that traces them.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use futures::future::BoxFuture;
use llull_core::Failure;

use crate::chat::{BatchLines, BatchServer, ChatModel, ChatReply, ChatRequest};
use crate::endpoint::Endpoint;
use crate::notice::Notice;
use crate::rate_limit::RateLimit;

/// A request that has ended. It has neither the prompt nor the key.
#[derive(Debug, Clone, Copy)]
pub struct EndedRequest<'a> {
    /// The provider's name.
    pub provider: &'static str,
    /// The requested model, without the provider.
    pub model: &'a str,
    /// The server: protocol, host and port, the port only if it is not the protocol's own.
    pub server: &'a str,
    /// The time at which it was sent.
    pub sent: SystemTime,
    /// The time that it took.
    pub took: Duration,
    /// The reply, or the failure.
    pub result: Result<&'a ChatReply, &'a Failure>,
}

/// Observes requests. It is called on the thread of the request, so it should return quickly.
pub trait RequestObserver: Send + Sync {
    /// Observes a request that has ended. An abandoned one has no end.
    fn ended(&self, request: &EndedRequest<'_>);
}

/// A model whose requests are observed.
struct ObservedModel {
    inner: Arc<dyn ChatModel>,
    provider: &'static str,
    server: String,
    observer: Arc<dyn RequestObserver>,
}

/// Returns the same model, whose requests to this endpoint are observed. Batches are not.
pub fn observed(
    model: Arc<dyn ChatModel>,
    endpoint: &Endpoint,
    observer: Arc<dyn RequestObserver>,
) -> Arc<dyn ChatModel> {
    let (provider, server) = (endpoint.provider().name, endpoint.address().server());
    Arc::new(ObservedModel { inner: model, provider, server, observer })
}

impl ChatModel for ObservedModel {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(async move {
            let (sent, started) = (SystemTime::now(), Instant::now());
            let result = self.inner.chat(request).await;
            let name = self.inner.name();
            self.observer.ended(&EndedRequest {
                provider: self.provider,
                model: name.split_once('/').map_or(name, |(_, model)| model),
                server: &self.server,
                sent,
                took: started.elapsed(),
                result: result.as_ref(),
            });
            result
        })
    }

    fn batch_lines(&self) -> Option<&dyn BatchLines> {
        self.inner.batch_lines()
    }

    fn batch_server(&self) -> Option<&dyn BatchServer> {
        self.inner.batch_server()
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
