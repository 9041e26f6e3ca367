//! Each judge's tasks of a wave that still need a request.

use std::{collections::VecDeque, sync::Arc};

use llull_core::{Reason, Scope, Status, TaskKey};
use llull_store::TaskPlace;
use rustc_hash::FxHashSet;

use crate::{
    account_limits::AccountLimits,
    error::EvidenceError,
    evidence::{Evidence, WaveTask},
    index::TopicIndex,
    judge::Judge,
    judge_evidence::JudgeEvidence,
    workload::Workload,
};

/// A task that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// The position in the wave: the question's position times the number of samples, plus the sample.
    pub(crate) slot: u32,
    /// The number of failures since the last answer.
    pub(crate) failures: u32,
    /// The number of unusable answers so far, over all runs.
    pub(crate) unusable: u32,
    /// The number of attempts so far, over all runs; only counted for a judge in batches.
    pub(crate) attempts: u32,
    /// The task's key.
    pub(crate) key: TaskKey,
    /// The task's place in the judge's log.
    pub(crate) place: TaskPlace,
    /// The query.
    pub(crate) topic: TopicIndex,
    /// Its turn among the tasks that this run has started.
    pub(crate) turn: Option<u32>,
}

/// A task that was answered in an earlier run: its query, and why and how often unusably, or a verdict (`None`).
pub(crate) type Answered = (TopicIndex, Option<(Reason, u32)>);

/// One judge's tasks of one wave.
#[derive(Debug, Default)]
pub(crate) struct JudgeWave {
    pub(crate) name: String,
    pub(crate) in_process: bool,
    /// Whether all its questions are sent at once.
    pub(crate) in_batches: bool,
    /// Whether one is sent by itself until it is answered.
    pub(crate) one_first: bool,
    pub(crate) concurrency: usize,
    /// The account whose limits the user sets. The limits of batches are others.
    pub(crate) set_limits: Option<(String, AccountLimits)>,
    /// The tasks to ask, query by query.
    pub(crate) todo: VecDeque<Ticket>,
    /// The number of times that a question is repeated after unusable answers.
    pub(crate) reask: u32,
    /// The number of tasks that are not sent in batches, because their requests were rejected before.
    pub(crate) left_out: usize,
    /// The number of all tasks; for a judge that gets no requests, of those with an answer.
    pub(crate) tasks: usize,
    /// The number of tasks whose answer is in the ledger.
    pub(crate) reused: usize,
    /// The tasks with the same key as an earlier one of the wave.
    pub(crate) shared: Vec<TaskPlace>,
    /// The number of tasks with a document whose text is missing.
    pub(crate) without_text: usize,
    /// The tasks before the first to ask that were answered in an earlier run, query by query.
    pub(crate) history: Vec<Answered>,
}

/// Adds a wave to the evidence. Returns each judge's tasks, and the position of the wave's first task.
pub(crate) fn plan_wave(
    evidence: &mut Evidence,
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    samples: u32,
) -> Result<(Vec<JudgeWave>, usize), EvidenceError> {
    let tasks = workload.len() * samples as usize;
    let mut waves: Vec<JudgeWave> = judges
        .iter()
        .zip(evidence.judges())
        .map(|(judge, evidence)| JudgeWave::new(&**judge, tasks, evidence.reask()))
        .collect();
    let mut asked: Vec<FxHashSet<TaskPlace>> = vec![FxHashSet::default(); judges.len()];
    let first = evidence.add_wave(workload, judges, |judge, at, task| {
        let (Some(wave), Some(asked)) = (waves.get_mut(at.0), asked.get_mut(at.0)) else { return };
        wave.without_text -= 1;
        let topic = workload.question((task.slot / samples) as usize).map(|question| question.topic);
        let status = judge.status_at(task.place);
        match judge.is_asked() || status.is_judged() {
            true => wave.add(task, topic.unwrap_or(TopicIndex(0)), status, asked),
            // No run sends this question: it is not a task.
            false => wave.tasks -= 1,
        }
    })?;
    for (wave, judge) in waves.iter_mut().zip(evidence.judges()) {
        // Sorted by query, so that servers can cache the common beginning of prompts. Requests that were rejected
        // before come last: if they came first, each run would be stopped by them.
        let rejected =
            |place| matches!(judge.status_at(place), Status::Failed(kind) if kind.scope() == Scope::Task);
        wave.todo.make_contiguous().sort_by_cached_key(|ticket| (rejected(ticket.place), ticket.topic));
        if wave.in_batches {
            // A wave of batches is over once each request has a reply or was rejected: it is not sent a second time.
            let before = wave.todo.len();
            wave.todo.retain(|ticket| !rejected(ticket.place));
            wave.left_out = before - wave.todo.len();
            let counts = judge.attempt_counts();
            for ticket in &mut wave.todo {
                ticket.attempts = counts.get(&ticket.place).copied().unwrap_or(0);
            }
        }
        wave.history = history(wave, judge, first, workload, samples);
    }
    Ok((waves, first))
}

/// Returns the answered tasks of a wave before the first that needs a request.
fn history(
    wave: &JudgeWave,
    judge: &JudgeEvidence,
    first: usize,
    workload: &Workload,
    samples: u32,
) -> Vec<Answered> {
    let Some(next) = wave.todo.front() else { return Vec::new() };
    let (samples, mut before) = (samples as usize, Vec::new());
    for (slot, question) in workload.questions().enumerate() {
        for slot in slot * samples..(slot + 1) * samples {
            let answered = match judge.task(first + slot) {
                Status::Judged(_) => None,
                Status::Unusable { reason, times } => Some((*reason, *times)),
                // A refusal is no evidence about the judge.
                Status::Refused(_) | Status::Failed(_) | Status::NotAsked | Status::WithoutText => continue,
            };
            if (question.topic, slot) < (next.topic, next.slot as usize) {
                before.push((question.topic, answered));
            }
        }
    }
    before.sort_by_key(|(topic, _)| *topic);
    before
}

impl JudgeWave {
    /// Creates a wave of `tasks` tasks. All of them count as without text until they are added.
    fn new(judge: &dyn Judge, tasks: usize, reask: u32) -> Self {
        Self {
            name: judge.name().to_owned(),
            in_process: judge.in_process(),
            in_batches: judge.in_batches(),
            one_first: judge.asks_one_first(),
            concurrency: judge.concurrency().max(1),
            set_limits: judge
                .set_limits()
                .filter(|_| !judge.in_batches())
                .map(|(account, limits)| (account.to_owned(), limits)),
            todo: VecDeque::new(),
            reask,
            left_out: 0,
            tasks,
            reused: 0,
            shared: Vec::new(),
            without_text: tasks,
            history: Vec::new(),
        }
    }

    fn add(&mut self, task: WaveTask, topic: TopicIndex, status: &Status, asked: &mut FxHashSet<TaskPlace>) {
        if !status.is_open(self.reask) {
            self.reused += 1;
        } else if !asked.insert(task.place) {
            self.shared.push(task.place);
        } else {
            let unusable = match status {
                Status::Unusable { times, .. } => *times,
                _ => 0,
            };
            let WaveTask { slot, key, place } = task;
            let ticket = Ticket { slot, failures: 0, unusable, attempts: 0, key, place, topic, turn: None };
            self.todo.push_back(ticket);
        }
    }
}
