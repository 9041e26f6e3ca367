//! Sends concurrent requests to a server, and repeats those that may succeed.

use std::io::Write;
use std::time::{Instant, SystemTime};

use futures::{StreamExt as _, stream};
use llull_core::{Failure, FailureKind, Scope, SplitMix64, Topic};
use llull_http::{Response, RetryPolicy, Transport, TransportError};
use serde_json::Value;

use super::error::RemoteError;
use super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use crate::found::{QueryAnswer, write_line};

/// The longest reply that is read, in bytes: a hundred documents of a third of a megabyte each.
pub const LONGEST_REPLY: usize = 32 * 1024 * 1024;

/// After so many queries in a row that a server did not answer, however often each was sent, it is taken to be down.
const LOST_IN_A_ROW: usize = 3;

/// A connection to a server that retrieves.
pub struct RemoteRetrieval<'a> {
    /// The system's name.
    pub system: &'a str,
    /// The requests to the server, and the reading of its replies.
    pub protocol: Box<dyn SearchProtocol>,
    /// Where requests go, with the key.
    pub transport: Transport,
    /// The variable of the environment that has the key, for messages.
    pub key: Option<&'a str>,
    /// How many requests are under way at once.
    pub concurrency: usize,
    /// How many queries a request has, where the server takes several.
    pub batch: usize,
    /// When a request is sent again.
    pub retries: RetryPolicy,
}

/// How one query ended.
struct Ended {
    answer: QueryAnswer,
    /// Of the request that was answered, in milliseconds.
    milliseconds: Option<f64>,
    /// Why the server should get no more queries.
    stop: Option<Stop>,
}

/// The consequence of a failure for later queries.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    /// The server would refuse them, too.
    Refused,
    /// The server did not answer, even to repeated requests.
    Lost,
}

impl RemoteRetrieval<'_> {
    /// Sends all queries and writes a line for each, in their order. `vectors` are theirs, where the server needs
    /// them. `done` is called with the number of queries that have ended.
    ///
    /// # Errors
    /// Returns an error if three queries in a row have no answer, or the server refuses the first query for a reason
    /// that holds for all. Any other failure affects only its own query, whose line has the reason.
    pub fn ask(
        mut self,
        topics: &[&Topic],
        vectors: Option<&[Vec<f32>]>,
        depth: usize,
        output: &mut dyn Write,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), RemoteError> {
        let system = self.system.to_owned();
        let runtime = self.runtime()?;
        let queries: Vec<AskedQuery<'_>> = topics
            .iter()
            .enumerate()
            .map(|(at, topic)| AskedQuery {
                text: &topic.text,
                vector: vectors.and_then(|vectors| vectors.get(at)).map(Vec::as_slice),
                k: depth,
            })
            .collect();
        runtime.block_on(async {
            let stopped = |failure: Failure| RemoteError::Stopped { system, reason: failure.message };
            self.open().await.map_err(stopped)?;
            self.ask_all(topics, &queries, output, done).await
        })
    }

    /// Sends the request that the protocol needs first. Returns whether there is such a request.
    ///
    /// # Errors
    /// Returns an error if the server does not answer, or not as its documentation describes.
    pub(super) async fn open(&mut self) -> Result<bool, Failure> {
        let wrong = |why| Failure::new(FailureKind::Rejected, why);
        let Some(request) = self.protocol.opening().map_err(wrong)? else { return Ok(false) };
        let (reply, _) = self.reply(&request, 0).await?;
        let address = &request.address;
        let opened = self.protocol.opened(&reply);
        opened.map_err(|why| wrong(format!("{address}: {}", self.transport.quote(&why))))?;
        Ok(true)
    }

    async fn ask_all(
        &self,
        topics: &[&Topic],
        queries: &[AskedQuery<'_>],
        output: &mut dyn Write,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), RemoteError> {
        let batch = if self.protocol.batches() { self.batch.max(1) } else { 1 };
        let requests = queries.chunks(batch).zip(1..).map(|(queries, seed)| self.ask_some(queries, seed));
        let mut answers = stream::iter(requests).buffered(self.concurrency.max(1));
        let (mut topics_left, mut ended_so_far, mut answered, mut lost) = (topics.iter(), 0, 0, 0);
        while let Some(batch) = answers.next().await {
            for ended in batch {
                let Some(topic) = topics_left.next() else { break };
                let why = ended.answer.as_ref().err();
                lost = if ended.stop == Some(Stop::Lost) { lost + 1 } else { 0 };
                let refused = ended.stop == Some(Stop::Refused) && answered == 0;
                if let Some(reason) = why
                    && (refused || lost >= LOST_IN_A_ROW)
                {
                    return Err(RemoteError::Stopped {
                        system: self.system.to_owned(),
                        reason: reason.clone(),
                    });
                }
                answered += usize::from(why.is_none());
                write_line(topic, &ended.answer, ended.milliseconds, output)
                    .map_err(|source| self.not_written(source))?;
                ended_so_far += 1;
                done(ended_so_far);
            }
        }
        output.flush().map_err(|source| self.not_written(source))
    }

    fn not_written(&self, source: std::io::Error) -> RemoteError {
        RemoteError::Write { system: self.system.to_owned(), source }
    }

    /// Sends the queries of one request. If the server refuses them together, each is sent alone.
    async fn ask_some(&self, queries: &[AskedQuery<'_>], seed: u64) -> Vec<Ended> {
        let together = self.ask_together(queries, seed).await;
        match together {
            Ok(ended) => ended,
            Err(failure) if queries.len() > 1 && failure.kind.scope() == Scope::Task => {
                let mut all = Vec::with_capacity(queries.len());
                for query in queries {
                    let alone = self.ask_together(std::slice::from_ref(query), seed).await;
                    all.extend(alone.unwrap_or_else(|failure| vec![lost(&failure)]));
                }
                all
            }
            Err(failure) => queries.iter().map(|_| lost(&failure)).collect(),
        }
    }

    async fn ask_together(&self, queries: &[AskedQuery<'_>], seed: u64) -> Result<Vec<Ended>, Failure> {
        let unreadable = |why: String| Failure::new(FailureKind::Rejected, self.transport.quote(&why));
        let request = self.protocol.request(queries).map_err(unreadable)?;
        let (reply, milliseconds) = self.reply(&request, seed).await?;
        let answers = self.protocol.read(&reply, queries.len()).map_err(unreadable)?;
        if answers.len() != queries.len() {
            let said = format!("the reply has results for {} of {} queries", answers.len(), queries.len());
            return Err(unreadable(said));
        }
        let quote = |why: String| self.transport.quote(&why);
        let ended = |answer: QueryAnswer| Ended {
            answer: answer.map_err(quote),
            milliseconds: Some(milliseconds),
            stop: None,
        };
        Ok(answers.into_iter().map(ended).collect())
    }

    /// Sends a request, again if its failure may pass, and returns the JSON of the reply with the time that it took.
    async fn reply(&self, request: &SearchRequest, seed: u64) -> Result<(Value, f64), Failure> {
        let mut jitter = SplitMix64::new(seed);
        let mut made = 0;
        loop {
            let started = Instant::now();
            let failure = match self.reply_once(request).await {
                Ok(reply) => return Ok((reply, milliseconds(started))),
                Err(failure) => failure,
            };
            made += 1;
            let drawn = (jitter.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            match (self.retries.delay(made, &failure, drawn), self.retries.gives_up(made, &failure)) {
                (Some(wait), _) => tokio::time::sleep(wait).await,
                (None, Some(why)) if made > 1 || failure.retry_after_ms.is_some() => {
                    return Err(Failure { message: format!("{}; {why}", failure.message), ..failure });
                }
                (None, _) => return Err(failure),
            }
        }
    }

    async fn reply_once(&self, request: &SearchRequest) -> Result<Value, Failure> {
        let wrong = |why: String| Failure::new(FailureKind::Rejected, why);
        let address = &request.address;
        let body = self.transport.send(request.method, address, body_of(request), LONGEST_REPLY).await;
        let response = body.map_err(unanswered)?;
        if !response.is_success() {
            return Err(refused(&self.transport, &response, self.key));
        }
        // A server may quote the key in a document; saved results must not contain it.
        let text = String::from_utf8(response.body)
            .map_err(|error| wrong(format!("{address}: the reply is no text of UTF-8 ({error})")))?;
        let text = self.transport.without_key(text);
        serde_json::from_str(&text).map_err(|error| {
            let begin: String = text.chars().take(80).collect();
            wrong(format!("{address}: the reply is no JSON ({error}): {}", self.transport.quote(&begin)))
        })
    }
}

fn body_of(request: &SearchRequest) -> Option<(&'static str, Vec<u8>)> {
    match (request.body.as_slice(), request.lines) {
        ([], _) => None,
        ([body], false) => Some(("application/json", body.to_string().into_bytes())),
        (lines, _) => {
            let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
            Some(("application/x-ndjson", lines.into_bytes()))
        }
    }
}

fn lost(failure: &Failure) -> Ended {
    let stop = match failure.kind.scope() {
        Scope::Judge => Some(Stop::Refused),
        Scope::Transient => Some(Stop::Lost),
        Scope::Task => None,
    };
    Ended { answer: Err(failure.message.clone()), milliseconds: None, stop }
}

/// To a hundredth: measured times are no more precise.
fn milliseconds(started: Instant) -> f64 {
    (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0
}

/// Returns the failure of an answer with an error's status.
pub(super) fn refused(transport: &Transport, response: &Response, key: Option<&str>) -> Failure {
    let body = String::from_utf8_lossy(&response.body);
    let words =
        serde_json::from_str(&body).ok().and_then(|body| message(&body)).unwrap_or_else(|| body.into());
    let mut said = format!("{}: HTTP {}", transport.address(), response.status);
    let words = transport.quote(&words);
    if !words.is_empty() {
        said.push_str(&format!(": {words}"));
    }
    let kind = kind(response.status);
    match (kind, key) {
        (FailureKind::Unauthorized, Some(variable)) if transport.has_key() => {
            said.push_str(&format!("; the key in {variable} is refused"));
        }
        (FailureKind::Unauthorized, Some(variable)) => said.push_str(&format!("; {variable} is not set")),
        (FailureKind::Unauthorized, None) => {
            said.push_str("; name the variable of the environment that has its key: key = \"NAME\"");
        }
        _ if response.is_redirection() => {
            let to = response
                .header("location")
                .map_or_else(String::new, |to| format!(" to {}", transport.quote(to)));
            said.push_str(&format!(
                "; it redirects{to}, which is not followed: write the address that answers"
            ));
        }
        _ => {}
    }
    Failure { retry_after_ms: response.retry_after_ms(SystemTime::now()), ..Failure::new(kind, said) }
}

/// Returns the failure of a request that has no answer. An answer that is too long is too long each time.
pub(super) fn unanswered(error: TransportError) -> Failure {
    match error {
        TransportError::TooLong { .. } => Failure::new(
            FailureKind::Rejected,
            format!(
                "{error}, which is the most that is read: ask for fewer results, or for less of each document"
            ),
        ),
        other => Failure::from(other),
    }
}

fn kind(status: u16) -> FailureKind {
    match status {
        401 | 403 => FailureKind::Unauthorized,
        404 | 405 | 410 => FailureKind::NotFound,
        300..400 => FailureKind::NotFound,
        408 | 504 | 524 => FailureKind::Timeout,
        425 => FailureKind::Server,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::Rejected,
        _ => FailureKind::Server,
    }
}

/// The message of a server's refusal: `error` or `message`, as text or one level down.
fn message(body: &Value) -> Option<String> {
    let text = |at: &str| body.pointer(at).and_then(Value::as_str);
    let places = ["/error/message", "/error/reason", "/status/error", "/message", "/error", "/detail"];
    let of_all = places.into_iter().find_map(text);
    let first = body.pointer("/error/root_cause/0/reason").and_then(Value::as_str);
    first.or(of_all).map(str::to_owned)
}
