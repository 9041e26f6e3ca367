//! Errors of a judge of the user's own.

/// An error of a judge of the user's own. Every message names the judge.
#[derive(Debug, thiserror::Error)]
pub enum OwnJudgeError {
    /// Its key is not set.
    #[error(
        "judge {judge}: its key is in {variable}, which is not set: export it, or put {variable}=... into .env"
    )]
    NoKey {
        /// The judge.
        judge: String,
        /// The variable.
        variable: String,
    },
    /// Its address cannot be used.
    #[error("judge {judge}: {source}")]
    Address {
        /// The judge.
        judge: String,
        /// The error.
        #[source]
        source: llull_llm::AddressError,
    },
    /// Requests cannot be sent.
    #[error("judge {judge}: {source}")]
    Client {
        /// The judge.
        judge: String,
        /// The error.
        #[source]
        source: llull_http::ClientError,
    },
}
