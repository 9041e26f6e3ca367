//! The way to a judge of the user's own.

use futures::future::BoxFuture;
use llull_core::Failure;

/// The way to a judge of the user's own: carries a question there and an answer back.
pub trait OwnChannel: Send + Sync {
    /// Sends a question, one line of JSON with this identifier, and returns what was answered, as it was written.
    fn ask(&self, id: String, question: Vec<u8>) -> BoxFuture<'_, Result<Vec<u8>, Failure>>;

    /// Returns whether an answer has to say which question it is of.
    fn names_questions(&self) -> bool;

    /// Returns what readers of the results should know, such as that questions were answered twice.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }
}
