//! The driver: runs any plan, wave by wave. It asks, appends and observes until nothing is left or there is a reason to
//! stop.

use std::sync::Arc;

use llull_core::{Attempt, JudgeSpec, Outcome, Paradigm, Reason, Status, Unusable, Verdict};
use llull_store::{JudgeId, LedgerWriter, TaskPlace};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    time::Instant,
};

use crate::{
    cancel::Cancel,
    case::Case,
    clock::now_ms,
    dispatcher::{Consequence, Dispatcher},
    error::RunError,
    event::{Event, Reporter},
    evidence::{Evidence, ReadOptions},
    executor::{Asked, Executor},
    index::JudgeIndex,
    judge::Judge,
    options::RunOptions,
    outcome::{JudgeOutcome, RunOutcome, StopReason},
    plan::Plan,
    wave::{JudgeWave, Ticket, plan_wave},
    workload::Workload,
};

/// How many attempts are appended at once, about. Fewer if no more are there: nobody waits for a full batch.
const COMMIT: usize = 4096;

/// Runs plans: gets an answer from every judge to every question, as far as the ledger does not have it.
#[derive(Clone, Copy)]
pub struct Driver<'a> {
    /// Where judges are asked: a runtime with threads of its own and a timer. The calling thread appends to the ledger and
    /// reports, so [`run`](Self::run) must not be called on a thread of that runtime (use `spawn_blocking` there).
    pub runtime: &'a Handle,
    /// How the run is to be done.
    pub options: &'a RunOptions,
    /// Where events go.
    pub reporter: &'a dyn Reporter,
    /// What may stop it from outside.
    pub cancel: &'a Cancel,
}

impl Driver<'_> {
    /// Runs a plan.
    ///
    /// - An attempt is in the ledger before it counts, failures included. A run that was interrupted, or killed, is
    ///   resumed by running it again; only what was in flight is asked twice.
    /// - Retries, pauses and limits are as [`RunOptions`] says; what ends a run early is a [`StopReason`], and what is
    ///   in flight then is waited for. The results do not depend on the order in which answers arrive.
    /// - The ledger is passed over once. Budget, pauses, what a server was found to bear and the reason to stop go on from
    ///   wave to wave. The plan observes a wave in which the run stopped, too; it is not asked for another one then.
    ///
    /// If the runtime is shut down meanwhile, the run ends as if it had been aborted.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or written, two judges are the same, there are too many tasks, or the
    /// runtime has no threads of its own.
    pub fn run(
        &self,
        plan: &mut dyn Plan,
        judges: &[Arc<dyn Judge>],
        ledger: &mut dyn LedgerWriter,
    ) -> Result<RunOutcome, RunError> {
        if self.runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
            return Err(RunError::OneThread);
        }
        let mut run = Run::begin(self, judges, ledger)?;
        let mut abandoned = 0;
        while run.dispatcher.stopped().is_none()
            && let Some(workload) = plan.next()
        {
            let first = run.begin_wave(workload)?;
            abandoned = self.runtime.block_on(run.drive(self.cancel))?;
            run.end_wave();
            run.evidence.tell(plan, first);
        }
        Ok(run.finish(abandoned))
    }
}

/// A run under way.
struct Run<'a> {
    evidence: Evidence,
    dispatcher: Dispatcher,
    executor: Executor,
    judges: &'a [Arc<dyn Judge>],
    /// The judges' numbers in the ledger.
    ids: Vec<JudgeId>,
    /// The questions of this wave.
    workload: Arc<Workload>,
    options: &'a RunOptions,
    /// What the waves so far had, judge by judge.
    sums: Vec<WaveSums>,
    waves: usize,
    /// This wave's tasks that ask the same as another one, judge by judge.
    shared: Vec<Vec<TaskPlace>>,
    ledger: &'a mut dyn LedgerWriter,
    reporter: &'a dyn Reporter,
    /// How many notices of each judge were reported.
    noticed: Vec<usize>,
}

/// What only the run knows of a judge's tasks.
#[derive(Debug, Clone, Copy, Default)]
struct WaveSums {
    planned: usize,
    reused: usize,
    shared: usize,
}

impl<'a> Run<'a> {
    /// Registers the judges and reads the ledger.
    fn begin(
        driver: &Driver<'a>,
        judges: &'a [Arc<dyn Judge>],
        ledger: &'a mut dyn LedgerWriter,
    ) -> Result<Self, RunError> {
        let options = driver.options;
        let mut ids = Vec::with_capacity(judges.len());
        for judge in judges {
            ids.push(ledger.register(judge.name(), judge.spec())?);
        }
        let read = ReadOptions { samples: options.samples, reask: options.reask, detail: options.detail };
        let known: Vec<Option<JudgeId>> = ids.iter().copied().map(Some).collect();
        let samples = options.samples.get();
        Ok(Self {
            evidence: Evidence::begin(ledger, judges, &known, &read)?,
            dispatcher: Dispatcher::new(options.clone()),
            executor: Executor::new(driver.runtime.clone(), judges.to_vec(), samples, options.timeout),
            judges,
            ids,
            workload: Arc::default(),
            options,
            sums: vec![WaveSums::default(); judges.len()],
            waves: 0,
            shared: Vec::new(),
            ledger,
            reporter: driver.reporter,
            noticed: vec![0; judges.len()],
        })
    }

    /// Plans the wave, and says so. Returns the position of its first task.
    fn begin_wave(&mut self, workload: Arc<Workload>) -> Result<usize, RunError> {
        let (samples, reask) = (self.options.samples.get(), self.options.reask);
        let (waves, first) = plan_wave(&mut self.evidence, &workload, self.judges, samples, reask)?;
        let reused = waves.iter().map(|wave| wave.reused).sum();
        self.reporter.event(Event::Wave { wave: self.waves, questions: workload.len(), reused });
        for (at, (wave, sum)) in waves.iter().zip(&mut self.sums).enumerate() {
            self.reporter.event(planned(at, wave));
            sum.planned += wave.tasks;
            sum.reused += wave.reused;
        }
        self.waves += 1;
        self.workload = Arc::clone(&workload);
        self.executor.begin(workload);
        self.shared = waves.iter().map(|wave| wave.shared.clone()).collect();
        self.dispatcher.begin(waves);
        Ok(first)
    }

    /// Counts the tasks that another one has answered.
    fn end_wave(&mut self) {
        let judges = self.evidence.judges().iter().zip(&self.shared);
        for (sum, (judge, shared)) in self.sums.iter_mut().zip(judges) {
            sum.shared += shared.iter().filter(|task| !judge.is_open(judge.status_at(**task))).count();
        }
    }

    fn outcome(&self, at: usize) -> Option<JudgeOutcome> {
        let (judge, sums) = (self.evidence.judges().get(at)?, self.sums.get(at)?);
        let gave_up = |task: &Option<TaskPlace>| {
            task.is_some_and(|task| {
                self.dispatcher.queue(JudgeIndex(at)).is_some_and(|queue| queue.has_given_up(task))
            })
        };
        let mut outcome = JudgeOutcome {
            name: judge.name().to_owned(),
            planned: sums.planned,
            reused: sums.reused,
            shared: sums.shared,
            judged: 0,
            unusable: 0,
            gave_up: 0,
            not_asked: 0,
            without_text: 0,
        };
        for (task, status) in judge.places().zip(judge.tasks()) {
            *match status {
                Status::Judged(_) => &mut outcome.judged,
                Status::WithoutText => &mut outcome.without_text,
                open if judge.is_open(open) && gave_up(&task) => &mut outcome.gave_up,
                open if judge.is_open(open) => &mut outcome.not_asked,
                _ => &mut outcome.unusable,
            } += 1;
        }
        Some(outcome)
    }

    fn finish(self, abandoned: usize) -> RunOutcome {
        let (stopped, spent) = (self.dispatcher.stopped().cloned(), self.dispatcher.spent());
        let judges = (0..self.judges.len()).filter_map(|at| self.outcome(at)).collect();
        let reporter = self.reporter;
        let outcome = RunOutcome { evidence: self.evidence, judges, stopped, spent, abandoned };
        reporter.event(Event::Finished(&outcome));
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
                // The runtime was shut down, and what was in flight will never land.
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
        if let Err(source) = self.ledger.append(&attempts) {
            self.executor.abort();
            return Err(RunError::Append { source, lost: self.dispatcher.in_flight() });
        }
        let now = Instant::now();
        for ((judge, ticket), (_, attempt)) in tickets.into_iter().zip(&attempts) {
            if let Some(log) = self.evidence.log_mut(judge) {
                log.add(attempt);
            }
            let consequence = self.dispatcher.observe(judge, ticket, attempt, now);
            self.report(judge.0, attempt, &consequence);
        }
        self.report_notices();
        Ok(())
    }

    fn record(&self, asked: Asked, at_ms: i64) -> ((JudgeIndex, Ticket), (JudgeId, Attempt)) {
        let Asked { judge, ticket, answer, latency_ms } = asked;
        let id = self.ids.get(judge.0).copied().unwrap_or(JudgeId(0));
        let samples = self.options.samples.get();
        let case = self.workload.case_at((ticket.slot / samples) as usize);
        let compared = case.filter(|case| case.document_count() > 1);
        let spec = self.judges.get(judge.0).map(|judge| judge.spec());
        let shows = case.map_or(0, Case::document_count);
        let attempt = Attempt {
            key: ticket.key,
            topic: case.map(|case| case.topic.id.clone()).unwrap_or_default(),
            document: case.map(|case| case.document_id().to_owned()).unwrap_or_default(),
            documents: compared.into_iter().flat_map(Case::document_ids).map(str::to_owned).collect(),
            sample: ticket.slot % samples,
            outcome: match spec {
                Some(spec) => checked(answer.outcome, spec, shows),
                None => answer.outcome,
            },
            reply: answer.reply,
            model: answer.model,
            usage: answer.usage,
            // What is not a number is not a price.
            cost_usd: answer.cost_usd.filter(|cost| cost.is_finite()),
            latency_ms,
            tokens_cut: answer.tokens_cut,
            at_ms,
        };
        ((judge, ticket), (id, attempt))
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
        for (judge, (asked, noticed)) in self.judges.iter().zip(&mut self.noticed).enumerate() {
            if !asked.in_process() {
                let notices = asked.notices();
                for text in notices.iter().skip(*noticed) {
                    self.reporter.event(Event::Notice { judge, text });
                }
                *noticed = notices.len();
            }
        }
    }
}

/// Checks a verdict against what was asked: a judge of the user's own may return anything.
fn checked(mut outcome: Outcome, spec: &JudgeSpec, shows: usize) -> Outcome {
    let Outcome::Judged { verdict } = &mut outcome else { return outcome };
    let unusable = |reason, detail| Outcome::Unusable(Unusable { reason, detail });
    match verdict {
        Verdict::Graded(_) | Verdict::Compared(_)
            if is_graded(verdict) != (spec.paradigm == Paradigm::Graded) =>
        {
            unusable(Reason::WrongShape, format!("not a verdict of a {} judge", spec.paradigm.name()))
        }
        Verdict::Graded(verdict) if !spec.scale.contains(verdict.grade) => {
            let (low, high) = (spec.scale.low(), spec.scale.high());
            unusable(
                Reason::OutOfRange,
                format!("grade {} is not on the scale {low} to {high}", verdict.grade),
            )
        }
        Verdict::Graded(_) => outcome,
        Verdict::Compared(verdict) => {
            // What is not a number is not a probability, and JSON could not keep it.
            if !verdict.probabilities.iter().all(|probability| probability.is_finite()) {
                verdict.probabilities.clear();
            }
            match verdict.check(shows) {
                Ok(()) => outcome,
                Err(error) => unusable(Reason::NotAnOrder, error.to_string()),
            }
        }
    }
}

fn is_graded(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Graded(_))
}

fn planned(judge: usize, wave: &JudgeWave) -> Event<'_> {
    Event::Planned {
        judge,
        name: &wave.name,
        tasks: wave.tasks,
        reused: wave.reused,
        shared: wave.shared.len(),
        without_text: wave.without_text,
    }
}

async fn sleep_until(wake_at: Option<Instant>) {
    if let Some(at) = wake_at {
        tokio::time::sleep_until(at).await;
    }
}
