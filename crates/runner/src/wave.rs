//! What there is to ask in a wave: each judge's tasks, less what the ledger answers and what asks the same twice.

use std::{collections::VecDeque, sync::Arc};

use llull_core::{Status, TaskKey};
use llull_store::TaskPlace;
use rustc_hash::FxHashSet;

use crate::{
    evidence::{Evidence, EvidenceError, WaveTask},
    judge::Judge,
    workload::Workload,
};

/// A task on its way to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// Its position in the wave: that of its question times the number of samples, plus the sample.
    pub(crate) slot: u32,
    /// Failures since the last answer, if there was one.
    pub(crate) failures: u32,
    /// Unusable answers so far, over all runs.
    pub(crate) unusable: u32,
    /// What is asked.
    pub(crate) key: TaskKey,
    /// Where the judge's log has it.
    pub(crate) place: TaskPlace,
}

/// One judge's tasks of one wave.
#[derive(Debug)]
pub(crate) struct JudgeWave {
    pub(crate) name: String,
    pub(crate) in_process: bool,
    pub(crate) concurrency: usize,
    /// What to ask, topic by topic.
    pub(crate) todo: VecDeque<Ticket>,
    /// How often an unusable answer is asked again.
    pub(crate) reask: u32,
    /// How many tasks there are.
    pub(crate) tasks: usize,
    /// Tasks that the ledger answers.
    pub(crate) reused: usize,
    /// Tasks that ask the same as an earlier one of the wave.
    pub(crate) shared: Vec<TaskPlace>,
    /// Tasks that need a text that is not there.
    pub(crate) without_text: usize,
}

/// Adds a wave to the evidence. Returns what there is to ask of each judge, and the position of the wave's first task.
pub(crate) fn plan_wave(
    evidence: &mut Evidence,
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    samples: u32,
    reask: u32,
) -> Result<(Vec<JudgeWave>, usize), EvidenceError> {
    let tasks = workload.len() * samples as usize;
    let mut waves: Vec<JudgeWave> =
        judges.iter().map(|judge| JudgeWave::new(&**judge, tasks, reask)).collect();
    let mut asked: Vec<FxHashSet<TaskPlace>> = vec![FxHashSet::default(); judges.len()];
    let first = evidence.add_wave(workload, judges, |judge, at, task| {
        let (Some(wave), Some(asked)) = (waves.get_mut(at.0), asked.get_mut(at.0)) else { return };
        wave.without_text -= 1;
        wave.add(task, judge.status_at(task.place), asked);
    })?;
    for wave in &mut waves {
        // Topic by topic, so that servers can keep what prompts have in common.
        let topic =
            |ticket: &Ticket| workload.question((ticket.slot / samples) as usize).map(|asked| asked.topic);
        wave.todo.make_contiguous().sort_by_key(topic);
    }
    Ok((waves, first))
}

impl JudgeWave {
    /// A wave of so many tasks, none of which is known to have its texts.
    fn new(judge: &dyn Judge, tasks: usize, reask: u32) -> Self {
        Self {
            name: judge.name().to_owned(),
            in_process: judge.in_process(),
            concurrency: judge.concurrency().max(1),
            todo: VecDeque::new(),
            reask: if judge.in_process() { 0 } else { reask },
            tasks,
            reused: 0,
            shared: Vec::new(),
            without_text: tasks,
        }
    }

    fn add(&mut self, task: WaveTask, status: &Status, asked: &mut FxHashSet<TaskPlace>) {
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
            self.todo.push_back(Ticket { slot, failures: 0, unusable, key, place });
        }
    }
}
