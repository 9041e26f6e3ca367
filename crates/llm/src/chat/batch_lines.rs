//! Lines of batch files: requests, and the results that come back for them.

use llull_core::Failure;
use serde_json::Value;

use super::model::{ChatReply, ChatRequest};

/// Makes and reads lines in the form of OpenAI's batch files, which `vllm run-batch` and others read and write, too.
///
/// A line of requests has `custom_id`, `method`, `url` and `body`; a line of results has `custom_id`, `response` and
/// `error`.
pub trait BatchLines: Send + Sync {
    /// Returns the line of a request.
    fn line(&self, id: &str, request: &ChatRequest) -> Value;

    /// Reads the line of results of a request.
    ///
    /// # Errors
    /// Returns the failure that the line tells, as if the server had answered so.
    fn reply(&self, line: &Value, request: &ChatRequest) -> Result<ChatReply, Failure>;
}

/// Returns the identifier of a line, of requests or of results.
pub fn line_id(line: &Value) -> Option<&str> {
    line.get("custom_id")?.as_str()
}

/// Returns whether a line of results tells an error.
pub fn line_has_error(line: &Value) -> bool {
    let status = line.pointer("/response/status_code").and_then(Value::as_u64);
    status.is_some_and(|status| status >= 400)
        || line.get("error").is_some_and(|error| !error.is_null())
        || line.pointer("/response/body/error").is_some_and(|error| !error.is_null())
}
