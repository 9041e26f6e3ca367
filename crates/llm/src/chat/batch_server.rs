//! The trait of a provider's batches.

use futures::future::BoxFuture;
use llull_core::Failure;
use serde_json::Value;

use super::batch_lines::BatchLines;
use super::model::ChatRequest;

/// The limits of one batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimits {
    /// The most requests.
    pub requests: usize,
    /// The most bytes of their lines.
    pub bytes: usize,
    /// The fewest requests; fewer are no batch.
    pub least: usize,
}

/// The state of a batch at its provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchStatus {
    /// The provider's identifier of the batch.
    pub batch: String,
    /// Whether it has ended, whatever became of its requests. Then there are results.
    pub ended: bool,
    /// How many of its requests are done, if the provider counts them.
    pub done: Option<u64>,
    /// Why the whole batch was refused, if it was: none of its requests was served.
    pub refused: Option<Failure>,
    /// The provider's answer, which tells where the results are.
    pub answer: Value,
}

impl BatchStatus {
    /// Creates the state of a batch of another implementation.
    pub fn new(ended: bool) -> Self {
        Self { ended, ..Self::default() }
    }
}

/// Sends requests to a provider in batches. Nothing is repeated and nothing is remembered: the caller does both.
pub trait BatchServer: BatchLines {
    /// Returns the limits of a batch.
    fn limits(&self) -> BatchLimits;

    /// Submits a batch under a name of the caller's, and returns the provider's identifier of it.
    ///
    /// # Errors
    /// Returns a [`Failure`] without secrets in its message. The batch may have been made all the same.
    fn submit<'a>(
        &'a self,
        name: &'a str,
        requests: &'a [(String, ChatRequest)],
    ) -> BoxFuture<'a, Result<String, Failure>>;

    /// Returns the identifier of the latest batch with this name; `None` without one, or if the provider's batches
    /// have no names.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the provider does not answer.
    fn find<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>>;

    /// Returns the state of a batch.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the provider does not answer, or does not know the batch.
    fn status<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<BatchStatus, Failure>>;

    /// Reads the answer about a batch, without sending anything.
    ///
    /// # Errors
    /// Returns a [`Failure`] if it has no state.
    fn read_status(&self, batch: &str, answer: Value) -> Result<BatchStatus, Failure>;

    /// Reads the results in the answer about a batch and in its files, which follow each other in `files`. Each is a
    /// [line](BatchLines); one that was damaged on its way is `null`.
    fn read_results(&self, status: &BatchStatus, files: &[u8]) -> Vec<Value>;

    /// Returns the results of a batch that has ended, as [lines](BatchLines) in any order. Some may be missing, and one
    /// that cannot be read has no identifier.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the provider does not answer.
    fn results<'a>(&'a self, status: &'a BatchStatus) -> BoxFuture<'a, Result<Vec<Value>, Failure>>;

    /// Asks the provider to end a batch. Requests that are done keep their results.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the provider does not answer.
    fn cancel<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<(), Failure>>;
}
