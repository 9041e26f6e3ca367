//! The driver: runs a plan wave by wave.
//!
//! It sends questions to judges, appends their answers to the ledger and lets the plan observe them, until the plan is
//! done or the run has to stop.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use llull_core::{Attempt, FIRST_RECHECK, Outcome, Status};
use llull_store::{JudgeId, Leases, LedgerWriter, OthersAttempts, StoreError, TaskPlace};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    time::Instant,
};

use crate::{
    batch_channel::batch_key,
    cancel::Cancel,
    clock::now_ms,
    dispatcher::{Batch, Consequence, Dispatcher},
    error::RunError,
    event::{Event, Reporter},
    evidence::Evidence,
    executor::{Asked, Executor},
    index::JudgeIndex,
    judge::Judge,
    judge_queue::JudgeQueue,
    options::{ReadOptions, RunOptions},
    outcome::{JudgeOutcome, RunOutcome, StopReason},
    plan::Plan,
    wave::{JudgeWave, Ticket, plan_wave},
    workload::Workload,
};

/// The approximate number of attempts that are appended at once. Fewer are appended if no more have finished.
const COMMIT: usize = 4096;

/// How often notices about batches are reported.
const NOTICES: Duration = Duration::from_millis(200);

/// How often a run looks for the answers of other runs at the same study.
const LOOK: Duration = Duration::from_secs(1);

/// How often in a row that may fail before the run ends.
const MISSES: u32 = 30;

/// Runs plans: gets an answer from every judge to every question, except those that are in the ledger already.
#[derive(Clone, Copy)]
pub struct Driver<'a> {
    /// The runtime for requests, with worker threads and a timer. The calling thread appends to the ledger and
    /// reports, so [`run`](Self::run) must not be called on a thread of that runtime (use `spawn_blocking` there).
    pub runtime: &'a Handle,
    /// The options of the run.
    pub options: &'a RunOptions,
    /// The receiver of events.
    pub reporter: &'a dyn Reporter,
    /// The switch that stops the run from outside.
    pub cancel: &'a Cancel,
}

impl Driver<'_> {
    /// Runs a plan.
    ///
    /// - Every attempt, failures included, is in the ledger before it counts. To resume a run that was interrupted or
    ///   killed, run it again; only questions that were in flight are sent twice.
    /// - [`RunOptions`] sets retries, pauses and limits. If the run ends early for a [`StopReason`], it waits for
    ///   questions in flight. The results do not depend on the order in which answers arrive.
    /// - Other runs may work on the same questions if the ledger has [`Leases`]: this one sends those that no other run
    ///   has, and waits for the answers to the rest. What other runs spend counts for the
    ///   limits of the study.
    /// - The run takes one pass over the ledger. The budget, pauses, reduced concurrency and the reason to stop carry
    ///   over from wave to wave. The plan observes the wave in which the run stopped, and the run requests no further
    ///   wave.
    ///
    /// If the runtime is shut down during the run, the run ends as if it had been aborted.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or written, two judges are the same, there are too many tasks, or
    /// the runtime has no worker threads.
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
        let _in_progress = self.cancel.run_in_progress();
        let mut abandoned = 0;
        while run.dispatcher.stopped().is_none()
            && let Some(workload) = plan.next()
        {
            let first = run.begin_wave(workload)?;
            abandoned = self.runtime.block_on(run.drive(self.cancel))?;
            run.dispatcher.stop_if_deferred();
            run.end_wave();
            run.evidence.report_wave(plan, first);
        }
        Ok(run.finish(abandoned))
    }
}

/// The state of a run in progress.
struct Run<'a> {
    evidence: Evidence,
    dispatcher: Dispatcher,
    executor: Executor,
    judges: &'a [Arc<dyn Judge>],
    /// The judges' numbers in the ledger.
    ids: Vec<JudgeId>,
    options: &'a RunOptions,
    /// Task counts over the waves so far, by judge.
    sums: Vec<WaveSums>,
    waves: usize,
    /// The tasks of this wave that have the same key as another one, by judge.
    shared: Vec<Vec<TaskPlace>>,
    ledger: &'a mut dyn LedgerWriter,
    /// The leases of a ledger that other runs may write to.
    leases: Option<Arc<dyn Leases>>,
    /// The number of attempts of such a ledger that are known to this run.
    seen: u64,
    /// How often in a row they could not be read.
    misses: u32,
    /// The questions that other runs have.
    elsewhere: Vec<(JudgeIndex, Ticket)>,
    reporter: &'a dyn Reporter,
    /// The notices that were reported, by judge.
    noticed: Vec<BTreeSet<String>>,
}

/// Counts of one judge's tasks that the evidence does not have.
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
        let known: Vec<Option<JudgeId>> = ids.iter().copied().map(Some).collect();
        let samples = options.samples.get();
        let leases = ledger.leases();
        // Counted before they are read: an attempt that is recorded in between is read twice, and none is missed.
        let seen = match &leases {
            Some(_) => ledger.recorded()?,
            None => 0,
        };
        let executor = Executor::new(driver.runtime.clone(), judges.to_vec(), samples, options.timeout);
        Ok(Self {
            evidence: Evidence::begin(ledger, judges, &known, &ReadOptions::from(options))?,
            dispatcher: Dispatcher::new(options.clone()),
            executor: executor.with_leases(leases.clone(), &ids),
            leases,
            seen,
            misses: 0,
            elsewhere: Vec::new(),
            judges,
            ids,
            options,
            sums: vec![WaveSums::default(); judges.len()],
            waves: 0,
            shared: Vec::new(),
            ledger,
            reporter: driver.reporter,
            noticed: vec![BTreeSet::new(); judges.len()],
        })
    }

    /// Plans and reports the next wave. Returns the position of its first task.
    fn begin_wave(&mut self, workload: Arc<Workload>) -> Result<usize, RunError> {
        let samples = self.options.samples.get();
        let (waves, first) = plan_wave(&mut self.evidence, &workload, self.judges, samples)?;
        let reused = waves.iter().map(|wave| wave.reused).sum();
        if self.waves == 0
            && let Some(attempts) = self.options.budget.attempts
        {
            self.reporter.event(Event::Limited { attempts });
        }
        let (questions, again) = (workload.len(), workload.first_sample() >= FIRST_RECHECK);
        self.reporter.event(Event::Wave { wave: self.waves, questions, reused, again });
        for (at, (wave, sum)) in waves.iter().zip(&mut self.sums).enumerate() {
            self.reporter.event(planned(at, wave));
            sum.planned += wave.tasks;
            sum.reused += wave.reused;
        }
        for (judge, (wave, noticed)) in waves.iter().zip(&mut self.noticed).enumerate() {
            let text = format!(
                "{} of its requests were rejected before, and are not sent in batches; llull run without --batch sends \
                 them again",
                wave.left_out
            );
            if wave.left_out > 0 && noticed.insert(text.clone()) {
                self.reporter.event(Event::Notice { judge, text: &text });
            }
        }
        self.waves += 1;
        let elsewhere = &self.options.elsewhere;
        let is_elsewhere = |ticket: &&Ticket| elsewhere.contains(&batch_key(&ticket.key));
        let live = waves.iter().filter(|wave| !wave.in_batches && !wave.in_process && !elsewhere.is_empty());
        let again = live.flat_map(|wave| &wave.todo).filter(is_elsewhere).count();
        if again > 0 {
            self.dispatcher.stop(StopReason::Elsewhere(again));
        }
        self.executor.begin(workload);
        self.shared = waves.iter().map(|wave| wave.shared.clone()).collect();
        self.dispatcher.begin(waves);
        Ok(first)
    }

    /// Counts the tasks that were answered by another task with the same key.
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
            refused: 0,
            gave_up: 0,
            not_asked: 0,
            without_text: 0,
        };
        // A question that a run does not send is not a task.
        let is_task = |status: &Status| judge.is_asked() || status.is_judged();
        for (task, status) in judge.places().zip(judge.tasks()).filter(|(_, status)| is_task(status)) {
            *match status {
                Status::Judged(_) => &mut outcome.judged,
                Status::Refused(_) => &mut outcome.refused,
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
        let stopped_judges = self.dispatcher.stopped_judges().cloned().collect();
        let unanswered = self.dispatcher.unanswered().cloned();
        let evidence = self.evidence;
        let outcome = RunOutcome { evidence, judges, stopped, stopped_judges, unanswered, spent, abandoned };
        reporter.event(Event::Finished(&outcome));
        outcome
    }

    /// Runs the wave to its end. Returns the number of questions that were dropped.
    async fn drive(&mut self, cancel: &Cancel) -> Result<usize, RunError> {
        let mut look_at = Instant::now() + LOOK;
        loop {
            if cancel.is_stopped() {
                self.stop(cancel.reason());
            }
            if let Some(leases) = self.leases.clone().filter(|_| Instant::now() >= look_at) {
                let looked = tokio::select! {
                    biased;
                    () = cancel.aborted() => {
                        self.stop(StopReason::Cancelled);
                        return self.abort();
                    }
                    looked = leases.recorded_by_others(self.seen) => looked,
                };
                match looked {
                    Ok(found) => {
                        self.misses = 0;
                        self.see_others(found);
                    }
                    Err(error) => self.out_of_reach(error)?,
                }
                look_at = Instant::now() + LOOK;
            }
            self.ask();
            if self.dispatcher.is_done() && (self.elsewhere.is_empty() || self.dispatcher.stopped().is_some())
            {
                self.elsewhere.clear();
                return Ok(0);
            }
            let mut wake_at = self.dispatcher.wake_at();
            if self.leases.is_some() {
                wake_at = Some(wake_at.map_or(look_at, |at| at.min(look_at)));
            }
            if self.judges.iter().any(|judge| judge.in_batches()) {
                // A batch takes hours: what is known of it is reported meanwhile.
                self.report_notices();
                let soon = Instant::now() + NOTICES;
                wake_at = Some(wake_at.map_or(soon, |at| at.min(soon)));
            }
            let finished = tokio::select! {
                biased;
                () = cancel.aborted() => {
                    self.stop(StopReason::Cancelled);
                    return self.abort();
                }
                () = cancel.stopped(), if self.dispatcher.stopped().is_none() => continue,
                finished = self.executor.finished(), if self.dispatcher.in_flight() > 0 => finished,
                () = sleep_until(wake_at), if wake_at.is_some() => continue,
            };
            let Some(finished) = finished else {
                // The runtime was shut down, so questions in flight will never finish.
                self.stop(StopReason::Cancelled);
                return self.abort();
            };
            let batch = self.gather(finished);
            self.commit(batch)?;
        }
    }

    /// Sends all questions that may be sent now.
    fn ask(&mut self) {
        let before = self.dispatcher.stopped().is_some();
        let now = Instant::now();
        while let Some(mut batch) = self.dispatcher.next(now) {
            if self.leases.is_some() {
                self.leave_answered(&mut batch);
                if batch.tickets.is_empty() {
                    continue;
                }
            }
            self.executor.start(batch, self.seen);
        }
        for (judge, limit, pause) in self.dispatcher.take_waits() {
            self.reporter.event(Event::Waiting { judge: judge.0, limit: &limit, pause });
        }
        if !before {
            self.report_stop();
        }
    }

    /// Removes the questions that another run has answered meanwhile.
    fn leave_answered(&mut self, batch: &mut Batch) {
        let (dispatcher, judge, now) = (&mut self.dispatcher, batch.judge, Instant::now());
        let Some(evidence) = self.evidence.judges().get(judge.0) else { return };
        batch.tickets.retain_mut(|ticket| {
            let is_open = evidence.is_open(evidence.status_at(ticket.place));
            if !is_open {
                dispatcher.not_sent(judge, ticket, now);
            }
            is_open
        });
    }

    /// Takes in what other runs have recorded, and goes on with the questions that they had.
    fn see_others(&mut self, (attempts, seen): OthersAttempts) {
        self.seen = seen;
        let now = Instant::now();
        for (id, attempt) in &attempts {
            let judge = self.ids.iter().position(|known| known == id).map(JudgeIndex);
            self.dispatcher.observe_other_run(judge, attempt, now);
            let Some(judge) = judge else { continue };
            if let Some(log) = self.evidence.log_mut(judge) {
                log.add(attempt);
            }
            if let Outcome::Judged { .. } = attempt.answer.outcome {
                self.reporter.event(Event::Judged { judge: judge.0, attempt });
            }
        }
        for (judge, ticket) in std::mem::take(&mut self.elsewhere) {
            let evidence = self.evidence.judges().get(judge.0);
            if evidence.is_some_and(|judge| judge.is_open(judge.status_at(ticket.place))) {
                self.dispatcher.put_back(judge, ticket);
            }
        }
    }

    /// Counts a failure to read what other runs have recorded.
    ///
    /// # Errors
    /// Returns it, once the ledger was out of reach for too long. What has finished until then is recorded, or lost
    /// with the ledger.
    fn out_of_reach(&mut self, error: StoreError) -> Result<(), RunError> {
        self.misses += 1;
        if self.misses < MISSES {
            return Ok(());
        }
        let finished = self.gather(Vec::new());
        self.commit(finished)?;
        Err(error.into())
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

    /// Records the questions that have finished and drops the rest. Returns the number of dropped questions.
    fn abort(&mut self) -> Result<usize, RunError> {
        loop {
            let finished = self.gather(Vec::new());
            if finished.is_empty() {
                break;
            }
            self.commit(finished)?;
        }
        self.executor.abort();
        Ok(self.dispatcher.in_flight())
    }

    fn gather(&mut self, mut batch: Vec<Asked>) -> Vec<Asked> {
        while batch.len() < COMMIT
            && let Some(finished) = self.executor.try_finished()
        {
            batch.extend(finished);
        }
        batch
    }

    /// Appends attempts to the ledger, then updates the state, then reports them.
    fn commit(&mut self, batch: Vec<Asked>) -> Result<(), RunError> {
        let at_ms = now_ms();
        let (mut tickets, mut attempts) = (Vec::new(), Vec::new());
        for Asked { judge, mut ticket, attempt } in batch {
            let Some(attempt) = attempt else {
                let in_batches = self.judges.get(judge.0).is_some_and(|judge| judge.in_batches());
                if in_batches || self.leases.is_none() {
                    self.dispatcher.defer(judge, &ticket);
                } else {
                    self.dispatcher.not_sent(judge, &mut ticket, Instant::now());
                    self.elsewhere.push((judge, ticket));
                }
                continue;
            };
            let id = self.ids.get(judge.0).copied().unwrap_or(JudgeId(0));
            tickets.push((judge, ticket));
            attempts.push((id, Attempt { at_ms, ..attempt }));
        }
        if let Err(source) = self.ledger.append(&attempts) {
            self.executor.abort();
            return Err(RunError::Append { source: Box::new(source), lost: self.dispatcher.in_flight() });
        }
        let now = Instant::now();
        for ((judge, ticket), (_, attempt)) in tickets.into_iter().zip(&attempts) {
            if let Some(log) = self.evidence.log_mut(judge) {
                log.add(attempt);
            }
            let counts = self.could_answer(judge, attempt);
            let consequence = self.dispatcher.observe_reply(judge, ticket, attempt, counts, now);
            self.report(judge.0, attempt, &consequence);
        }
        for (judge, asked) in self.judges.iter().enumerate() {
            if let Some((account, limits)) = asked.limits() {
                self.dispatcher.state_limits(JudgeIndex(judge), account, limits);
            }
        }
        self.report_notices();
        Ok(())
    }

    /// Returns whether the judge could have answered: a file of labels cannot about other documents.
    fn could_answer(&self, judge: JudgeIndex, attempt: &Attempt) -> bool {
        let first = std::iter::once(&attempt.document).filter(|_| attempt.documents.is_empty());
        let mut documents = first.chain(&attempt.documents);
        self.judges
            .get(judge.0)
            .is_none_or(|judge| documents.all(|document| judge.knows(&attempt.topic, document)))
    }

    fn report(&self, judge: usize, attempt: &Attempt, consequence: &Consequence) {
        let report = |event| self.reporter.event(event);
        match &attempt.answer.outcome {
            Outcome::Judged { .. } => report(Event::Judged { judge, attempt }),
            Outcome::Unusable(unusable) if unusable.reason.is_refusal() => {
                report(Event::Refused { judge, attempt });
            }
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
        let queue = self.dispatcher.queue(JudgeIndex(judge)).filter(|_| consequence.stops_judge);
        if let Some(stop) = queue.and_then(JudgeQueue::stopped) {
            report(Event::JudgeStopped { judge, stop });
        }
        if consequence.stops {
            self.report_stop();
        }
    }

    fn report_notices(&mut self) {
        for (judge, (asked, noticed)) in self.judges.iter().zip(&mut self.noticed).enumerate() {
            if !asked.in_process() {
                for text in asked.notices() {
                    if !noticed.contains(&text) {
                        self.reporter.event(Event::Notice { judge, text: &text });
                        noticed.insert(text);
                    }
                }
            }
        }
    }
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
