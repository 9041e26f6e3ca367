//! A run: plan, then ask, append, observe, until there is nothing left or a reason to stop.

use std::sync::Arc;

use llull_core::{Attempt, Outcome};
use llull_store::{JudgeId, JudgmentStore};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    time::Instant,
};

use crate::{
    Cancel, Event, Judge, Reporter, RunError, RunOptions, RunOutcome, StopReason, Workload,
    clock::now_ms,
    dispatcher::{Consequence, Dispatcher},
    executor::{Asked, Executor},
    plan::{Ticket, plan},
};

/// How many attempts are appended at once, about. Fewer if no more are there: nobody waits for a full batch.
const COMMIT: usize = 4096;

/// Gets an answer from every judge to every pair, as far as the ledger does not have it.
///
/// - An attempt is in the ledger before it counts, failures included. A run that was interrupted, or killed, is
///   resumed by running it again; only what was in flight is asked twice.
/// - Retries, pauses and limits are as [`RunOptions`] says; what ends a run early is a [`StopReason`], and what is
///   in flight then is waited for. The results do not depend on the order in which answers arrive.
///
/// Judges are asked on `runtime`, which has threads of its own and a timer. The calling thread appends to the ledger and
/// reports, so this must not be called on a thread of that runtime (use `spawn_blocking` there). If the runtime is shut
/// down meanwhile, the run ends as if it had been aborted.
///
/// # Errors
/// When the ledger cannot be read or written, when two judges are the same, when there are too many tasks, or when the
/// runtime has no threads of its own.
pub fn run(
    runtime: &Handle,
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn JudgmentStore,
    options: &RunOptions,
    reporter: &dyn Reporter,
    cancel: &Cancel,
) -> Result<RunOutcome, RunError> {
    if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
        return Err(RunError::OneThread);
    }
    let plans = plan(workload, judges, store, options, reporter)?;
    let run = Run {
        dispatcher: Dispatcher::new(plans, options.clone()),
        executor: Executor::new(
            runtime.clone(),
            Arc::clone(workload),
            judges.to_vec(),
            options.samples.get(),
            options.timeout,
        ),
        judges,
        workload,
        samples: options.samples.get(),
        store,
        reporter,
        told: vec![0; judges.len()],
    };
    runtime.block_on(run.drive(cancel))
}

struct Run<'a> {
    dispatcher: Dispatcher,
    executor: Executor,
    judges: &'a [Arc<dyn Judge>],
    workload: &'a Workload,
    samples: u32,
    store: &'a mut dyn JudgmentStore,
    reporter: &'a dyn Reporter,
    /// How many notices of each judge were reported.
    told: Vec<usize>,
}

impl Run<'_> {
    async fn drive(mut self, cancel: &Cancel) -> Result<RunOutcome, RunError> {
        let mut abandoned = 0;
        loop {
            if cancel.is_stopped() {
                self.stop(StopReason::Cancelled);
            }
            self.ask();
            if self.dispatcher.is_done() {
                break;
            }
            let wake_at = self.dispatcher.wake_at();
            let landed = tokio::select! {
                biased;
                () = cancel.aborted() => {
                    self.stop(StopReason::Cancelled);
                    abandoned = self.abort()?;
                    break;
                }
                () = cancel.stopped(), if self.dispatcher.stopped().is_none() => continue,
                landed = self.executor.landed(), if self.dispatcher.in_flight() > 0 => landed,
                () = sleep_until(wake_at), if wake_at.is_some() => continue,
            };
            let Some(landed) = landed else {
                // Whoever owns the runtime has shut it down, and what was in flight will never land.
                self.stop(StopReason::Cancelled);
                abandoned = self.abort()?;
                break;
            };
            let batch = self.gather(landed);
            self.commit(batch)?;
        }
        let (judges, stopped, spent) = self.dispatcher.finish();
        let outcome = RunOutcome { judges, stopped, spent, abandoned };
        self.reporter.event(Event::Finished(&outcome));
        Ok(outcome)
    }

    /// Asks all that may be asked now.
    fn ask(&mut self) {
        let before = self.dispatcher.stopped().is_some();
        let now = Instant::now();
        while let Some(hand) = self.dispatcher.next(now) {
            self.executor.start(hand);
        }
        if !before {
            self.report_stop();
        }
    }

    fn stop(&mut self, reason: StopReason) {
        if self.dispatcher.stopped().is_none() {
            self.dispatcher.stop(reason);
            self.report_stop();
        }
    }

    fn report_stop(&self) {
        if let Some(reason) = self.dispatcher.stopped() {
            self.reporter.event(Event::Stopping { reason, in_flight: self.dispatcher.in_flight() });
        }
    }

    /// Records what is back and drops the rest. Returns how many questions were dropped.
    fn abort(&mut self) -> Result<usize, RunError> {
        loop {
            let landed = self.gather(Vec::new());
            if landed.is_empty() {
                break;
            }
            self.commit(landed)?;
        }
        self.executor.abort();
        Ok(self.dispatcher.in_flight())
    }

    fn gather(&mut self, mut batch: Vec<Asked>) -> Vec<Asked> {
        while batch.len() < COMMIT
            && let Some(landed) = self.executor.landed_by_now()
        {
            batch.extend(landed);
        }
        batch
    }

    /// Appends attempts, then lets them count, then reports them.
    fn commit(&mut self, batch: Vec<Asked>) -> Result<(), RunError> {
        let at_ms = now_ms();
        let (tickets, attempts): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|asked| self.record(asked, at_ms)).unzip();
        if let Err(source) = self.store.append(&attempts) {
            self.executor.abort();
            return Err(RunError::Append { source, lost: self.dispatcher.in_flight() });
        }
        let now = Instant::now();
        for ((lane, ticket), (_, attempt)) in tickets.into_iter().zip(&attempts) {
            let consequence = self.dispatcher.observe(lane, ticket, attempt, now);
            self.report(lane, attempt, &consequence);
        }
        self.report_notices();
        Ok(())
    }

    fn record(&self, asked: Asked, at_ms: i64) -> ((usize, Ticket), (JudgeId, Attempt)) {
        let Asked { lane, ticket, answer, latency_ms } = asked;
        let id = self.dispatcher.lane(lane).map_or(JudgeId(0), |lane| lane.id());
        let pair = self.workload.pairs().get((ticket.slot / self.samples) as usize);
        let case = pair.and_then(|pair| self.workload.case(*pair));
        let attempt = Attempt {
            key: ticket.key,
            topic: case.map(|case| case.topic.id.clone()).unwrap_or_default(),
            document: case.map(|case| case.document_id.to_owned()).unwrap_or_default(),
            sample: ticket.slot % self.samples,
            outcome: answer.outcome,
            reply: answer.reply,
            model: answer.model,
            usage: answer.usage,
            // What is not a number is not a price.
            cost_usd: answer.cost_usd.filter(|cost| cost.is_finite()),
            latency_ms,
            tokens_cut: answer.tokens_cut,
            at_ms,
        };
        ((lane, ticket), (id, attempt))
    }

    fn report(&self, judge: usize, attempt: &Attempt, consequence: &Consequence) {
        let report = |event| self.reporter.event(event);
        match &attempt.outcome {
            Outcome::Judged { .. } => report(Event::Judged { judge, attempt }),
            Outcome::Unusable(_) => report(Event::Unusable { judge, attempt, again: consequence.again }),
            Outcome::Failed(failure) => {
                report(Event::AttemptFailed { judge, attempt, retry_in: consequence.retry_in });
                if consequence.gave_up {
                    let (topic, document) = (&attempt.topic, &attempt.document);
                    report(Event::GaveUp { judge, topic, document, failure });
                }
            }
        }
        if let Some(pause) = consequence.paused {
            report(Event::Paused { judge, pause });
        }
        if consequence.stops {
            self.report_stop();
        }
    }

    fn report_notices(&mut self) {
        for (judge, (asked, told)) in self.judges.iter().zip(&mut self.told).enumerate() {
            if !asked.in_process() {
                let notices = asked.notices();
                for text in notices.iter().skip(*told) {
                    self.reporter.event(Event::Notice { judge, text });
                }
                *told = notices.len();
            }
        }
    }
}

async fn sleep_until(wake_at: Option<Instant>) {
    if let Some(at) = wake_at {
        tokio::time::sleep_until(at).await;
    }
}
