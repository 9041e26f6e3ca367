//! The seam between a judge and the way in which its batches are sent.

use futures::future::BoxFuture;
use llull_core::{Failure, TaskKey};
use llull_llm::{ChatReply, ChatRequest};

/// One request of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRequest {
    /// The identifier, by which its reply is found.
    pub id: String,
    /// The request.
    pub chat: ChatRequest,
}

/// A reply or a failure.
pub type BatchReply = Result<ChatReply, Failure>;

/// Takes what has arrived so far, each with the place of its question. Of several for one place, the first counts.
pub type Arrivals<'a, T> = &'a (dyn Fn(Vec<(usize, T)>) + Send + Sync);

/// A way to send a judge's requests together: a provider's batches, or files.
pub trait BatchChannel: Send + Sync {
    /// Sends requests, and hands on the replies as they arrive. A request without one has no reply yet.
    fn exchange<'a>(
        &'a self,
        requests: &'a [BatchRequest],
        arrived: Arrivals<'a, BatchReply>,
    ) -> BoxFuture<'a, ()>;

    /// Returns whether one request is sent by itself before all others.
    fn asks_one_first(&self) -> bool {
        false
    }

    /// Returns notices for the user, in the order in which they arose.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The number of digits of a key in an identifier. Anthropic allows 64 characters in all.
const KEY_DIGITS: usize = 56;

/// Returns the identifier of an attempt at a task at which there were `attempts` before.
pub(crate) fn batch_id(key: &TaskKey, attempts: u32) -> String {
    format!("{}-{attempts}", batch_key(key))
}

/// Returns the part of an identifier that is the task's, whatever the attempt.
pub fn key_of_id(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(key, _)| key)
}

/// Returns the part of a task's key that the identifiers of its attempts begin with.
pub fn batch_key(key: &TaskKey) -> String {
    let mut digits = key.to_string();
    digits.truncate(KEY_DIGITS);
    digits
}
