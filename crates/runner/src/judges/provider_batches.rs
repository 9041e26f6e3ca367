//! A judge's requests in batches of its provider.
//!
//! A batch is recorded before it is submitted, and again with the provider's identifier before anything waits for it.
//! So a run that is killed continues with the batches of the table, on any machine that has the ledger's file. Only a
//! batch whose submission had no answer (a kill, a timeout) may be made twice, if the provider gives batches no names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use futures::stream::{self, StreamExt as _};
use llull_core::{Failure, FailureKind, Hash, Scope};
use llull_llm::{BatchServer, ChatModel, ChatReply, ChatRequest, line_has_error, line_id};
use llull_store::{BatchRecord, BatchState, BatchTable, StoreError};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::account_limits::AccountLimits;
use crate::batch_channel::{Arrivals, BatchChannel, BatchReply, BatchRequest, key_of_id};
use crate::cancel::Cancel;
use crate::clock::now_ms;

/// Waits between two looks at a batch. Tests have one of their own, so that days take no time.
pub trait BatchClock: Send + Sync {
    /// Waits for so long.
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()>;
}

/// The time of this machine.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl BatchClock for SystemClock {
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(pause))
    }
}

/// The first pause between two looks at a batch, and the longest; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// No provider deletes a batch earlier: Anthropic has the shortest time, 29 days.
const SAVED_MS: i64 = 29 * 24 * 3_600_000;

/// So many times in a row a provider may not answer about a batch before its requests are left to the next run.
const UNANSWERED: u32 = 10;

/// The batches of one judge at its provider.
pub struct ProviderBatches {
    judge: String,
    model: Arc<dyn ChatModel>,
    table: Arc<dyn BatchTable>,
    clock: Arc<dyn BatchClock>,
    cancel: Cancel,
    /// The most requests at once that are sent by themselves, and the limits of their account.
    singly: (usize, AccountLimits),
    notices: Mutex<Vec<String>>,
    /// Whether a request was answered, so that the form of requests is known.
    probed: Mutex<bool>,
}

/// Why a batch was not submitted.
enum NotSubmitted {
    /// Every further request would fail in the same way.
    Judge(Failure),
    /// Its requests are left to the next run, for this reason.
    Later(String),
}

impl From<StoreError> for NotSubmitted {
    fn from(error: StoreError) -> Self {
        Self::Later(error.to_string())
    }
}

impl ProviderBatches {
    /// Creates the batches of a judge, whose model has a [server](ChatModel::batch_server) of them. `cancel` ends the
    /// waiting: the batches go on at the provider, and the next run waits for them.
    pub fn new(
        judge: impl Into<String>,
        model: Arc<dyn ChatModel>,
        table: Arc<dyn BatchTable>,
        clock: Arc<dyn BatchClock>,
        cancel: Cancel,
    ) -> Self {
        let (notices, probed) = (Mutex::default(), Mutex::default());
        let singly = (1, AccountLimits::default());
        Self { judge: judge.into(), model, table, clock, cancel, singly, notices, probed }
    }

    /// Sends the requests that are too few for a batch so many at once; one after the other if the account is limited.
    #[must_use]
    pub fn within(self, concurrency: usize, limits: AccountLimits) -> Self {
        let concurrency = if limits.is_none() { concurrency.max(1) } else { 1 };
        Self { singly: (concurrency, limits), ..self }
    }

    fn note(&self, text: String) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    async fn replies(
        &self,
        server: &dyn BatchServer,
        requests: &[BatchRequest],
        arrived: Arrivals<'_, BatchReply>,
    ) {
        match self.batches(server, requests, arrived).await {
            Ok(batches) => self.wait(server, requests, &batches, arrived).await,
            Err(reason) => self.note(reason),
        }
    }

    /// Returns the batches that have these requests: those of earlier runs, and new ones. A failure that every request
    /// would have is the reply to one that is in no batch, so that it is recorded once and nothing is bought twice.
    /// `Err` is the reason why the requests are left to the next run.
    async fn batches(
        &self,
        server: &dyn BatchServer,
        requests: &[BatchRequest],
        arrived: Arrivals<'_, BatchReply>,
    ) -> Result<Vec<BatchRecord>, String> {
        let mut batches = self.known(server, requests).await?;
        let waiting: BTreeSet<&str> =
            batches.iter().flat_map(|batch| batch.requests.iter().map(|id| place(batch, id))).collect();
        let is_new = |request: &&BatchRequest| {
            !waiting.contains(request.id.as_str()) && !waiting.contains(key_of_id(&request.id))
        };
        let place_of = |id: &str| requests.iter().position(|request| request.id == id).unwrap_or(usize::MAX);
        let mut new: Vec<&BatchRequest> = requests.iter().filter(is_new).collect();
        if self.cancel.is_stopped() {
            return Ok(batches);
        }
        if let Some((id, reply)) = self.probe(&new).await {
            // In the form that was refused, every line of a batch would be, too.
            let answered = reply.is_ok();
            new.retain(|request| request.id != id && answered);
            arrived(vec![(place_of(id), reply)]);
        }
        for part in parts(server, &new) {
            if self.cancel.is_stopped() {
                break;
            }
            if part.len() < server.limits().least {
                self.send_singly(&part, &|id, reply| arrived(vec![(place_of(id), reply)])).await;
                continue;
            }
            match self.submit(server, &part).await {
                Ok(batch) => batches.push(batch),
                Err(NotSubmitted::Judge(failure)) => {
                    arrived(part.first().map(|(id, _)| (place_of(id), Err(failure))).into_iter().collect());
                    break;
                }
                // What was submitted is waited for, whatever becomes of the rest.
                Err(NotSubmitted::Later(reason)) => self.note(reason),
            }
        }
        Ok(batches)
    }

    /// Waits for batches to end, and hands on the replies of each when it does.
    async fn wait(
        &self,
        server: &dyn BatchServer,
        requests: &[BatchRequest],
        batches: &[BatchRecord],
        arrived: Arrivals<'_, BatchReply>,
    ) {
        let mut places: FxHashMap<&str, (usize, &BatchRequest)> = FxHashMap::default();
        for found in requests.iter().enumerate() {
            places.insert(&found.1.id, found);
            places.insert(key_of_id(&found.1.id), found);
        }
        let places = &places;
        let each = batches.iter().map(|batch| async move {
            let ids = batch.requests.iter();
            let mut asked = ids.filter_map(|id| Some((id.as_str(), *places.get(place(batch, id))?)));
            match self.results(server, batch).await {
                None => {}
                // Once for the judge, as it has no reply to any request.
                Some(Err(failure)) => {
                    arrived(asked.next().map(|(_, (place, _))| (place, Err(failure))).into_iter().collect());
                }
                Some(Ok(lines)) => {
                    let reply = |(id, (place, request)): (&str, (usize, &BatchRequest))| {
                        let nothing = || {
                            let words = "the batch has no result for the request";
                            Err(Failure::new(FailureKind::Server, words))
                        };
                        let line = lines.get(id);
                        (place, line.map_or_else(nothing, |line| server.reply(line, &request.chat)))
                    };
                    arrived(asked.map(reply).collect());
                }
            }
        });
        join_all(each).await;
    }

    /// Returns the batches of the table that have one of these requests, and that the provider has.
    async fn known(
        &self,
        server: &dyn BatchServer,
        requests: &[BatchRequest],
    ) -> Result<Vec<BatchRecord>, String> {
        let ids = requests.iter().flat_map(|request| [request.id.as_str(), key_of_id(&request.id)]);
        let wanted: BTreeSet<&str> = ids.collect();
        let mut found = Vec::new();
        for batch in self.table.batches().map_err(|error| error.to_string())? {
            if !batch.requests.iter().any(|id| wanted.contains(place(&batch, id))) {
                continue;
            }
            // The provider refused it, or has deleted it.
            if batch.remote.is_none() && batch.state == BatchState::Ended {
                continue;
            }
            if batch.remote.is_some() {
                found.push(batch);
                continue;
            }
            // A kill came between its submission and the record of it.
            match server.find(&batch.name).await {
                Ok(Some(remote)) => {
                    found.push(self.submitted(batch, remote).map_err(|error| error.to_string())?);
                }
                Ok(None) => {}
                Err(failure) => return Err(failure.to_string()),
            }
        }
        Ok(found)
    }

    fn submitted(&self, batch: BatchRecord, remote: String) -> Result<BatchRecord, StoreError> {
        let batch =
            BatchRecord { state: BatchState::Submitted, remote: Some(remote), at_ms: now_ms(), ..batch };
        self.table.record(&batch)?;
        Ok(batch)
    }

    /// Sends one request by itself before the first batch: nothing can be learnt about the server within a batch. A
    /// failure is recorded and retried as that of any request.
    async fn probe<'r>(
        &self,
        requests: &[&'r BatchRequest],
    ) -> Option<(&'r str, Result<ChatReply, Failure>)> {
        let first = requests.first()?;
        if *self.probed.lock().unwrap_or_else(PoisonError::into_inner) {
            return None;
        }
        let reply = self.model.chat(&first.chat).await;
        *self.probed.lock().unwrap_or_else(PoisonError::into_inner) = reply.is_ok();
        Some((&first.id, reply))
    }

    /// Sends requests by themselves, which are too few for a batch.
    async fn send_singly(
        &self,
        part: &[(String, ChatRequest)],
        arrived: &(dyn Fn(&str, Result<ChatReply, Failure>) + Send + Sync),
    ) {
        self.note(format!(
            "{} requests are too few for a batch of this provider, and are sent by themselves at the full price",
            part.len()
        ));
        let (concurrency, limits) = self.singly;
        let pause = |pause: Duration| async move {
            if !pause.is_zero() {
                tokio::select! {
                    () = self.cancel.stopped() => {}
                    () = self.clock.sleep(pause) => {}
                }
            }
        };
        let each = stream::iter(part).for_each_concurrent(concurrency, |(id, request)| async move {
            pause(limits.before_each()).await;
            if self.cancel.is_stopped() {
                return;
            }
            let reply = self.model.chat(request).await;
            let after = reply.as_ref().map_or(Duration::ZERO, |reply| limits.after(&reply.usage));
            arrived(id, reply);
            pause(after).await;
        });
        each.await;
    }

    /// Submits a batch. One that cannot be submitted is left to the next run, which looks for it if it may be there.
    async fn submit(
        &self,
        server: &dyn BatchServer,
        part: &[(String, ChatRequest)],
    ) -> Result<BatchRecord, NotSubmitted> {
        let ids: Vec<String> = part.iter().map(|(id, _)| id.clone()).collect();
        let name = format!("llull-{}", Hash::of(ids.join("\n").as_bytes()));
        let batch = BatchRecord {
            name: name.get(..38).unwrap_or(&name).to_owned(),
            judge: self.judge.clone(),
            state: BatchState::Prepared,
            remote: None,
            requests: ids,
            at_ms: now_ms(),
        };
        self.table.record(&batch)?;
        let remote = match server.submit(&batch.name, part).await {
            Ok(remote) => remote,
            Err(failure) => {
                let requests = part.len();
                let mut words = format!("{requests} requests could not be submitted: {failure}");
                match failure.kind.scope() {
                    Scope::Transient => words.push_str(
                        "; the batch may have been made all the same: the next llull run --batch looks for it, but \
                         Anthropic's batches have no names, and may be paid twice (its console lists them)",
                    ),
                    _ => self.ended(&batch, None)?,
                }
                return Err(match failure.kind.scope() {
                    Scope::Judge => NotSubmitted::Judge(failure),
                    _ => NotSubmitted::Later(words),
                });
            }
        };
        let batch = self.submitted(batch, remote)?;
        let (requests, remote) = (batch.requests.len(), batch.remote.as_deref().unwrap_or_default());
        self.note(format!(
            "{requests} requests are in batch {remote}; Ctrl-C stops waiting, and the same command continues"
        ));
        Ok(batch)
    }

    /// Records that nothing more is expected of a batch; without `remote`, that it has no results.
    fn ended(&self, batch: &BatchRecord, remote: Option<&str>) -> Result<(), StoreError> {
        let (state, remote) = (BatchState::Ended, remote.map(str::to_owned));
        self.table.record(&BatchRecord { state, remote, at_ms: now_ms(), ..batch.clone() })
    }

    /// Waits for a batch to end, and returns its results; `None` if its requests are left to the next run. `Err` is the
    /// failure of every request to this judge.
    async fn results(&self, server: &dyn BatchServer, batch: &BatchRecord) -> Option<Result<Lines, Failure>> {
        let remote = batch.remote.as_deref()?;
        let (mut pause, mut unanswered) = (FIRST_PAUSE, 0);
        loop {
            // The last record that the batch is at the provider.
            let is_old = now_ms().saturating_sub(batch.at_ms) > SAVED_MS;
            let gone = match self.look(server, remote).await {
                Ok(Look::Lines(lines)) => {
                    // Without this record the results are read once more.
                    if let Err(error) = self.ended(batch, Some(remote)) {
                        self.note(error.to_string());
                    }
                    return Some(Ok(lines));
                }
                Ok(Look::Refused(failure)) => Some(failure),
                Ok(Look::Waiting) => {
                    unanswered = 0;
                    None
                }
                Err(failure) if failure.kind == FailureKind::NotFound && is_old => {
                    Some(Failure::new(FailureKind::Server, "the provider has deleted it"))
                }
                Err(failure) => {
                    unanswered += 1;
                    // It was paid for, so no failure is recorded, and the next run looks again.
                    if unanswered >= UNANSWERED || failure.kind.scope() != Scope::Transient {
                        let not_found = failure.kind == FailureKind::NotFound;
                        let remedy = "; run again with the key and the address of the run that sent it";
                        let remedy = if not_found { remedy } else { "" };
                        self.note(format!("batch {remote}: {failure}{remedy}"));
                        return None;
                    }
                    None
                }
            };
            if let Some(failure) = gone {
                let requests = batch.requests.len();
                self.note(format!(
                    "batch {remote}: {failure}; the next run sends its {requests} requests again"
                ));
                if let Err(error) = self.ended(batch, None) {
                    self.note(error.to_string());
                }
                return (failure.kind.scope() == Scope::Judge).then_some(Err(failure));
            }
            tokio::select! {
                () = self.cancel.stopped() => return None,
                () = self.clock.sleep(pause) => {}
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn look(&self, server: &dyn BatchServer, remote: &str) -> Result<Look, Failure> {
        let status = server.status(remote).await?;
        if !status.ended {
            return Ok(Look::Waiting);
        }
        if let Some(failure) = status.refused {
            return Ok(Look::Refused(failure));
        }
        let (mut lines, mut unreadable) = (Lines::new(), 0_u64);
        for line in server.results(&status).await? {
            let Some(id) = line_id(&line).map(str::to_owned) else {
                unreadable += 1;
                continue;
            };
            let known = lines.entry(id).or_insert_with(|| line.clone());
            if line_has_error(known) && !line_has_error(&line) {
                *known = line;
            }
        }
        if unreadable > 0 {
            self.note(format!(
                "batch {remote}: {unreadable} lines of its results cannot be read; their requests are sent again"
            ));
        }
        Ok(Look::Lines(lines))
    }
}

/// Lines of results by the identifiers of their requests.
type Lines = BTreeMap<String, Value>;

/// What a look at a batch shows.
enum Look {
    Waiting,
    /// The whole batch has no results.
    Refused(Failure),
    Lines(Lines),
}

/// Returns by what a request is found in a batch: its key, whatever was recorded for the request meanwhile; or the
/// identifier if the batch was read, since its result may be the one that was recorded.
fn place<'a>(batch: &BatchRecord, id: &'a str) -> &'a str {
    if batch.state == BatchState::Ended { id } else { key_of_id(id) }
}

/// Divides requests into parts within the limits of a batch.
fn parts(server: &dyn BatchServer, requests: &[&BatchRequest]) -> Vec<Vec<(String, ChatRequest)>> {
    let limits = server.limits();
    let (mut parts, mut part, mut bytes): (Vec<Vec<_>>, Vec<_>, usize) = (Vec::new(), Vec::new(), 0);
    for request in requests {
        let length = server.line(&request.id, &request.chat).to_string().len() + 1;
        if !part.is_empty() && (part.len() >= limits.requests || bytes + length > limits.bytes) {
            parts.push(std::mem::take(&mut part));
            bytes = 0;
        }
        bytes += length;
        part.push((request.id.clone(), request.chat.clone()));
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

impl BatchChannel for ProviderBatches {
    fn exchange<'a>(
        &'a self,
        requests: &'a [BatchRequest],
        arrived: Arrivals<'a, BatchReply>,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Some(server) = self.model.batch_server() {
                self.replies(server, requests, arrived).await;
            }
        })
    }

    /// A run that continues reads its batches first.
    fn asks_one_first(&self) -> bool {
        let is_open = |batch: &BatchRecord| batch.judge == self.judge && batch.state != BatchState::Ended;
        !*self.probed.lock().unwrap_or_else(PoisonError::into_inner)
            && self.table.batches().is_ok_and(|batches| !batches.iter().any(is_open))
    }

    fn notices(&self) -> Vec<String> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
