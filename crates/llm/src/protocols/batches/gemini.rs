//! Gemini's batches, with requests and results inside: <https://ai.google.dev/api/batch-api>.

use llull_core::{Failure, FailureKind};
use llull_http::Address;
use serde_json::{Value, json};

use super::{BatchFormat, Call};
use crate::chat::{BatchLimits, BatchStatus};

#[derive(Debug)]
pub(crate) struct GeminiBatches;

pub(crate) const GEMINI_BATCHES: GeminiBatches = GeminiBatches;

/// Returns the address of all batches, or of the one with this name, `batches/ID`.
fn named(requests: &Address, name: &str) -> Address {
    let path = requests.path();
    let root = path.split("/models/").next().unwrap_or(path);
    requests.with_path(&format!("{root}/{name}"))
}

/// Returns the HTTP status of a code of google.rpc.Status, which the error of a request has.
fn http_status(code: u64) -> u64 {
    match code {
        3 | 9 | 11 => 400,
        4 => 504,
        5 => 404,
        7 => 403,
        8 => 429,
        14 => 503,
        16 => 401,
        status @ 400..=599 => status,
        _ => 500,
    }
}

/// Returns a part of a batch, which is in `metadata` of the operation that an answer is.
fn part<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    answer.pointer(&format!("/metadata/{name}")).or_else(|| answer.get(name))
}

impl BatchFormat for GeminiBatches {
    /// It takes 20 MB of requests without a file.
    fn limits(&self) -> BatchLimits {
        BatchLimits { requests: 25_000, bytes: 15_000_000, least: 1 }
    }

    fn submit(&self, requests: &Address, name: &str, lines: &[Value], _uploaded: Option<&Value>) -> Call {
        let request =
            |line: &Value| json!({ "request": line["body"], "metadata": { "key": line["custom_id"] } });
        let inline = json!({ "requests": lines.iter().map(request).collect::<Vec<_>>() });
        let batch = json!({ "displayName": name, "inputConfig": { "requests": inline } });
        let path = requests.path().replace(":generateContent", ":batchGenerateContent");
        Call::post(requests.with_path(&path), &json!({ "batch": batch }))
    }

    fn id<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        answer.get("name")?.as_str()
    }

    fn list(&self, requests: &Address, _name: &str, page: Option<&str>) -> Option<Call> {
        let batches = named(requests, "batches");
        Some(Call::get(page.map_or(batches.clone(), |page| batches.with_query(&[("pageToken", page)]))))
    }

    fn next_page<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        answer.get("nextPageToken")?.as_str().filter(|page| !page.is_empty())
    }

    fn named<'a>(&self, answer: &'a Value, name: &str) -> Option<&'a str> {
        let batches = answer.get("operations").or_else(|| answer.get("batches"))?.as_array()?;
        let is_named = |batch: &&Value| part(batch, "displayName").and_then(Value::as_str) == Some(name);
        self.id(batches.iter().find(is_named)?)
    }

    fn status_call(&self, requests: &Address, batch: &str) -> Call {
        Call::get(named(requests, batch))
    }

    fn status(&self, answer: &Value) -> Option<BatchStatus> {
        // `BATCH_STATE_` in its reference, `JOB_STATE_` in its clients.
        let state = part(answer, "state")?.as_str()?;
        let state = state.rsplit_once("STATE_").map_or(state, |(_, state)| state);
        let refused = || {
            let words =
                answer.pointer("/error/message").and_then(Value::as_str).unwrap_or("it has no results");
            Failure::new(FailureKind::Server, format!("the batch was refused: {words}"))
        };
        let count = |name: &str| part(answer, "batchStats")?.get(name)?.as_str()?.parse().ok();
        Some(BatchStatus {
            ended: ["SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"].contains(&state),
            done: count("successfulRequestCount"),
            refused: (state == "FAILED" && self.inline(answer).is_empty()).then(refused),
            ..BatchStatus::default()
        })
    }

    fn inline(&self, answer: &Value) -> Vec<Value> {
        let place = "inlinedResponses/inlinedResponses";
        let responses = answer.pointer(&format!("/response/{place}"));
        let responses = responses.or_else(|| part(answer, &format!("output/{place}")));
        responses.and_then(Value::as_array).cloned().unwrap_or_default()
    }

    fn line(&self, result: Value) -> Value {
        let id = result.pointer("/metadata/key");
        match (result.get("response"), result.get("error")) {
            (Some(body), _) => {
                json!({ "custom_id": id, "response": { "status_code": 200, "body": body } })
            }
            (None, error) => {
                let code = error.and_then(|error| error.get("code")?.as_u64());
                json!({ "custom_id": id, "response": { "status_code": code.map(http_status) }, "error": error })
            }
        }
    }

    fn cancel(&self, requests: &Address, batch: &str) -> Call {
        Call::post(named(requests, &format!("{batch}:cancel")), &json!({}))
    }
}
