//! Requests that fill a server before llull searches it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::time::Duration;

use llull_http::{Address, HttpMethod, Transport};
use serde_json::Value;

/// Sends a request to a server, with a body as JSON if it has one, and returns its reply.
///
/// # Panics
/// Panics if the server does not answer with success and JSON.
pub fn reply(server: &str, path: &str, body: Option<&Value>) -> Value {
    let address = Address::parse(server).unwrap().with_path(path);
    let transport = Transport::new(address.clone(), None, Duration::from_secs(30)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let method = if body.is_some() { HttpMethod::Post } else { HttpMethod::Get };
    let sent = body.map(|body| ("application/json", body.to_string().into_bytes()));
    let response = runtime.block_on(transport.send(method, &address, sent, 1 << 24)).unwrap();
    let text = String::from_utf8_lossy(&response.body);
    assert!(response.is_success(), "{address}: HTTP {}: {text}", response.status);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{address}: {error}: {text}"))
}
