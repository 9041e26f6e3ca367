//! The executor: sends requests concurrently.

use std::{sync::Arc, time::Duration};

use llull_core::{Failure, FailureKind};
use tokio::{runtime::Handle, task::JoinSet, time::Instant};

use crate::{
    answer::Answer, dispatcher::Batch, index::JudgeIndex, judge::Judge, wave::Ticket, workload::Workload,
};

/// A task and its answer.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) judge: JudgeIndex,
    pub(crate) ticket: Ticket,
    pub(crate) answer: Answer,
    pub(crate) latency_ms: u32,
}

/// The questions in flight.
pub(crate) struct Executor {
    runtime: Handle,
    workload: Arc<Workload>,
    judges: Vec<Arc<dyn Judge>>,
    samples: u32,
    timeout: Duration,
    in_flight: JoinSet<Vec<Asked>>,
}

impl Executor {
    pub(crate) fn new(runtime: Handle, judges: Vec<Arc<dyn Judge>>, samples: u32, timeout: Duration) -> Self {
        Self { runtime, workload: Arc::default(), judges, samples, timeout, in_flight: JoinSet::new() }
    }

    /// Sets the questions of the next wave.
    pub(crate) fn begin(&mut self, workload: Arc<Workload>) {
        self.workload = workload;
    }

    /// Starts asking the questions of a batch, one after the other, concurrently with other batches.
    pub(crate) fn start(&mut self, batch: Batch) {
        let Some(judge) = self.judges.get(batch.judge.0).cloned() else { return };
        let (workload, samples, timeout) = (Arc::clone(&self.workload), self.samples, self.timeout);
        let ask_all = async move {
            let mut asked = Vec::with_capacity(batch.tickets.len());
            for ticket in batch.tickets {
                asked.push(ask(batch.judge, ticket, judge.as_ref(), &workload, samples, timeout).await);
            }
            asked
        };
        self.in_flight.spawn_on(ask_all, &self.runtime);
    }

    /// Waits for the next batch to finish. Returns `None` if nothing is in flight or the runtime is shut down.
    pub(crate) async fn finished(&mut self) -> Option<Vec<Asked>> {
        unwrap_batch(self.in_flight.join_next().await?)
    }

    /// Returns a batch that has finished already, if there is one.
    pub(crate) fn try_finished(&mut self) -> Option<Vec<Asked>> {
        unwrap_batch(self.in_flight.try_join_next()?)
    }

    /// Drops all questions in flight.
    pub(crate) fn abort(&mut self) {
        self.in_flight.abort_all();
    }
}

/// Returns a batch, or `None` if it was cancelled. Resumes the panic of a judge on the calling thread.
fn unwrap_batch(joined: Result<Vec<Asked>, tokio::task::JoinError>) -> Option<Vec<Asked>> {
    match joined {
        Ok(asked) => Some(asked),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_cancelled) => None,
        },
    }
}

async fn ask(
    at: JudgeIndex,
    ticket: Ticket,
    judge: &dyn Judge,
    workload: &Workload,
    samples: u32,
    timeout: Duration,
) -> Asked {
    let Some(case) = workload.case_at((ticket.slot / samples) as usize) else {
        let failure = Failure::new(FailureKind::Rejected, "the task is not in the workload");
        return Asked { judge: at, ticket, answer: Answer::failed(failure), latency_ms: 0 };
    };
    let asking = judge.ask(case, workload.first_sample() + ticket.slot % samples);
    let start = Instant::now();
    let answer = if judge.in_process() {
        asking.await
    } else {
        tokio::time::timeout(timeout, asking).await.unwrap_or_else(|_| {
            let limit = timeout.as_secs_f64();
            Answer::failed(Failure::new(FailureKind::Timeout, format!("no answer within {limit} s")))
        })
    };
    let latency_ms = u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX);
    Asked { judge: at, ticket, answer, latency_ms }
}
