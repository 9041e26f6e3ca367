//! Encodes texts by models behind servers.

use futures::StreamExt as _;
use futures::stream;
use llull_core::{Failure, SplitMix64};
use llull_llm::{EmbeddingModel, GiveUp, RetryPolicy, TextUse};
use tokio::runtime::{Builder, Runtime};

use crate::encoder::{Encoder, TextRole};
use crate::error::EncodeError;
use crate::vectors::Vectors;

/// How many texts one request has. Cohere takes 96 at most, the others more.
const TEXTS: usize = 64;
/// How many requests are under way at once.
const REQUESTS: usize = 4;

/// A model behind a server. A request is repeated after failures that may pass, such as a rate limit.
pub struct RemoteEncoder {
    model: EmbeddingModel,
    runtime: Runtime,
    retries: RetryPolicy,
}

impl RemoteEncoder {
    /// Returns the encoder for this model. Sends no request yet.
    ///
    /// # Errors
    /// Returns an error if no asynchronous runtime can be started.
    pub fn new(model: EmbeddingModel) -> Result<Self, EncodeError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { model, runtime, retries: RetryPolicy::default() })
    }

    async fn request(&self, texts: &[&str], what: TextUse, seed: u64) -> Result<Vec<Vec<f32>>, Failure> {
        let mut jitter = SplitMix64::new(seed);
        let mut made = 0;
        loop {
            let failure = match self.model.embed(texts, what).await {
                Ok(vectors) => return Ok(vectors),
                Err(failure) => failure,
            };
            made += 1;
            match self.retries.delay(made, &failure, (jitter.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
            {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(with_wait(failure)),
            }
        }
    }
}

impl Encoder for RemoteEncoder {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn batch(&self) -> usize {
        TEXTS * REQUESTS
    }

    fn tells_roles(&self) -> bool {
        self.model.tells_uses()
    }

    fn encode(&self, texts: &[&str], role: TextRole) -> Result<Vectors, EncodeError> {
        let what = match role {
            TextRole::Document => TextUse::Document,
            TextRole::Query => TextUse::Query,
        };
        let requests = texts.chunks(TEXTS).zip(0..);
        let answers = stream::iter(requests.map(|(texts, seed)| self.request(texts, what, seed)));
        let answers: Vec<Result<Vec<Vec<f32>>, Failure>> =
            self.runtime.block_on(answers.buffered(REQUESTS).collect());
        let mut vectors = Vec::with_capacity(texts.len());
        for answer in answers {
            let answer = answer.map_err(|failure| EncodeError::Model {
                encoder: self.name().to_owned(),
                reason: failure.message,
            })?;
            vectors.extend(answer.into_iter().map(|vector| (vector, false)));
        }
        let dimensions = vectors.first().map_or(0, |(vector, _)| vector.len());
        Vectors::normalized(dimensions, vectors)
    }
}

/// Returns the failure with the server's waiting time, if that is too long to wait.
fn with_wait(failure: Failure) -> Failure {
    match GiveUp::too_long(&failure) {
        Some(wait) => Failure { message: format!("{}; {wait}", failure.message), ..failure },
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use llull_core::FailureKind;

    use super::*;

    /// The wait of over ten minutes, which is the reason for giving up, was not in the message.
    #[test]
    fn a_wait_that_is_too_long_is_in_the_message() {
        let limited = |ms| Failure {
            retry_after_ms: Some(ms),
            ..Failure::new(FailureKind::RateLimited, "answered 429")
        };
        assert!(with_wait(limited(7_200_000)).message.contains("the server asks to wait 2 h,"));
        assert_eq!(with_wait(limited(1000)).message, "answered 429");
    }
}
