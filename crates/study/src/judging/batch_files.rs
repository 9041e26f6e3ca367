//! Batches as files: requests for any engine, and the results that it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;
use std::io::BufRead;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llull_core::{Failure, Outcome};
use llull_llm::{ChatModel, line_has_error, line_id};
use llull_runner::{Arrivals, BatchChannel, BatchReply, BatchRequest, batch_key, key_of_id};
use llull_store::{Detail, JudgeId, LedgerReader, StoreError};
use serde_json::Value;

/// The open requests of a study's judges, as lines of files, by judge.
pub type OpenRequests = BTreeMap<String, Vec<Value>>;

/// Results of batches by the identifiers of their requests, and the requests that have none.
#[derive(Debug, Default)]
pub(crate) struct BatchFiles {
    results: BTreeMap<String, Value>,
    open: Mutex<OpenRequests>,
    /// Whether they are about results, which were paid for, whatever the budget is now.
    paid: bool,
}

impl BatchFiles {
    pub(crate) fn new(results: BatchResults) -> Self {
        let results = results.lines.into_iter().map(|(id, (_, line))| (id, line)).collect();
        Self { results, open: Mutex::default(), paid: true }
    }

    /// Returns whether no budget holds.
    pub(crate) fn is_paid(&self) -> bool {
        self.paid
    }

    /// Returns the requests without a result so far.
    pub(crate) fn open(&self) -> MutexGuard<'_, OpenRequests> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One judge's requests and results in files.
pub(crate) struct FileChannel {
    pub(crate) judge: String,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) files: Arc<BatchFiles>,
}

impl BatchChannel for FileChannel {
    fn exchange<'a>(
        &'a self,
        requests: &'a [BatchRequest],
        arrived: Arrivals<'a, BatchReply>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        let Some(lines) = self.model.batch_lines() else { return Box::pin(ready(())) };
        let (mut open, mut replies) = (Vec::new(), Vec::new());
        for (place, request) in requests.iter().enumerate() {
            match self.files.results.get(&request.id) {
                Some(line) => {
                    let reply = lines.reply(line, &request.chat);
                    // The next request of this question is in another file, whenever that is sent.
                    let reply = reply.map_err(|failure| Failure { retry_after_ms: None, ..failure });
                    replies.push((place, reply));
                }
                None => open.push(lines.line(&request.id, &request.chat)),
            }
        }
        if !open.is_empty() {
            self.files.open().entry(self.judge.clone()).or_default().extend(open);
        }
        arrived(replies);
        Box::pin(ready(()))
    }
}

/// Why a file of results cannot be imported. Nothing of it was recorded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BatchFileError(String);

/// Results of batches from files, in any order.
#[derive(Debug, Clone, Default)]
pub struct BatchResults {
    /// For each request, the place of its line and the line.
    lines: BTreeMap<String, ((String, usize), Value)>,
    /// The number of lines that repeat the request of another one.
    duplicates: usize,
}

impl BatchResults {
    /// Adds the lines of a file. Of several results of one request, the first without an error counts, else the first.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or a line is no result.
    pub fn read(&mut self, file: &str, lines: impl BufRead) -> Result<(), BatchFileError> {
        for (number, line) in (1..).zip(lines.lines()) {
            let text = line.map_err(|error| BatchFileError(format!("{file}: {error}")))?;
            if text.trim().is_empty() {
                continue;
            }
            let refused = |message: String| {
                BatchFileError(format!(
                    "{file}, line {number}: {message}; a line of results is a JSON object with custom_id, response \
                     and error, as `vllm run-batch` and OpenAI write it"
                ))
            };
            let line: Value = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
            let id = line_id(&line).ok_or_else(|| refused("it has no custom_id".to_owned()))?.to_owned();
            if line.get("response").is_none() && line.get("error").is_none() {
                return Err(refused("it has neither a response nor an error".to_owned()));
            }
            let place = (file.to_owned(), number);
            match self.lines.get_mut(&id) {
                None => drop(self.lines.insert(id, (place, line))),
                Some(known) => {
                    self.duplicates += 1;
                    if line_has_error(&known.1) && !line_has_error(&line) {
                        *known = (place, line);
                    }
                }
            }
        }
        Ok(())
    }

    /// Removes the results of requests that are recorded already, and returns their number. `open` are the study's open
    /// requests. A reply to a request that was recorded as failed answers the next attempt at the same question.
    ///
    /// # Errors
    /// Returns an error if a result is neither for one of those nor for one of the ledger.
    pub(crate) fn without_recorded(
        &mut self,
        open: &OpenRequests,
        ledger: &dyn LedgerReader,
    ) -> Result<Result<usize, BatchFileError>, StoreError> {
        let open: BTreeSet<&str> = open.values().flatten().filter_map(line_id).collect();
        let others: Vec<String> =
            self.lines.keys().filter(|id| !open.contains(id.as_str())).cloned().collect();
        if others.is_empty() {
            return Ok(Ok(0));
        }
        // Of each judge's question, whether its attempts failed, in their order.
        let mut recorded: BTreeMap<String, BTreeMap<JudgeId, Vec<bool>>> = BTreeMap::new();
        ledger.scan(None, Detail::Facts, &mut |judge, attempt| {
            let attempts = recorded.entry(batch_key(&attempt.key)).or_default().entry(judge).or_default();
            attempts.push(matches!(attempt.answer.outcome, Outcome::Failed(_)));
            Ok(())
        })?;
        let has_failed = |id: &str| {
            let attempt = id.rsplit_once('-').and_then(|(_, attempt)| attempt.parse::<usize>().ok());
            let judges = recorded.get(key_of_id(id)).into_iter().flat_map(BTreeMap::values);
            attempt.is_some_and(|at| {
                judges.clone().all(|attempts| attempts.get(at).is_some_and(|failed| *failed))
            })
        };
        let strangers = others.iter().filter(|id| !recorded.contains_key(key_of_id(id)));
        let first = strangers.filter_map(|id| Some((self.lines.get(id)?.0.clone(), id))).min();
        if let Some(((file, line), id)) = first {
            return Ok(Err(BatchFileError(format!(
                "{file}, line {line}: the request {id:?} does not belong to this study: neither in the next wave \
                 nor in the ledger; import it into the study whose `llull batch export` wrote it, with the judge, \
                 rubric and prompt of then"
            ))));
        }
        let open: BTreeMap<&str, &str> = open.iter().map(|id| (key_of_id(id), *id)).collect();
        let mut dropped = 0;
        for id in &others {
            let Some(result) = self.lines.remove(id) else { continue };
            let next = open.get(key_of_id(id)).filter(|_| !line_has_error(&result.1) && has_failed(id));
            let is_needed =
                |next: &&&str| self.lines.get(**next).is_none_or(|(_, line)| line_has_error(line));
            match next.filter(is_needed) {
                Some(next) => drop(self.lines.insert((*next).to_owned(), result)),
                None => dropped += 1,
            }
        }
        Ok(Ok(dropped))
    }

    /// Returns the number of requests with a result.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether there is no result.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the number of lines that repeat the request of another one.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }
}
