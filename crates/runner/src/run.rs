//! A run: plan, then ask, append, observe, until there is nothing left or a reason to stop.

use std::sync::Arc;

use llull_core::{Attempt, Outcome, Verdict};
use llull_store::{JudgeId, JudgmentStore};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    time::Instant,
};

use crate::{
    Cancel, Case, Ended, Event, Judge, JudgeOutcome, Reporter, RunError, RunOptions, RunOutcome, StopReason,
    WaveOutcome, Workload,
    clock::now_ms,
    dispatcher::{Consequence, Dispatcher},
    executor::{Asked, Executor},
    planner::{Plan, Planner, Ticket},
};

/// How many attempts are appended at once, about. Fewer if no more are there: nobody waits for a full batch.
const COMMIT: usize = 4096;

/// Gets an answer from every judge to every question, as far as the ledger does not have it.
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
    waves(runtime, workload, judges, store, options, reporter, cancel, None)
}

/// Like [`run`], for questions that follow from answers: when a wave has ended, `next` is told how, and says what to ask
/// then, until it says `None`. The outcome sums all waves.
///
/// The ledger is read once. Budget, pauses, what a server was found to bear and the reason to stop go on from wave to wave.
/// `next` is also told of a wave in which the run stopped, so that what was answered can be used; no wave follows then,
/// whatever it says. Run again, a plan that depends on nothing but answers replays its waves from the ledger, and asks where
/// it had stopped.
///
/// # Errors
/// As [`run`]. What was answered before is in the ledger.
#[expect(clippy::too_many_arguments, reason = "`run` and the waves that follow")]
pub fn run_waves(
    runtime: &Handle,
    first: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn JudgmentStore,
    options: &RunOptions,
    reporter: &dyn Reporter,
    cancel: &Cancel,
    next: NextWave<'_>,
) -> Result<RunOutcome, RunError> {
    waves(runtime, first, judges, store, options, reporter, cancel, Some(next))
}

/// Says what to ask after a wave; `None` ends the run.
pub type NextWave<'a> = &'a mut dyn FnMut(&WaveOutcome<'_>) -> Option<Arc<Workload>>;

#[expect(clippy::too_many_arguments, reason = "`run` and the waves that follow")]
fn waves(
    runtime: &Handle,
    first: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn JudgmentStore,
    options: &RunOptions,
    reporter: &dyn Reporter,
    cancel: &Cancel,
    mut next: Option<NextWave<'_>>,
) -> Result<RunOutcome, RunError> {
    if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
        return Err(RunError::OneThread);
    }
    let samples = options.samples.get();
    let planner = Planner::new(judges, store, options, next.is_some())?;
    let mut run = Run {
        planner,
        dispatcher: Dispatcher::new(options.clone()),
        executor: Executor::new(runtime.clone(), judges.to_vec(), samples, options.timeout),
        judges,
        workload: Arc::clone(first),
        samples,
        store,
        reporter,
        told: vec![0; judges.len()],
    };
    let mut sum: Vec<JudgeOutcome> = Vec::new();
    let mut wave = 0;
    loop {
        run.begin(wave)?;
        let abandoned = runtime.block_on(run.drive(cancel))?;
        let judges = run.dispatcher.end_wave();
        let following = next.as_mut().and_then(|next| next(&run.ended(wave, &judges)));
        wave += 1;
        if sum.is_empty() {
            sum = judges;
        } else {
            sum.iter_mut().zip(judges).for_each(|(sum, judge)| sum.add(judge));
        }
        match following {
            Some(workload) if run.dispatcher.stopped().is_none() => run.workload = workload,
            _ => return Ok(run.finish(sum, wave, abandoned)),
        }
    }
}

struct Run<'a> {
    planner: Planner<'a>,
    dispatcher: Dispatcher,
    executor: Executor,
    judges: &'a [Arc<dyn Judge>],
    /// The questions of this wave.
    workload: Arc<Workload>,
    samples: u32,
    store: &'a mut dyn JudgmentStore,
    reporter: &'a dyn Reporter,
    /// How many notices of each judge were reported.
    told: Vec<usize>,
}

impl Run<'_> {
    /// Plans the wave, and says so.
    fn begin(&mut self, wave: usize) -> Result<(), RunError> {
        let plans = self.planner.plan(&self.workload, self.store)?;
        let reused = plans.iter().map(|plan| plan.reused).sum();
        self.reporter.event(Event::Wave { wave, questions: self.workload.len(), reused });
        plans.iter().enumerate().for_each(|(judge, plan)| self.reporter.event(planned(judge, plan)));
        self.dispatcher.begin(plans);
        self.executor.begin(Arc::clone(&self.workload));
        Ok(())
    }

    fn ended<'a>(&'a self, wave: usize, judges: &'a [JudgeOutcome]) -> WaveOutcome<'a> {
        let (stopped, spent) = (self.dispatcher.stopped(), self.dispatcher.spent());
        WaveOutcome { wave, workload: &self.workload, judges, stopped, spent }
    }

    fn finish(self, judges: Vec<JudgeOutcome>, waves: usize, abandoned: usize) -> RunOutcome {
        let (stopped, spent) = (self.dispatcher.stopped().cloned(), self.dispatcher.spent());
        let outcome = RunOutcome { judges, waves, stopped, spent, abandoned };
        self.reporter.event(Event::Finished(&outcome));
        outcome
    }

    /// Asks until the wave has ended. Returns how many questions were dropped.
    async fn drive(&mut self, cancel: &Cancel) -> Result<usize, RunError> {
        loop {
            if cancel.is_stopped() {
                self.stop(StopReason::Cancelled);
            }
            self.ask();
            if self.dispatcher.is_done() {
                return Ok(0);
            }
            let wake_at = self.dispatcher.wake_at();
            let landed = tokio::select! {
                biased;
                () = cancel.aborted() => {
                    self.stop(StopReason::Cancelled);
                    return self.abort();
                }
                () = cancel.stopped(), if self.dispatcher.stopped().is_none() => continue,
                landed = self.executor.landed(), if self.dispatcher.in_flight() > 0 => landed,
                () = sleep_until(wake_at), if wake_at.is_some() => continue,
            };
            let Some(landed) = landed else {
                // Whoever owns the runtime has shut it down, and what was in flight will never land.
                self.stop(StopReason::Cancelled);
                return self.abort();
            };
            let batch = self.gather(landed);
            self.commit(batch)?;
        }
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
            self.planner.learn(lane, attempt);
            let consequence = self.dispatcher.observe(lane, ticket, attempt, now);
            self.report(lane, attempt, &consequence);
        }
        self.report_notices();
        Ok(())
    }

    fn record(&self, asked: Asked, at_ms: i64) -> ((usize, Ticket), (JudgeId, Attempt)) {
        let Asked { lane, ticket, answer, latency_ms } = asked;
        let id = self.dispatcher.lane(lane).map_or(JudgeId(0), |lane| lane.id());
        let case = self.workload.case_at((ticket.slot / self.samples) as usize);
        let compared = case.filter(|case| case.document_count() > 1);
        let attempt = Attempt {
            key: ticket.key,
            topic: case.map(|case| case.topic.id.clone()).unwrap_or_default(),
            document: case.map(|case| case.document_id().to_owned()).unwrap_or_default(),
            documents: compared.into_iter().flat_map(Case::document_ids).map(str::to_owned).collect(),
            sample: ticket.slot % self.samples,
            outcome: countable(answer.outcome),
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
                    report(Event::GaveUp { judge, attempt, failure });
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

/// What is not a number is not a probability, and JSON could not keep it.
fn countable(mut outcome: Outcome) -> Outcome {
    if let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &mut outcome
        && !verdict.probabilities.iter().all(|probability| probability.is_finite())
    {
        verdict.probabilities.clear();
    }
    outcome
}

fn planned(judge: usize, plan: &Plan) -> Event<'_> {
    Event::Planned {
        judge,
        name: &plan.name,
        tasks: plan.ends.len(),
        reused: plan.reused,
        shared: plan.shared.len(),
        without_text: plan.ends.iter().filter(|end| matches!(end, Ended::WithoutText)).count(),
    }
}

async fn sleep_until(wake_at: Option<Instant>) {
    if let Some(at) = wake_at {
        tokio::time::sleep_until(at).await;
    }
}
