//! The channel to a judge of the user's own.

use futures::future::BoxFuture;
use llull_core::Failure;

/// The way to a judge of the user's own: carries a question there and an answer back.
pub trait OwnChannel: Send + Sync {
    /// Sends a question, one line of JSON with this identifier, and returns the bytes of the reply.
    fn ask(&self, id: String, question: Vec<u8>) -> BoxFuture<'_, Result<Vec<u8>, Failure>>;

    /// Returns whether a reply has to name the identifier of its question.
    fn names_questions(&self) -> bool;

    /// Returns notices for readers of the results, such as that questions were answered twice.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }
}
