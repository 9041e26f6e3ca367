//! What there is to ask: each judge's tasks of a wave, less what the ledger answers and what asks the same twice.

use std::{collections::BTreeMap, collections::VecDeque, sync::Arc};

use llull_core::{Attempt, TaskKey};
use llull_store::{JudgeId, JudgmentStore, Known};
use rustc_hash::FxHashMap;

use crate::{Ended, Judge, RunError, RunOptions, Workload};

/// A task on its way to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// Its place: the position of its question times the number of samples, plus the sample.
    pub(crate) slot: u32,
    /// Failures since the last answer, if there was one.
    pub(crate) failures: u32,
    /// Unusable answers so far, over all runs.
    pub(crate) unusable: u32,
    /// What is asked.
    pub(crate) key: TaskKey,
}

/// One judge's tasks of one wave.
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

/// Plans wave after wave. The ledger is read once.
pub(crate) struct Planner<'a> {
    options: &'a RunOptions,
    /// Whether another wave may follow, so that what is known has to be kept.
    goes_on: bool,
    panel: Vec<Member>,
}

struct Member {
    judge: Arc<dyn Judge>,
    id: JudgeId,
    /// What the ledger knows of its tasks, once it was read, and while it is needed.
    known: Option<FxHashMap<TaskKey, Known>>,
}

impl<'a> Planner<'a> {
    /// Registers the judges.
    pub(crate) fn new(
        judges: &[Arc<dyn Judge>],
        store: &mut dyn JudgmentStore,
        options: &'a RunOptions,
        goes_on: bool,
    ) -> Result<Self, RunError> {
        let mut names: BTreeMap<JudgeId, &str> = BTreeMap::new();
        let mut panel = Vec::with_capacity(judges.len());
        for judge in judges {
            let id = store.register(judge.name(), judge.spec())?;
            if let Some(first) = names.insert(id, judge.name()) {
                return Err(RunError::SameJudge { first: first.into(), second: judge.name().into() });
            }
            panel.push(Member { judge: Arc::clone(judge), id, known: None });
        }
        Ok(Self { options, goes_on, panel })
    }

    /// Plans every judge's part of a wave. Nothing is asked yet.
    pub(crate) fn plan(
        &mut self,
        workload: &Workload,
        store: &dyn JudgmentStore,
    ) -> Result<Vec<Plan>, RunError> {
        let (questions, samples) = (workload.len(), self.options.samples.get());
        if u32::try_from(questions as u64 * u64::from(samples)).is_err() {
            return Err(RunError::TooMany { questions, samples });
        }
        let mut plans = Vec::with_capacity(self.panel.len());
        for member in &mut self.panel {
            let known = match member.known.take() {
                Some(known) => known,
                None => store.known(member.id)?,
            };
            plans.push(member.plan(workload, &known, self.options));
            member.known = self.goes_on.then_some(known);
        }
        Ok(plans)
    }

    /// Takes in an attempt that is in the ledger.
    pub(crate) fn learn(&mut self, judge: usize, attempt: &Attempt) {
        if let Some(known) = self.panel.get_mut(judge).and_then(|member| member.known.as_mut())
            && let Some(after) = Known::after(known.remove(&attempt.key), &attempt.outcome)
        {
            known.insert(attempt.key, after);
        }
    }
}

impl Member {
    fn plan(&self, workload: &Workload, known: &FxHashMap<TaskKey, Known>, options: &RunOptions) -> Plan {
        let judge = self.judge.as_ref();
        let samples = options.samples.get();
        let reask = if judge.in_process() { 0 } else { options.reask };
        let mut plan = Plan {
            id: self.id,
            name: judge.name().to_owned(),
            in_process: judge.in_process(),
            concurrency: judge.concurrency().max(1),
            todo: VecDeque::new(),
            ends: Vec::with_capacity(workload.len() * samples as usize),
            shared: Vec::new(),
            reused: 0,
            reask,
        };
        let mut asked: FxHashMap<TaskKey, u32> = FxHashMap::default();
        for (case, sample) in workload.cases().flat_map(|case| (0..samples).map(move |sample| (case, sample)))
        {
            let slot = plan.ends.len() as u32;
            if judge.needs_text() && case.documents().any(|document| document.is_none()) {
                plan.ends.push(Ended::WithoutText);
                continue;
            }
            let key = judge.key(&case, sample);
            let unusable = match known.get(&key) {
                Some(Known::Unusable { times, .. }) if *times <= reask => *times,
                Some(known) => {
                    plan.reused += 1;
                    plan.ends.push(Ended::Answered(known.clone()));
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
            |ticket: &Ticket| workload.question((ticket.slot / samples) as usize).map(|asked| asked.topic);
        plan.todo.make_contiguous().sort_by_key(topic);
        plan
    }
}
