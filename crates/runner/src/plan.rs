//! What there is to ask: each judge's tasks, less what the ledger answers and what asks the same twice.

use std::{collections::BTreeMap, collections::VecDeque, sync::Arc};

use llull_core::TaskKey;
use llull_store::{JudgeId, JudgmentStore, Known};
use rustc_hash::FxHashMap;

use crate::{Ended, Event, Judge, Reporter, RunError, RunOptions, Workload};

/// A task on its way to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// Its place: the position of its pair times the number of samples, plus the sample.
    pub(crate) slot: u32,
    /// Failures since the last answer, if there was one.
    pub(crate) failures: u32,
    /// Unusable answers so far, over all runs.
    pub(crate) unusable: u32,
    /// What is asked.
    pub(crate) key: TaskKey,
}

/// One judge's tasks.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) id: JudgeId,
    pub(crate) name: String,
    pub(crate) in_process: bool,
    pub(crate) concurrency: usize,
    /// What to ask, topic by topic.
    pub(crate) todo: VecDeque<Ticket>,
    /// How each task stands.
    pub(crate) ends: Vec<Ended>,
    /// Tasks that ask the same as an earlier one, and that one.
    pub(crate) shared: Vec<(u32, u32)>,
    pub(crate) reused: usize,
    /// How often an unusable answer is asked again.
    pub(crate) reask: u32,
}

/// Plans every judge's part. Nothing is asked yet.
pub(crate) fn plan(
    workload: &Workload,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn JudgmentStore,
    options: &RunOptions,
    reporter: &dyn Reporter,
) -> Result<Vec<Plan>, RunError> {
    let (pairs, samples) = (workload.pairs().len(), options.samples.get());
    if u32::try_from(pairs as u64 * u64::from(samples)).is_err() {
        return Err(RunError::TooMany { pairs, samples });
    }
    let mut names: BTreeMap<JudgeId, &str> = BTreeMap::new();
    let mut plans = Vec::with_capacity(judges.len());
    for (position, judge) in judges.iter().enumerate() {
        let id = store.register(judge.name(), judge.spec())?;
        if let Some(first) = names.insert(id, judge.name()) {
            return Err(RunError::SameJudge { first: first.into(), second: judge.name().into() });
        }
        let plan = plan_judge(workload, judge.as_ref(), id, store, options)?;
        reporter.event(Event::Planned {
            judge: position,
            name: judge.name(),
            tasks: plan.ends.len(),
            reused: plan.reused,
            shared: plan.shared.len(),
            without_text: plan.ends.iter().filter(|end| **end == Ended::WithoutText).count(),
        });
        plans.push(plan);
    }
    Ok(plans)
}

fn plan_judge(
    workload: &Workload,
    judge: &dyn Judge,
    id: JudgeId,
    store: &dyn JudgmentStore,
    options: &RunOptions,
) -> Result<Plan, RunError> {
    let known = store.known(id)?;
    let samples = options.samples.get();
    let reask = if judge.in_process() { 0 } else { options.reask };
    let mut plan = Plan {
        id,
        name: judge.name().to_owned(),
        in_process: judge.in_process(),
        concurrency: judge.concurrency().max(1),
        todo: VecDeque::new(),
        ends: Vec::with_capacity(workload.pairs().len() * samples as usize),
        shared: Vec::new(),
        reused: 0,
        reask,
    };
    let mut asked: FxHashMap<TaskKey, u32> = FxHashMap::default();
    let cases = workload.pairs().iter().filter_map(|pair| workload.case(*pair));
    for (case, sample) in cases.flat_map(|case| (0..samples).map(move |sample| (case, sample))) {
        let slot = plan.ends.len() as u32;
        if judge.needs_text() && case.document.is_none() {
            plan.ends.push(Ended::WithoutText);
            continue;
        }
        let key = judge.key(&case, sample);
        let unusable = match known.get(&key) {
            Some(Known::Unusable { times, .. }) if *times <= reask => *times,
            Some(known) => {
                plan.reused += 1;
                plan.ends.push(Ended::Answered(*known));
                continue;
            }
            None => 0,
        };
        plan.ends.push(Ended::NotAsked);
        if let Some(first) = asked.get(&key) {
            plan.shared.push((slot, *first));
        } else {
            asked.insert(key, slot);
            plan.todo.push_back(Ticket { slot, failures: 0, unusable, key });
        }
    }
    // Topic by topic, so that servers can keep what prompts have in common.
    let topic =
        |ticket: &Ticket| workload.pairs().get((ticket.slot / samples) as usize).map(|pair| pair.topic);
    plan.todo.make_contiguous().sort_by_key(topic);
    Ok(plan)
}
