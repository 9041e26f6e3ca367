//! One judge's answers to the questions of a plan.

use llull_core::{JudgeSpec, Status, TaskKey};
use llull_store::{JudgeLog, Tally, TaskPlace, Totals};
use rustc_hash::FxHashMap;

use crate::{judge::JudgeIdentity, reread::RereadCounts};

/// The state of one judge's answers to the questions of a plan, as recorded in a ledger.
#[derive(Debug, Clone)]
pub struct JudgeEvidence {
    name: String,
    spec: JudgeSpec,
    log: JudgeLog,
    reread: RereadCounts,
    /// The place of each task, questions times samples, wave by wave. `None` if the judge reads texts and a document
    /// has none.
    tasks: Vec<Option<TaskPlace>>,
    samples: usize,
    reask: u32,
    asked: bool,
}

/// The number of a judge's tasks by status. Each task is in exactly one count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// Tasks with a verdict.
    pub judged: usize,
    /// Tasks with unusable answers only.
    pub unusable: usize,
    /// Tasks that the judge's server refused.
    pub refused: usize,
    /// Tasks with failures only.
    pub failed: usize,
    /// Tasks without an attempt.
    pub not_asked: usize,
    /// Tasks with a document whose text is missing.
    pub without_text: usize,
}

impl JudgeEvidence {
    /// Creates the evidence of a judge without any questions.
    pub(crate) fn new<J: JudgeIdentity + ?Sized>(
        judge: &J,
        log: JudgeLog,
        reread: RereadCounts,
        samples: usize,
        reask: u32,
    ) -> Self {
        Self {
            name: judge.name().to_owned(),
            spec: judge.spec().clone(),
            log,
            reread,
            tasks: Vec::new(),
            samples,
            // An in-process judge would give the same answer again.
            reask: if judge.in_process() { 0 } else { reask },
            asked: judge.is_asked(),
        }
    }

    pub(crate) fn without_questions(&self) -> Self {
        Self {
            name: self.name.clone(),
            spec: self.spec.clone(),
            log: self.log.clone(),
            // Changes are reported with the questions that they were found for.
            reread: RereadCounts::default(),
            tasks: Vec::new(),
            samples: self.samples,
            reask: self.reask,
            asked: self.asked,
        }
    }

    pub(crate) fn forget_questions(&mut self) {
        self.tasks.clear();
    }

    pub(crate) fn log_mut(&mut self) -> &mut JudgeLog {
        &mut self.log
    }

    /// Returns the number of attempts at each task that has some.
    pub(crate) fn attempt_counts(&self) -> FxHashMap<TaskPlace, u32> {
        self.log.attempt_counts()
    }

    pub(crate) fn task_count(&self) -> usize {
        self.tasks.len()
    }

    pub(crate) fn reserve(&mut self, tasks: usize) {
        self.tasks.reserve(tasks);
    }

    /// Adds a task, whose place is `None` if a text is missing.
    pub(crate) fn push(&mut self, task: Option<TaskPlace>) {
        self.tasks.push(task);
    }

    /// Returns the number of times that a question is repeated after unusable answers.
    pub(crate) fn reask(&self) -> u32 {
        self.reask
    }

    /// Returns the judge's name in the study.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the specification that determines the judge's answers.
    pub fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    /// Returns the statuses of each question, one for each sample, in the order of
    /// [`Evidence::questions`](crate::Evidence::questions).
    pub fn questions(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = &Status>> {
        self.tasks.chunks_exact(self.samples).map(|tasks| tasks.iter().map(|task| self.status_of(*task)))
    }

    /// Returns the status of the question at a position, for the first sample. A position past the end is
    /// [`Status::NotAsked`].
    pub fn status(&self, question: usize) -> &Status {
        self.task(question * self.samples)
    }

    /// Returns the status of every task, questions times samples.
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = &Status> {
        self.tasks.iter().map(|task| self.status_of(*task))
    }

    /// Returns the status of the task at a position.
    pub(crate) fn task(&self, at: usize) -> &Status {
        self.tasks.get(at).map_or(&Status::NotAsked, |task| self.status_of(*task))
    }

    /// Returns the place of each task, or `None` if a text is missing.
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<TaskPlace>> {
        self.tasks.iter().copied()
    }

    /// Returns whether a run [sends the judge questions](JudgeIdentity::is_asked).
    pub fn is_asked(&self) -> bool {
        self.asked
    }

    pub(crate) fn status_at(&self, place: TaskPlace) -> &Status {
        match self.log.status(place) {
            judged @ Status::Judged(_) => judged,
            // A withdrawn answer is no answer, and a judge that gets no requests cannot fail.
            _ if !self.asked => &Status::NotAsked,
            status => status,
        }
    }

    /// Returns the status of a task in the ledger, whether or not the plan has it.
    pub fn recorded(&self, key: &TaskKey) -> &Status {
        self.log.find(key).map_or(&Status::NotAsked, |place| self.status_at(place))
    }

    fn status_of(&self, task: Option<TaskPlace>) -> &Status {
        task.map_or(&Status::WithoutText, |place| self.status_at(place))
    }

    /// Returns the rationale of the judge's verdict on the question at a position, if there is one and it was read.
    pub fn rationale(&self, question: usize) -> Option<&str> {
        let task = self.tasks.get(question * self.samples)?;
        self.log.rationale((*task)?)
    }

    /// Returns the facets of the judge's verdict on the question at a position: those covered, then those missing.
    /// `None` if it names none or they were not read.
    pub fn facets(&self, question: usize) -> Option<&[Vec<String>; 2]> {
        let task = self.tasks.get(question * self.samples)?;
        self.log.facets((*task)?)
    }

    /// Returns for each question, for the first sample, the tokens of its prompt that the server reported, and the
    /// estimated tokens that were cut from its documents. `None` where no tokens were reported.
    pub fn prompt_tokens(&self) -> Vec<Option<(u64, u32)>> {
        self.log.prompt_tokens(self.tasks.iter().step_by(self.samples).copied())
    }

    /// Returns which of the judge's answers in the ledger changed because their replies, read by earlier rules, were
    /// read again.
    pub fn reread(&self) -> &RereadCounts {
        &self.reread
    }

    /// Counts the judge's tasks by status.
    pub fn counts(&self) -> StatusCounts {
        let mut counts = StatusCounts::default();
        for status in self.tasks() {
            *match status {
                Status::Judged(_) => &mut counts.judged,
                Status::Unusable { .. } => &mut counts.unusable,
                Status::Refused(_) => &mut counts.refused,
                Status::Failed(_) => &mut counts.failed,
                Status::NotAsked => &mut counts.not_asked,
                Status::WithoutText => &mut counts.without_text,
            } += 1;
        }
        counts
    }

    /// Returns whether a run would ask a task with this status.
    pub fn is_open(&self, status: &Status) -> bool {
        self.asked && status.is_open(self.reask)
    }

    /// Returns the number of tasks that a run would ask.
    pub fn open(&self) -> usize {
        self.tasks().filter(|status| self.is_open(status)).count()
    }

    /// Adds up all attempts at the questions of the plan, for the first sample.
    pub fn totals(&self) -> Totals {
        self.log.totals_of(self.tasks.iter().step_by(self.samples).copied().flatten())
    }

    /// Adds up all attempts at the questions of the plan and of another that was read after it, for the first sample.
    pub fn totals_with(&self, other: &Self) -> Totals {
        let mut tally = Tally::default();
        for part in [self, other] {
            part.log.add_to(&mut tally, part.tasks.iter().step_by(part.samples).copied().flatten());
        }
        tally.finish()
    }

    /// Returns the number of tasks in the ledger that repeat a question, [not for a vote](llull_core::FIRST_RECHECK).
    pub fn rechecked(&self) -> usize {
        self.log.rechecked()
    }

    /// Returns the number of tasks in the ledger with a changed text, which probe the features that the judge's
    /// answers depend on.
    pub fn probed(&self) -> usize {
        self.log.probed()
    }

    /// Adds up all attempts of this judge in the ledger, at any question.
    pub fn ledger_totals(&self) -> Totals {
        self.log.totals()
    }
}
