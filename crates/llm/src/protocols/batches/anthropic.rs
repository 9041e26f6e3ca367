//! Anthropic's message batches: <https://platform.claude.com/docs/en/build-with-claude/batch-processing>.
//!
//! They have no names: a batch that was made right before a kill cannot be found again.

use llull_core::{Failure, FailureKind};
use llull_http::Address;
use serde_json::{Value, json};

use super::{BatchFormat, Call};
use crate::chat::{BatchLimits, BatchStatus};

#[derive(Debug)]
pub(crate) struct AnthropicBatches;

pub(crate) const ANTHROPIC_BATCHES: AnthropicBatches = AnthropicBatches;

fn batches(requests: &Address, path: &str) -> Address {
    requests.with_path(&format!("{}/batches{path}", requests.path()))
}

impl BatchFormat for AnthropicBatches {
    /// It takes 100,000 requests and 256 MB.
    fn limits(&self) -> BatchLimits {
        BatchLimits { requests: 25_000, bytes: 50_000_000, least: 1 }
    }

    fn submit(&self, requests: &Address, _name: &str, lines: &[Value], _uploaded: Option<&Value>) -> Call {
        let request = |line: &Value| json!({ "custom_id": line["custom_id"], "params": line["body"] });
        let body = json!({ "requests": lines.iter().map(request).collect::<Vec<_>>() });
        Call::post(batches(requests, ""), &body)
    }

    fn id<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        answer.get("id")?.as_str()
    }

    fn status_call(&self, requests: &Address, batch: &str) -> Call {
        Call::get(batches(requests, &format!("/{batch}")))
    }

    fn status(&self, answer: &Value) -> Option<BatchStatus> {
        let ended = answer.get("processing_status")?.as_str()? == "ended";
        let done = answer.pointer("/request_counts/succeeded").and_then(Value::as_u64);
        // Its results are deleted after 29 days.
        let is_archived = answer.get("archived_at").is_some_and(|at| !at.is_null());
        let archived = || Failure::new(FailureKind::Server, "it is archived, without its results");
        Some(BatchStatus {
            ended,
            done,
            refused: (ended && is_archived).then(archived),
            ..BatchStatus::default()
        })
    }

    /// Not at its `results_url`, which is Anthropic's own server behind a gateway, too.
    fn results(&self, requests: &Address, answer: &Value) -> Result<Vec<Call>, String> {
        let id = self.id(answer).ok_or("it has no id")?;
        Ok(vec![Call::get(batches(requests, &format!("/{id}/results")))])
    }

    fn line(&self, result: Value) -> Value {
        let id = &result["custom_id"];
        let found = |name: &str| result.pointer(&format!("/result/{name}"));
        match (found("type").and_then(Value::as_str), found("message"), found("error")) {
            (Some("succeeded"), Some(message), _) => {
                json!({ "custom_id": id, "response": { "status_code": 200, "body": message } })
            }
            // The error of a request, as its own answer would be.
            (Some("errored"), _, Some(error)) => json!({ "custom_id": id, "error": error }),
            (kind, ..) => {
                let words = format!("the request is {}", kind.unwrap_or("without a result"));
                json!({ "custom_id": id, "error": { "type": kind, "message": words } })
            }
        }
    }

    fn cancel(&self, requests: &Address, batch: &str) -> Call {
        Call::post(batches(requests, &format!("/{batch}/cancel")), &json!({}))
    }
}
