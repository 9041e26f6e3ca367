//! OpenAI's batches, which Azure has, too: <https://platform.openai.com/docs/guides/batch>.

use llull_core::{Failure, FailureKind};
use llull_http::{Address, HttpMethod};
use serde_json::{Value, json};

use super::{BatchFormat, Call};
use crate::chat::{BatchLimits, BatchStatus};
use crate::protocols::refusal::NO_CREDIT;

#[derive(Debug)]
pub(crate) struct OpenAiBatches;

pub(crate) const OPENAI_BATCHES: OpenAiBatches = OpenAiBatches;

/// Lines of JSON have no bare line end, so no line of a file can be this one.
const BOUNDARY: &str = "llull-batch-boundary";

const MULTIPART: &str = "multipart/form-data; boundary=llull-batch-boundary";

/// Returns an address beside that of single requests.
fn beside(requests: &Address, path: &str) -> Address {
    let root = requests.path().trim_end_matches("/chat/completions").trim_end_matches("/responses");
    // Azure's dated versions have the model in the path of requests, and not in that of batches.
    let root = root.split("/deployments/").next().unwrap_or(root);
    requests.with_path(&format!("{root}{path}"))
}

/// Returns what batches call the address of requests.
pub(in crate::protocols) fn endpoint(requests: &Address) -> &'static str {
    match requests.path() {
        path if path.contains("/deployments/") => "/chat/completions",
        path if path.ends_with("/responses") => "/v1/responses",
        _ => "/v1/chat/completions",
    }
}

fn text<'a>(answer: &'a Value, name: &str) -> Option<&'a str> {
    answer.get(name)?.as_str().filter(|text| !text.is_empty())
}

impl BatchFormat for OpenAiBatches {
    /// Half of the requests that it takes, and far fewer bytes, so that each upload fits into the time of a request.
    fn limits(&self) -> BatchLimits {
        BatchLimits { requests: 25_000, bytes: 50_000_000, least: 1 }
    }

    fn upload(&self, requests: &Address, name: &str, lines: &[Value]) -> Option<Call> {
        let mut body = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--{BOUNDARY}\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"{name}.jsonl\"\r\n\
             Content-Type: application/jsonl\r\n\r\n"
        );
        lines.iter().for_each(|line| body.push_str(&format!("{line}\n")));
        body.push_str(&format!("\r\n--{BOUNDARY}--\r\n"));
        let body = Some((MULTIPART, body.into_bytes()));
        Some(Call { method: HttpMethod::Post, address: beside(requests, "/files"), body, may_lack: false })
    }

    fn submit(&self, requests: &Address, name: &str, _lines: &[Value], uploaded: Option<&Value>) -> Call {
        let body = json!({
            "input_file_id": uploaded.and_then(|file| text(file, "id")),
            "endpoint": endpoint(requests),
            "completion_window": "24h",
            "metadata": { "llull": name },
        });
        Call::post(beside(requests, "/batches"), &body)
    }

    fn id<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        text(answer, "id")
    }

    fn list(&self, requests: &Address, _name: &str, page: Option<&str>) -> Option<Call> {
        let mut parameters = vec![("limit", "100")];
        parameters.extend(page.map(|last| ("after", last)));
        Some(Call::get(beside(requests, "/batches").with_query(&parameters)))
    }

    fn next_page<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        let last = || text(answer.get("data")?.as_array()?.last()?, "id");
        answer.get("has_more")?.as_bool()?.then(last)?
    }

    fn named<'a>(&self, answer: &'a Value, name: &str) -> Option<&'a str> {
        let batches = answer.get("data")?.as_array()?;
        let is_named =
            |batch: &&Value| batch.pointer("/metadata/llull").and_then(Value::as_str) == Some(name);
        self.id(batches.iter().find(is_named)?)
    }

    fn status_call(&self, requests: &Address, batch: &str) -> Call {
        Call::get(beside(requests, &format!("/batches/{batch}")))
    }

    fn status(&self, answer: &Value) -> Option<BatchStatus> {
        let state = text(answer, "status")?;
        let has_results = ["output_file_id", "error_file_id"].iter().any(|file| text(answer, file).is_some());
        let refused = (state == "failed" && !has_results).then(|| refused(answer));
        Some(BatchStatus {
            ended: ["completed", "failed", "expired", "cancelled"].contains(&state),
            done: answer.pointer("/request_counts/completed").and_then(Value::as_u64),
            refused,
            ..BatchStatus::default()
        })
    }

    fn results(&self, requests: &Address, answer: &Value) -> Result<Vec<Call>, String> {
        // What failed is in a file of its own, and what expired, too. If that was deleted, no paid result is lost.
        let files = ["output_file_id", "error_file_id"].iter().filter_map(|name| text(answer, name));
        let call = |(at, file)| {
            let call = Call::get(beside(requests, &format!("/files/{file}/content")));
            Call { may_lack: at > 0, ..call }
        };
        Ok(files.enumerate().map(call).collect())
    }

    fn cancel(&self, requests: &Address, batch: &str) -> Call {
        Call::post(beside(requests, &format!("/batches/{batch}/cancel")), &json!({}))
    }
}

/// Returns why a whole batch was refused. Its requests are not to blame, so that they may be sent again.
fn refused(answer: &Value) -> Failure {
    let error = answer.pointer("/errors/data/0");
    let field = |name: &str| error.and_then(|error| text(error, name)).unwrap_or_default();
    let kind = match field("code") {
        // So many tokens are waiting in batches already.
        "token_limit_exceeded" => FailureKind::RateLimited,
        "model_not_found" => FailureKind::NotFound,
        code if NO_CREDIT.contains(&code) => FailureKind::Quota,
        _ => FailureKind::Server,
    };
    Failure::new(kind, format!("the batch was refused: {} {}", field("code"), field("message")))
}
