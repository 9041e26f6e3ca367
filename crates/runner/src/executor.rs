//! Asks: the only concurrent part. It knows nothing of retries, budgets or the ledger.

use std::{sync::Arc, time::Duration};

use llull_core::{Failure, FailureKind};
use tokio::{runtime::Handle, task::JoinSet, time::Instant};

use crate::{
    answer::Answer, dispatcher::Hand, index::JudgeIndex, judge::Judge, wave::Ticket, workload::Workload,
};

/// A question and what came of it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) judge: JudgeIndex,
    pub(crate) ticket: Ticket,
    pub(crate) answer: Answer,
    pub(crate) latency_ms: u32,
}

/// Questions in flight.
pub(crate) struct Executor {
    runtime: Handle,
    workload: Arc<Workload>,
    judges: Vec<Arc<dyn Judge>>,
    samples: u32,
    timeout: Duration,
    flying: JoinSet<Vec<Asked>>,
}

impl Executor {
    pub(crate) fn new(runtime: Handle, judges: Vec<Arc<dyn Judge>>, samples: u32, timeout: Duration) -> Self {
        Self { runtime, workload: Arc::default(), judges, samples, timeout, flying: JoinSet::new() }
    }

    /// The questions of the next wave.
    pub(crate) fn begin(&mut self, workload: Arc<Workload>) {
        self.workload = workload;
    }

    /// Asks these questions, one after the other, beside whatever else is in flight.
    pub(crate) fn start(&mut self, hand: Hand) {
        let Some(judge) = self.judges.get(hand.judge.0).cloned() else { return };
        let (workload, samples, timeout) = (Arc::clone(&self.workload), self.samples, self.timeout);
        let ask_all = async move {
            let mut asked = Vec::with_capacity(hand.tickets.len());
            for ticket in hand.tickets {
                asked.push(ask(hand.judge, ticket, judge.as_ref(), &workload, samples, timeout).await);
            }
            asked
        };
        self.flying.spawn_on(ask_all, &self.runtime);
    }

    /// The next hand that comes back; `None` when nothing is in flight, or the runtime is shut down.
    pub(crate) async fn landed(&mut self) -> Option<Vec<Asked>> {
        landed(self.flying.join_next().await?)
    }

    /// One that is back already.
    pub(crate) fn landed_by_now(&mut self) -> Option<Vec<Asked>> {
        landed(self.flying.try_join_next()?)
    }

    /// Drops all that is in flight.
    pub(crate) fn abort(&mut self) {
        self.flying.abort_all();
    }
}

/// A judge that panics takes the run down with it, as it would have without a runtime in between.
fn landed(joined: Result<Vec<Asked>, tokio::task::JoinError>) -> Option<Vec<Asked>> {
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
    let asking = judge.ask(case, ticket.slot % samples);
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
