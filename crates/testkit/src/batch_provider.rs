//! A provider of batches, in process.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Hash, Scale, Seed};
use llull_llm::{
    BatchLimits, BatchLines, BatchServer, BatchStatus, ChatModel, ChatReply, ChatRequest, line_id,
};
use serde_json::{Value, json};

use crate::{answer_json, grade_of_prompt, prompt_of, reply};

/// The life of a [`BatchProvider`]'s batches, and the faults of their results. Shares are of requests, from 0 to 1.
#[derive(Debug, Clone)]
pub struct BatchPlan {
    /// The seed of all draws.
    pub seed: Seed,
    /// Whether a batch can be found by its name.
    pub named: bool,
    /// How many times a batch is looked at before it has ended.
    pub looks: u32,
    /// How many more looks a batch needs than the one before it.
    pub slow: u32,
    /// The most requests of a batch.
    pub most: usize,
    /// The fewest requests of a batch.
    pub least: usize,
    /// Share of requests that expire.
    pub expired: f64,
    /// Share without a result.
    pub missing: f64,
    /// Share with a result that cannot be read.
    pub unreadable: f64,
    /// Share with two results.
    pub repeated: f64,
    /// How many batches are refused as a whole, from the first.
    pub refused: usize,
}

impl Default for BatchPlan {
    /// Returns the plan of a provider whose batches have names, end at the second look, and lack nothing.
    fn default() -> Self {
        Self {
            seed: Seed(0),
            named: true,
            looks: 1,
            slow: 0,
            most: 1000,
            least: 1,
            expired: 0.0,
            missing: 0.0,
            unreadable: 0.0,
            repeated: 0.0,
            refused: 0,
        }
    }
}

/// The attempts at a request that faults befall.
const FAULTY_ATTEMPTS: u32 = 2;

type Killer = Box<dyn Fn() + Send + Sync>;

/// A language model with batches, in memory. The answer to a prompt depends on its text only. Results come in the order
/// of a draw.
pub struct BatchProvider {
    plan: BatchPlan,
    state: Mutex<State>,
    /// What is called at a step, after which nothing is answered any more.
    kill: Mutex<Option<(usize, Killer)>>,
    /// What is called at a step.
    stop: Mutex<Option<(usize, Killer)>>,
}

#[derive(Debug, Default)]
struct State {
    batches: Vec<Batch>,
    steps: usize,
    live: usize,
    refused: Option<FailureKind>,
    /// The failures of the next requests that are sent by themselves.
    live_failures: Vec<FailureKind>,
}

#[derive(Debug)]
struct Batch {
    name: String,
    prompts: Vec<(String, String)>,
    looks: u32,
    cancelled: bool,
}

impl fmt::Debug for BatchProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchProvider").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl BatchProvider {
    /// Creates a provider without batches.
    pub fn new(plan: BatchPlan) -> Self {
        Self { plan, state: Mutex::default(), kill: Mutex::default(), stop: Mutex::default() }
    }

    /// Calls `kill` at a step, counted from here, and answers nothing from then on. Each request has two steps: before
    /// it has an effect, and after.
    pub fn kill_at(&self, step: usize, kill: impl Fn() + Send + Sync + 'static) {
        self.state().steps = 0;
        *self.kill.lock().unwrap_or_else(PoisonError::into_inner) = Some((step, Box::new(kill)));
    }

    /// Calls `stop` at a step, counted from here, and answers on.
    pub fn stop_at(&self, step: usize, stop: impl Fn() + Send + Sync + 'static) {
        self.state().steps = 0;
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some((step, Box::new(stop)));
    }

    /// Refuses every request with this failure, or none any more.
    pub fn refuse(&self, kind: Option<FailureKind>) {
        self.state().refused = kind;
    }

    /// Answers the next requests that are sent by themselves with these failures, the last one first.
    pub fn fail_live(&self, kinds: &[FailureKind]) {
        self.state().live_failures = kinds.to_vec();
    }

    /// Answers again. Returns whether the step of the kill was reached.
    pub fn revive(&self) -> bool {
        let kill = self.kill.lock().unwrap_or_else(PoisonError::into_inner).take();
        kill.is_some_and(|(step, _)| self.state().steps > step)
    }

    /// Returns how often each request was bought in a batch, by its identifier. What expired was not.
    pub fn bought(&self) -> BTreeMap<String, usize> {
        let mut bought = BTreeMap::new();
        for batch in self.state().batches.iter().skip(self.plan.refused) {
            for (id, _) in
                batch.prompts.iter().filter(|(id, _)| !self.draws(self.plan.expired, "expired", id))
            {
                *bought.entry(id.clone()).or_default() += 1;
            }
        }
        bought
    }

    /// Returns how many requests were sent by themselves.
    pub fn live(&self) -> usize {
        self.state().live
    }

    /// Returns the number of batches.
    pub fn batches(&self) -> usize {
        self.state().batches.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn step(&self) {
        let now = {
            let mut state = self.state();
            state.steps += 1;
            state.steps - 1
        };
        let stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner).take_if(|(at, _)| *at == now);
        stop.iter().for_each(|(_, stop)| stop());
        let dead = {
            let kill = self.kill.lock().unwrap_or_else(PoisonError::into_inner);
            kill.as_ref().is_some_and(|(step, kill)| {
                if now == *step {
                    kill();
                }
                now >= *step
            })
        };
        if dead {
            std::future::pending::<()>().await;
        }
    }

    /// Does something between two steps.
    async fn served<T>(&self, work: impl FnOnce(&mut State) -> Result<T, Failure>) -> Result<T, Failure> {
        self.step().await;
        let done = {
            let mut state = self.state();
            match state.refused {
                Some(kind) => Err(Failure::new(kind, "refused")),
                None => work(&mut state),
            }
        };
        self.step().await;
        done
    }

    /// Draws whether something befalls an attempt at a request, in whichever batch it is: retries wait for different
    /// times, so that two runs do not have the same batches. Nothing befalls the third attempt.
    fn draws(&self, share: f64, what: &str, id: &str) -> bool {
        let attempt = id.rsplit_once('-').and_then(|(_, attempt)| attempt.parse().ok()).unwrap_or(0);
        let drawn = self.plan.seed.stream(&format!("{what} {id}"));
        attempt < FAULTY_ATTEMPTS && ((drawn >> 11) as f64 / (1_u64 << 53) as f64) < share
    }

    fn result_lines(&self, batch: &Batch) -> Vec<Value> {
        let mut lines = Vec::new();
        for (id, prompt) in &batch.prompts {
            if self.draws(self.plan.missing, "missing", id) {
                continue;
            }
            if self.draws(self.plan.unreadable, "unreadable", id) {
                lines.push(Value::Null);
                continue;
            }
            let expired = batch.cancelled || self.draws(self.plan.expired, "expired", id);
            let line = match expired {
                true => {
                    json!({ "custom_id": id, "error": { "code": "batch_expired", "message": "too late" } })
                }
                false => {
                    let text = answer_json(grade_of_prompt(prompt, Scale::default()));
                    json!({ "custom_id": id, "response": { "status_code": 200, "body": text } })
                }
            };
            if self.draws(self.plan.repeated, "repeated", id) {
                lines.push(line.clone());
            }
            lines.push(line);
        }
        lines.sort_by_cached_key(|line| Hash::of(format!("{:?} {line}", self.plan.seed).as_bytes()).0);
        lines
    }
}

fn place(batch: &str) -> Result<usize, Failure> {
    let number = batch.strip_prefix("batch_").and_then(|number| number.parse().ok());
    number.ok_or_else(|| Failure::new(FailureKind::NotFound, format!("no batch {batch}")))
}

impl BatchLines for BatchProvider {
    fn line(&self, id: &str, request: &ChatRequest) -> Value {
        json!({ "custom_id": id, "body": prompt_of(&request.messages) })
    }

    fn reply(&self, line: &Value, _request: &ChatRequest) -> Result<ChatReply, Failure> {
        match line.pointer("/response/body").and_then(Value::as_str) {
            Some(text) => Ok(reply(text)),
            None => Err(Failure::new(FailureKind::Timeout, format!("expired: {:?}", line_id(line)))),
        }
    }
}

impl BatchServer for BatchProvider {
    fn limits(&self) -> BatchLimits {
        BatchLimits { requests: self.plan.most, bytes: 1 << 30, least: self.plan.least }
    }

    fn submit<'a>(
        &'a self,
        name: &'a str,
        requests: &'a [(String, ChatRequest)],
    ) -> BoxFuture<'a, Result<String, Failure>> {
        let prompts = requests.iter().map(|(id, request)| (id.clone(), prompt_of(&request.messages)));
        let batch = Batch { name: name.to_owned(), prompts: prompts.collect(), looks: 0, cancelled: false };
        Box::pin(self.served(move |state| {
            state.batches.push(batch);
            Ok(format!("batch_{}", state.batches.len() - 1))
        }))
    }

    fn find<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(self.served(move |state| {
            let at = state.batches.iter().rposition(|batch| batch.name == name);
            Ok(at.filter(|_| self.plan.named).map(|at| format!("batch_{at}")))
        }))
    }

    fn status<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<BatchStatus, Failure>> {
        Box::pin(self.served(move |state| {
            let at = place(batch)?;
            let found =
                state.batches.get_mut(at).ok_or_else(|| Failure::new(FailureKind::NotFound, batch))?;
            found.looks += 1;
            let later = u32::try_from(at).unwrap_or(u32::MAX).saturating_mul(self.plan.slow);
            let looks = self.plan.looks.saturating_add(later);
            let mut status = BatchStatus::new(found.looks > looks || found.cancelled);
            status.answer = json!(batch);
            if at < self.plan.refused {
                status.ended = true;
                status.refused = Some(Failure::new(FailureKind::RateLimited, "too many tokens are waiting"));
            }
            Ok(status)
        }))
    }

    fn read_status(&self, batch: &str, answer: Value) -> Result<BatchStatus, Failure> {
        Ok(BatchStatus { batch: batch.to_owned(), answer, ..BatchStatus::new(true) })
    }

    fn read_results(&self, _status: &BatchStatus, files: &[u8]) -> Vec<Value> {
        let lines = String::from_utf8_lossy(files);
        lines.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect()
    }

    fn results<'a>(&'a self, status: &'a BatchStatus) -> BoxFuture<'a, Result<Vec<Value>, Failure>> {
        Box::pin(self.served(move |state| {
            let at = place(status.answer.as_str().unwrap_or_default())?;
            Ok(state.batches.get(at).map(|batch| self.result_lines(batch)).unwrap_or_default())
        }))
    }

    fn cancel<'a>(&'a self, batch: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(self.served(move |state| {
            let at = place(batch)?;
            state.batches.iter_mut().skip(at).take(1).for_each(|batch| batch.cancelled = true);
            Ok(())
        }))
    }
}

impl ChatModel for BatchProvider {
    fn name(&self) -> &str {
        "openai/batched"
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(self.served(move |state| {
            state.live += 1;
            if let Some(kind) = state.live_failures.pop() {
                return Err(Failure::new(kind, "refused"));
            }
            Ok(reply(answer_json(grade_of_prompt(&prompt_of(&request.messages), Scale::default()))))
        }))
    }

    fn batch_lines(&self) -> Option<&dyn BatchLines> {
        Some(self)
    }

    fn batch_server(&self) -> Option<&dyn BatchServer> {
        Some(self)
    }
}
