//! The batches of a model behind a server.

use std::time::Duration;

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind};
use llull_http::Response;
use serde_json::Value;

use super::{BatchFormat, Call};
use crate::chat::BatchLines as _;
use crate::chat::ChatRequest;
use crate::chat::{BatchLimits, BatchServer, BatchStatus};
use crate::protocols::model::RemoteModel;
use crate::protocols::refusal::refusal;

/// The most pages of batches on which one is looked for by its name.
const MOST_PAGES: usize = 1000;

/// The longest time of an upload or a download: the judge's own is for a single reply.
const LONGEST_TRANSFER: Duration = Duration::from_secs(3600);

/// The longest answer about batches, in bytes: results of the largest batch, each with a long reply.
const LONGEST: usize = 1 << 30;

impl RemoteModel {
    fn batch_format(&self) -> Result<&dyn BatchFormat, Failure> {
        let lacks = || self.server.not_the_protocol("this provider has no batches");
        self.batches().ok_or_else(lacks)
    }

    async fn call(&self, call: Call, time: Option<Duration>) -> Result<Response, Failure> {
        let transport = self.batch_format()?.transport(&call, &self.server.transport);
        let sent = transport.transfer(call.method, &call.address, call.body, LONGEST, time).await;
        let response = sent.map_err(|error| self.server.unanswered(error))?;
        if response.is_success() {
            return Ok(response);
        }
        let refused = refusal(&self.server, &response);
        let mut failure = refused.failure;
        // Advice about the model's own server would mislead.
        if !std::ptr::eq(transport, &self.server.transport) {
            // As they are decoded: what is escaped hides a key.
            let words = transport.quote(&refused.words);
            let advice = match failure.kind {
                FailureKind::Unauthorized if call.may_lack => {
                    "; S3 says so of a file that is not there, too, to keys without s3:ListBucket: grant it and \
                     s3:GetObject for the bucket"
                }
                FailureKind::Unauthorized => "; check the rights of the AWS keys and of the role",
                _ => "",
            };
            let (address, status) = (transport.address(), response.status);
            failure.message = format!("{address} answered {status}: {words}{advice}");
        }
        Err(failure)
    }

    async fn json(&self, call: Call) -> Result<Value, Failure> {
        let time = call.body.is_some().then_some(LONGEST_TRANSFER);
        let response = self.call(call, time).await?;
        // A bucket answers nothing.
        if response.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&response.body)
            .map_err(|error| self.server.not_the_protocol(&format!("the answer is not JSON ({error})")))
    }

    /// Returns a file of results; an empty one if it may lack and does.
    async fn file(&self, call: Call) -> Result<Vec<u8>, Failure> {
        let may_lack = call.may_lack;
        match self.call(call, Some(LONGEST_TRANSFER)).await {
            Err(failure) if may_lack && failure.kind == FailureKind::NotFound => Ok(Vec::new()),
            response => Ok(response?.body),
        }
    }
}

/// Returns whether an identifier can be a part of a path and of a message.
fn is_plain(id: &str) -> bool {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | ':');
    !id.is_empty()
        && id.len() <= 200
        && id.chars().all(plain)
        && !id.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// Checks an identifier, which a ledger of somebody else's may have: it becomes part of an address at which the user's
/// key is used. Gemini's are the only ones with a folder.
fn checked(id: &str) -> Result<&str, Failure> {
    let is_one = !id.strip_prefix("batches/").unwrap_or(id).contains(['/', ':']);
    let wrong = || {
        let words = format!(
            "the ledger's batch {id:?} has no identifier of a batch; llull ledger check reads its rows"
        );
        Failure::new(FailureKind::Rejected, words)
    };
    if is_plain(id) && is_one { Ok(id) } else { Err(wrong()) }
}

impl BatchServer for RemoteModel {
    fn limits(&self) -> BatchLimits {
        let none = BatchLimits { requests: 1, bytes: 1, least: 1 };
        self.batch_format().map_or(none, |format| format.limits())
    }

    fn submit<'a>(
        &'a self,
        name: &'a str,
        requests: &'a [(String, ChatRequest)],
    ) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async move {
            let (format, address) = (self.batch_format()?, self.server.transport.address());
            let lines: Vec<Value> = requests.iter().map(|(id, request)| self.line(id, request)).collect();
            let uploaded = match format.upload(address, name, &lines) {
                Some(call) => Some(self.json(call).await?),
                None => None,
            };
            let made = self.json(format.submit(address, name, &lines, uploaded.as_ref())).await?;
            let id = format.id(&made).filter(|id| is_plain(id)).map(str::to_owned);
            id.ok_or_else(|| self.server.not_the_protocol(&format!("the batch has no identifier: {made}")))
        })
    }

    fn find<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            let format = self.batch_format()?;
            let mut page: Option<String> = None;
            for _ in 0..MOST_PAGES {
                let call = format.list(self.server.transport.address(), name, page.as_deref());
                let Some(call) = call else { return Ok(None) };
                let listed = self.json(call).await?;
                let found = format.named(&listed, name).filter(|id| is_plain(id)).map(str::to_owned);
                let next = format.next_page(&listed).map(str::to_owned);
                if found.is_some() || next.is_none() {
                    return Ok(found);
                }
                page = next;
            }
            let words = format!("the batch {name} is not among the latest {MOST_PAGES} pages of batches");
            Err(self.server.not_the_protocol(&words))
        })
    }

    fn status<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<BatchStatus, Failure>> {
        Box::pin(async move {
            let address = self.server.transport.address();
            let call = self.batch_format()?.status_call(address, checked(batch)?);
            self.read_status(batch, self.json(call).await?)
        })
    }

    fn read_status(&self, batch: &str, answer: Value) -> Result<BatchStatus, Failure> {
        let mut status = self.batch_format()?.status(&answer).ok_or_else(|| {
            self.server.not_the_protocol(&format!("the answer about the batch has no state: {answer}"))
        })?;
        if let Some(failure) = &mut status.refused {
            failure.message = self.server.transport.quote(&failure.message);
        }
        Ok(BatchStatus { batch: batch.to_owned(), answer, ..status })
    }

    fn read_results(&self, status: &BatchStatus, files: &[u8]) -> Vec<Value> {
        let Ok(format) = self.batch_format() else { return Vec::new() };
        let lines = files.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.is_empty());
        let lines = lines.map(|line| serde_json::from_slice(line).unwrap_or_default());
        format.inline(&status.answer).into_iter().chain(lines).map(|result| format.line(result)).collect()
    }

    fn results<'a>(&'a self, status: &'a BatchStatus) -> BoxFuture<'a, Result<Vec<Value>, Failure>> {
        Box::pin(async move {
            let format = self.batch_format()?;
            let calls = format.results(self.server.transport.address(), &status.answer);
            let calls = calls.map_err(|reason| {
                Failure::new(FailureKind::Rejected, self.server.transport.quote(&reason))
            })?;
            let mut files = Vec::new();
            for call in calls {
                files.extend(self.file(call).await?);
                files.push(b'\n');
            }
            Ok(self.read_results(status, &files))
        })
    }

    fn cancel<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let call = self.batch_format()?.cancel(self.server.transport.address(), checked(batch)?);
            self.call(call, None).await.map(|_| ())
        })
    }
}
