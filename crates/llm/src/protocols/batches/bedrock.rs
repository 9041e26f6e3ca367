//! Bedrock's batches: jobs beside its models, with requests and results in a bucket.
//!
//! Their form is documented at <https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference.html>. A job's
//! name is that of the batch and a time, since names of Bedrock's jobs may have to differ.

use std::time::{SystemTime, UNIX_EPOCH};

use llull_core::{Failure, FailureKind};
use llull_http::{Address, HttpMethod, Transport};
use serde_json::{Value, json};

use super::{BatchFormat, Call};
use crate::aws::AwsBatches;
use crate::chat::{BatchLimits, BatchStatus};

/// The batches of a model, and the servers of jobs and of the bucket.
#[derive(Debug)]
pub(crate) struct BedrockBatches {
    pub(crate) model: String,
    pub(crate) settings: AwsBatches,
    pub(crate) jobs: Transport,
    /// Its address is that of the bucket.
    pub(crate) bucket: Transport,
}

impl BedrockBatches {
    fn job(&self, path: &str) -> Address {
        self.jobs.address().with_path(path)
    }

    /// Returns the address of an object in the bucket.
    fn object(&self, key: &str) -> Address {
        let bucket = self.bucket.address();
        bucket.with_path(&format!("{}/{key}", bucket.path()))
    }

    /// Returns the key of an object in the folder; without a name, that of the folder.
    fn key(&self, name: &str) -> String {
        match self.settings.folder.as_str() {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        }
    }

    /// Returns `s3://BUCKET/KEY`.
    fn uri(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.settings.bucket)
    }
}

/// Returns the identifier of a request as that of a record, which has only letters and digits.
fn record(id: &str) -> String {
    id.replace('-', "x")
}

fn text<'a>(answer: &'a Value, place: &str) -> Option<&'a str> {
    answer.pointer(place)?.as_str()
}

impl BatchFormat for BedrockBatches {
    /// It takes 50,000 records and 1 GB.
    fn limits(&self) -> BatchLimits {
        BatchLimits { requests: AwsBatches::MOST, bytes: 50_000_000, least: self.settings.least }
    }

    fn transport<'a>(&'a self, call: &Call, _models: &'a Transport) -> &'a Transport {
        let of_bucket = format!("{}/", self.bucket.address().path());
        if call.address.path().starts_with(&of_bucket) { &self.bucket } else { &self.jobs }
    }

    fn upload(&self, _requests: &Address, name: &str, lines: &[Value]) -> Option<Call> {
        let id = |line: &Value| line["custom_id"].as_str().map(record);
        let line = |line| format!("{}\n", json!({ "recordId": id(line), "modelInput": line["body"] }));
        let body = lines.iter().map(line).collect::<String>().into_bytes();
        let address = self.object(&self.key(&format!("{name}.jsonl")));
        let body = Some(("application/jsonl", body));
        Some(Call { method: HttpMethod::Put, address, body, may_lack: false })
    }

    fn submit(&self, _requests: &Address, name: &str, _lines: &[Value], _uploaded: Option<&Value>) -> Call {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let body = json!({
            "jobName": format!("{name}-{seconds}"),
            "modelId": self.model,
            "modelInvocationType": "Converse",
            "roleArn": self.settings.role,
            "timeoutDurationInHours": self.settings.hours,
            "inputDataConfig": { "s3InputDataConfig": { "s3Uri": self.uri(&self.key(&format!("{name}.jsonl"))) } },
            "outputDataConfig": { "s3OutputDataConfig": { "s3Uri": self.uri(&self.key("")) } },
        });
        Call::post(self.job("/model-invocation-job"), &body)
    }

    fn id<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        text(answer, "/jobArn")?.rsplit('/').next()
    }

    fn list(&self, _requests: &Address, name: &str, page: Option<&str>) -> Option<Call> {
        let mut parameters =
            vec![("nameContains", name), ("sortBy", "CreationTime"), ("sortOrder", "Descending")];
        parameters.extend(page.map(|page| ("nextToken", page)));
        Some(Call::get(self.job("/model-invocation-jobs").with_query(&parameters)))
    }

    fn next_page<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        text(answer, "/nextToken").filter(|page| !page.is_empty())
    }

    fn named<'a>(&self, answer: &'a Value, name: &str) -> Option<&'a str> {
        let jobs = answer.get("invocationJobSummaries")?.as_array()?;
        let is_named =
            |job: &&Value| text(job, "/jobName").is_some_and(|job| job.starts_with(&format!("{name}-")));
        self.id(jobs.iter().find(is_named)?)
    }

    fn status_call(&self, _requests: &Address, batch: &str) -> Call {
        Call::get(self.job(&format!("/model-invocation-job/{batch}")))
    }

    fn status(&self, answer: &Value) -> Option<BatchStatus> {
        let state = text(answer, "/status")?;
        let count = |name: &str| answer.get(name).and_then(Value::as_u64);
        let has_results = count("processedRecordCount").is_some_and(|records| records > 0);
        let refused = || {
            let words = text(answer, "/message").unwrap_or("it has no results");
            Failure::new(FailureKind::Server, format!("the batch was refused: {words}"))
        };
        Some(BatchStatus {
            ended: ["Completed", "PartiallyCompleted", "Failed", "Stopped", "Expired"].contains(&state),
            done: count("processedRecordCount"),
            refused: (state == "Failed" && !has_results).then(refused),
            ..BatchStatus::default()
        })
    }

    fn results(&self, _requests: &Address, answer: &Value) -> Result<Vec<Call>, String> {
        let id = self.id(answer).ok_or("the job has no identifier")?;
        let input =
            text(answer, "/inputDataConfig/s3InputDataConfig/s3Uri").and_then(|uri| uri.rsplit('/').next());
        let file = input.ok_or("the job has no file of requests")?;
        let folder = text(answer, "/outputDataConfig/s3OutputDataConfig/s3Uri").unwrap_or_default();
        // The user's keys read no other bucket, whatever the server answers.
        let key = folder.strip_prefix(&self.uri("")).ok_or_else(|| {
            let bucket = &self.settings.bucket;
            format!("its results are in {folder}, and `aws` names {bucket}: set `batches` to that bucket")
        })?;
        let key = [key.trim_end_matches('/'), id, &format!("{file}.out")];
        let key = key.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        // A job that ended before it began has no file.
        let whole =
            ["Completed", "PartiallyCompleted"].contains(&text(answer, "/status").unwrap_or_default());
        Ok(vec![Call { may_lack: !whole, ..Call::get(self.object(&key)) }])
    }

    fn line(&self, result: Value) -> Value {
        let id = text(&result, "/recordId").map(|id| id.replace('x', "-"));
        if let Some(body) = result.get("modelOutput").filter(|body| !body.is_null()) {
            return json!({ "custom_id": id, "response": { "status_code": 200, "body": body } });
        }
        let error = |name: &str| result.pointer(&format!("/error/{name}"));
        let expired = error("expired").and_then(Value::as_bool) == Some(true);
        let words = error("errorMessage").and_then(Value::as_str).unwrap_or("the record has no result");
        json!({
            "custom_id": id,
            "response": { "status_code": error("errorCode") },
            "error": { "message": words, "code": expired.then_some("batch_expired") },
        })
    }

    fn cancel(&self, _requests: &Address, batch: &str) -> Call {
        Call::post(self.job(&format!("/model-invocation-job/{batch}/stop")), &json!({}))
    }
}
