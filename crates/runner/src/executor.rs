//! The executor: sends requests concurrently, checks verdicts and makes attempts of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use llull_core::{
    Answer, Attempt, Failure, FailureKind, JudgeSpec, Outcome, Paradigm, Reason, Unusable, Verdict,
};
use llull_store::{JudgeId, Leases};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::{runtime::Handle, task::JoinSet, time::Instant};

use crate::{
    batch_channel::batch_id,
    case::Case,
    dispatcher::Batch,
    index::JudgeIndex,
    judge::{BatchQuestion, Judge},
    wave::Ticket,
    workload::Workload,
};

/// A task and the attempt at it, which has no time of recording yet; `None` for a question of a batch without an answer
/// yet, and for one that another run has.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) judge: JudgeIndex,
    pub(crate) ticket: Ticket,
    pub(crate) attempt: Option<Attempt>,
}

/// The questions in flight.
pub(crate) struct Executor {
    runtime: Handle,
    workload: Arc<Workload>,
    judges: Vec<Arc<dyn Judge>>,
    samples: u32,
    timeout: Duration,
    /// The leases of a ledger that other runs may write to, and the judges' numbers there.
    leases: Option<(Arc<dyn Leases>, Vec<JudgeId>)>,
    in_flight: JoinSet<Vec<Asked>>,
    /// The answers to parts of batches whose other questions are in flight.
    parts: (UnboundedSender<Vec<Asked>>, UnboundedReceiver<Vec<Asked>>),
}

impl Executor {
    pub(crate) fn new(runtime: Handle, judges: Vec<Arc<dyn Judge>>, samples: u32, timeout: Duration) -> Self {
        let (workload, in_flight, parts) = (Arc::default(), JoinSet::new(), unbounded_channel());
        Self { runtime, workload, judges, samples, timeout, leases: None, in_flight, parts }
    }

    /// Takes a lease of each question before it is sent. `ids` are the judges' numbers in the ledger.
    pub(crate) fn with_leases(self, leases: Option<Arc<dyn Leases>>, ids: &[JudgeId]) -> Self {
        Self { leases: leases.map(|leases| (leases, ids.to_vec())), ..self }
    }

    /// Sets the questions of the next wave.
    pub(crate) fn begin(&mut self, workload: Arc<Workload>) {
        self.workload = workload;
    }

    /// Starts asking the questions of a batch, one after the other, concurrently with other batches. The run knows the
    /// first `seen` attempts of the ledger.
    pub(crate) fn start(&mut self, batch: Batch, seen: u64) {
        let Some(judge) = self.judges.get(batch.judge.0).cloned() else { return };
        let (workload, samples, timeout) = (Arc::clone(&self.workload), self.samples, self.timeout);
        let leases = self.leases.as_ref().filter(|_| !judge.in_process());
        let leases = leases.and_then(|(leases, ids)| Some((Arc::clone(leases), *ids.get(batch.judge.0)?)));
        let parts = self.parts.0.clone();
        let ask_all = async move {
            if judge.in_batches() {
                return ask_all(batch, judge.as_ref(), &workload, samples, &parts).await;
            }
            let mut asked = Vec::with_capacity(batch.tickets.len());
            for ticket in batch.tickets {
                let taken = match &leases {
                    Some((leases, id)) => leases.take(*id, ticket.key, seen).await,
                    None => Ok(true),
                };
                asked.push(match taken {
                    Ok(true) => ask(batch.judge, ticket, judge.as_ref(), &workload, samples, timeout).await,
                    // A ledger that cannot be reached is an error of the driver, which looks at it, too.
                    Ok(false) | Err(_) => Asked { judge: batch.judge, ticket, attempt: None },
                });
            }
            asked
        };
        self.in_flight.spawn_on(ask_all, &self.runtime);
    }

    /// Waits for the next batch, or a part of one, to finish. Returns `None` if nothing is in flight or the runtime is
    /// shut down.
    pub(crate) async fn finished(&mut self) -> Option<Vec<Asked>> {
        loop {
            let asked = tokio::select! {
                biased;
                part = self.parts.1.recv() => part,
                joined = self.in_flight.join_next() => unwrap_batch(joined?),
            }?;
            // Empty if all of a batch came in parts.
            if !asked.is_empty() {
                return Some(asked);
            }
        }
    }

    /// Returns a batch that has finished already, or a part of one, if there is one.
    pub(crate) fn try_finished(&mut self) -> Option<Vec<Asked>> {
        if let Ok(part) = self.parts.1.try_recv() {
            return Some(part);
        }
        loop {
            let asked = unwrap_batch(self.in_flight.try_join_next()?)?;
            if !asked.is_empty() {
                return Some(asked);
            }
        }
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
        return not_in_workload(at, ticket);
    };
    let sample = workload.first_sample() + ticket.slot % samples;
    let asking = judge.ask(case, sample);
    let start = Instant::now();
    let answer = if judge.in_process() {
        asking.await
    } else {
        tokio::time::timeout(timeout, asking).await.unwrap_or_else(|_| {
            let limit = timeout.as_secs_f64();
            Failure::new(FailureKind::Timeout, format!("no answer within {limit} s")).into()
        })
    };
    let latency_ms = u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX);
    let attempt = Attempt { latency_ms, ..attempt(&ticket, case, sample, answer, judge.spec()) };
    Asked { judge: at, ticket, attempt: Some(attempt) }
}

/// Asks the questions of a batch together, and hands on parts of the answers as they arrive. They have no latency: a
/// batch may take days. Returns the questions without an answer.
async fn ask_all(
    batch: Batch,
    judge: &dyn Judge,
    workload: &Workload,
    samples: u32,
    parts: &UnboundedSender<Vec<Asked>>,
) -> Vec<Asked> {
    let (at, mut asked) = (batch.judge, Vec::new());
    let (mut open, mut questions) = (Vec::new(), Vec::new());
    for ticket in batch.tickets {
        let Some(case) = workload.case_at((ticket.slot / samples) as usize) else {
            asked.push(not_in_workload(at, ticket));
            continue;
        };
        let sample = workload.first_sample() + ticket.slot % samples;
        questions.push(BatchQuestion { case, sample, id: batch_id(&ticket.key, ticket.attempts) });
        open.push(Some((ticket, case, sample)));
    }
    let open = Mutex::new(open);
    let arrived = |answers: Vec<(usize, Answer)>| {
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        let take = |(place, answer): (usize, Answer)| {
            let (ticket, case, sample) = open.get_mut(place)?.take()?;
            let attempt = Some(attempt(&ticket, case, sample, answer, judge.spec()));
            Some(Asked { judge: at, ticket, attempt })
        };
        let part: Vec<Asked> = answers.into_iter().filter_map(take).collect();
        if !part.is_empty() {
            // It fails only if the run is over.
            let _ = parts.send(part);
        }
    };
    judge.ask_all(questions, &arrived).await;
    let open = open.into_inner().unwrap_or_else(PoisonError::into_inner);
    asked.extend(open.into_iter().flatten().map(|(ticket, ..)| Asked { judge: at, ticket, attempt: None }));
    asked
}

fn not_in_workload(judge: JudgeIndex, ticket: Ticket) -> Asked {
    let failure = Failure::new(FailureKind::Rejected, "the task is not in the workload");
    Asked { judge, attempt: Some(Attempt::new(ticket.key, failure)), ticket }
}

fn attempt(ticket: &Ticket, case: Case<'_>, sample: u32, mut answer: Answer, spec: &JudgeSpec) -> Attempt {
    answer.outcome = checked(refusals_recorded(answer.outcome), spec, case.document_count());
    // JSON cannot hold NaN or infinity.
    answer.cost_usd = answer.cost_usd.filter(|cost| cost.is_finite());
    let reader = llull_judge::READER_VERSION;
    Attempt { sample, reader, ..case.attempt(ticket.key, answer) }
}

/// Records a refusal of one question as an unusable answer. As a failure, every run would send it again, and enough of
/// them would stop the judge.
fn refusals_recorded(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failed(failure) => match failure.kind.refusal() {
            Some(reason) => Outcome::Unusable(Unusable { reason, detail: failure.message }),
            None => Outcome::Failed(failure),
        },
        other => other,
    }
}

/// Checks a verdict against the question, since a user's implementation of a judge may return anything. Returns an
/// unusable outcome if the verdict is not an answer to the question.
fn checked(mut outcome: Outcome, spec: &JudgeSpec, shown: usize) -> Outcome {
    let Outcome::Judged { verdict } = &mut outcome else { return outcome };
    let unusable = |reason, detail| Outcome::Unusable(Unusable { reason, detail });
    if matches!(verdict, Verdict::Graded(_)) != (spec.paradigm == Paradigm::Graded) {
        return unusable(Reason::WrongShape, format!("not a verdict of a {} judge", spec.paradigm.name()));
    }
    match verdict {
        Verdict::Graded(verdict) if !spec.scale.contains(verdict.grade) => unusable(
            Reason::OutOfRange,
            format!("grade {} is not on the scale {}", verdict.grade, spec.scale),
        ),
        Verdict::Graded(verdict) => {
            // JSON cannot hold NaN or infinity.
            if verdict.expected_grade(spec.scale).is_none_or(|grade| !grade.is_finite()) {
                verdict.probabilities.clear();
            }
            outcome
        }
        Verdict::Compared(verdict) => {
            // JSON cannot hold NaN or infinity.
            if !verdict.probabilities.iter().all(|probability| probability.is_finite()) {
                verdict.probabilities.clear();
            }
            match verdict.check(shown) {
                Ok(()) => outcome,
                Err(error) if spec.paradigm == Paradigm::Pairwise => {
                    unusable(Reason::NotAChoice, error.to_string())
                }
                Err(error) => unusable(Reason::NotAnOrder, error.to_string()),
            }
        }
    }
}
