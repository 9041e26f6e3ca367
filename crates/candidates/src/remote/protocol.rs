//! Requests to a server and the reading of replies, without I/O.

use llull_http::{Address, HttpMethod, KeyForm};
use serde_json::Value;

use crate::found::QueryAnswer;

/// One query for a server.
#[derive(Debug, Clone, Copy)]
pub struct AskedQuery<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its vector, for a server that searches by vectors.
    pub vector: Option<&'a [f32]>,
    /// How many results are wanted.
    pub k: usize,
}

/// A request to a server.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    /// Its HTTP method.
    pub method: HttpMethod,
    /// Its whole address.
    pub address: Address,
    /// Its body; several values are sent as lines of JSON.
    pub body: Vec<Value>,
    /// Whether the body is lines of JSON, though it may be one.
    pub lines: bool,
}

impl SearchRequest {
    /// Returns a request that reads.
    pub fn get(address: Address) -> Self {
        Self { method: HttpMethod::Get, address, body: Vec::new(), lines: false }
    }

    /// Returns a request that sends a JSON object.
    pub fn post(address: Address, body: Value) -> Self {
        Self { method: HttpMethod::Post, address, body: vec![body], lines: false }
    }
}

/// The requests to a server that retrieves, and the reading of its replies.
///
/// Errors are messages for users: why there is no request, or why a reply is invalid.
pub trait SearchProtocol: Send + Sync {
    /// Returns how the server wants its key.
    fn key_form(&self) -> KeyForm;

    /// Returns headers that every request has.
    fn headers(&self) -> &[(String, String)] {
        &[]
    }

    /// Returns whether queries are sent as vectors.
    fn needs_vectors(&self) -> bool;

    /// Returns whether one request may hold several queries.
    fn batches(&self) -> bool {
        false
    }

    /// Returns the request before the first query, if the server needs one.
    ///
    /// # Errors
    /// Returns an error if the request cannot be built.
    fn opening(&self) -> Result<Option<SearchRequest>, String> {
        Ok(None)
    }

    /// Reads the reply to the [opening](Self::opening).
    ///
    /// # Errors
    /// Returns an error if the reply differs from the server's documentation.
    fn opened(&mut self, _reply: &Value) -> Result<(), String> {
        Ok(())
    }

    /// Returns the request for these queries; for one, unless the server takes [several](Self::batches).
    ///
    /// # Errors
    /// Returns an error if the request cannot be built.
    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String>;

    /// Reads the reply to a request with so many queries: an answer for each, in their order.
    ///
    /// # Errors
    /// Returns an error if the reply is invalid.
    fn read(&self, reply: &Value, queries: usize) -> Result<Vec<QueryAnswer>, String>;
}
