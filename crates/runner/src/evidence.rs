//! What a ledger holds of a panel's answers: everything below the ledger line is a function of it.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use llull_core::{Hash, JudgeSpec, Status, TaskKey};
use llull_store::{Detail, JudgeId, JudgeLog, LedgerReader, StoreError, TaskPlace, Totals};

use crate::{
    case::Case,
    index::JudgeIndex,
    judge::JudgeIdentity,
    options::RunOptions,
    plan::{Plan, WaveAnswers},
    workload::{Question, Workload},
};

/// How to read a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How many independent answers there should be to each question.
    pub samples: NonZeroU32,
    /// How often a question is asked again after an unusable answer, so that it counts as open until then.
    pub reask: u32,
    /// How much of each attempt is read: [`Detail::Verdicts`] if [rationales](JudgeEvidence::rationale) are wanted.
    pub detail: Detail,
}

impl Default for ReadOptions {
    /// As [`RunOptions::default`] asks, with rationales.
    fn default() -> Self {
        let RunOptions { samples, reask, .. } = RunOptions::default();
        Self { samples, reask, detail: Detail::Verdicts }
    }
}

/// Why evidence cannot be gathered.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The ledger could not be read.
    #[error("{0}")]
    Ledger(#[from] StoreError),
    /// Two judges would give each other's answers.
    #[error(
        "judges {first} and {second} are one and the same: same model, prompt, rubric and parameters; \
         take one out, or ask for several samples of one"
    )]
    SameJudge {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// More tasks than can be numbered.
    #[error(
        "{questions} questions times {samples} samples is more than 4,294,967,295 tasks; split the study"
    )]
    TooMany {
        /// Questions.
        questions: usize,
        /// Samples.
        samples: u32,
    },
}

/// What a ledger holds of a panel's answers to the questions of a plan.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    waves: Vec<Arc<Workload>>,
    judges: Vec<JudgeEvidence>,
    samples: usize,
}

/// What a ledger holds of one judge's answers to the questions of a plan.
#[derive(Debug, Clone)]
pub struct JudgeEvidence {
    name: String,
    spec: JudgeSpec,
    log: JudgeLog,
    /// The place of each task, questions times samples, wave by wave; `None` if a document that the judge has to read has no
    /// text.
    tasks: Vec<Option<TaskPlace>>,
    samples: usize,
    reask: u32,
}

/// How many of a judge's tasks stand how. Each is in exactly one count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// Tasks with a verdict.
    pub judged: usize,
    /// Tasks with unusable answers only.
    pub unusable: usize,
    /// Tasks with failures only.
    pub failed: usize,
    /// Tasks without an attempt.
    pub not_asked: usize,
    /// Tasks that need a text that is not there.
    pub without_text: usize,
}

impl Evidence {
    /// Plays a plan from a ledger: what it holds of these judges' answers to the questions that come up. Nothing is asked,
    /// and nothing is written. The ledger is passed over once, and each task's key is hashed once.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, two judges are the same, or there are too many tasks.
    pub fn read(
        ledger: &dyn LedgerReader,
        judges: &[Arc<dyn JudgeIdentity>],
        plan: &mut dyn Plan,
        options: &ReadOptions,
    ) -> Result<Self, EvidenceError> {
        let registered = ledger.judges()?;
        let by_fingerprint: BTreeMap<Hash, JudgeId> =
            registered.iter().map(|judge| (judge.spec.fingerprint(), judge.id)).collect();
        let ids: Vec<Option<JudgeId>> =
            judges.iter().map(|judge| by_fingerprint.get(&judge.spec().fingerprint()).copied()).collect();
        let mut evidence = Self::begin(ledger, judges, &ids, options)?;
        evidence.play_on(plan, judges)?;
        Ok(evidence)
    }

    /// Plays a plan on from what is known, with nothing asked: after a run that was stopped, its plan may settle more than
    /// the waves that were asked.
    ///
    /// # Errors
    /// Returns an error if there are too many tasks.
    pub fn play_on(
        &mut self,
        plan: &mut dyn Plan,
        judges: &[Arc<dyn JudgeIdentity>],
    ) -> Result<(), EvidenceError> {
        while let Some(workload) = plan.next() {
            let first = self.add_wave(&workload, judges, |_, _, _| ())?;
            self.tell(plan, first);
        }
        Ok(())
    }

    /// Reads the judges' logs; no question has come up yet.
    pub(crate) fn begin<J: JudgeIdentity + ?Sized>(
        ledger: &dyn LedgerReader,
        judges: &[Arc<J>],
        ids: &[Option<JudgeId>],
        options: &ReadOptions,
    ) -> Result<Self, EvidenceError> {
        let mut names: BTreeMap<Hash, &str> = BTreeMap::new();
        for judge in judges {
            if let Some(first) = names.insert(judge.spec().fingerprint(), judge.name()) {
                return Err(EvidenceError::SameJudge { first: first.into(), second: judge.name().into() });
            }
        }
        let samples = options.samples.get() as usize;
        let logs = JudgeLog::read(ledger, ids, options.detail)?;
        let of_judge = |(judge, log): (&Arc<J>, JudgeLog)| JudgeEvidence {
            name: judge.name().to_owned(),
            spec: judge.spec().clone(),
            log,
            tasks: Vec::new(),
            samples,
            reask: if judge.in_process() { 0 } else { options.reask },
        };
        let judges = judges.iter().zip(logs).map(of_judge).collect();
        Ok(Self { waves: Vec::new(), judges, samples })
    }

    /// Adds the questions of a wave, hashing each task's key once. `each` is given every task that has its texts: the judge,
    /// the task's position in the wave, and its key and place. Returns the position of the wave's first task.
    pub(crate) fn add_wave<J: JudgeIdentity + ?Sized>(
        &mut self,
        workload: &Arc<Workload>,
        judges: &[Arc<J>],
        mut each: impl FnMut(&JudgeEvidence, JudgeIndex, WaveTask),
    ) -> Result<usize, EvidenceError> {
        let first = self.judges.first().map_or(0, |judge| judge.tasks.len());
        if u32::try_from(first + workload.len() * self.samples).is_err() {
            let samples = self.samples as u32;
            return Err(EvidenceError::TooMany { questions: first / self.samples + workload.len(), samples });
        }
        for (at, (judge, evidence)) in judges.iter().zip(&mut self.judges).enumerate() {
            evidence.tasks.reserve(workload.len() * self.samples);
            let samples = 0..self.samples as u32;
            let tasks = workload.cases().flat_map(|case| samples.clone().map(move |sample| (case, sample)));
            for (slot, (case, sample)) in (0u32..).zip(tasks) {
                if judge.needs_text() && case.documents().any(|document| document.is_none()) {
                    evidence.tasks.push(None);
                    continue;
                }
                let key = judge.key(&case, sample);
                let place = evidence.log.place(key);
                evidence.tasks.push(Some(place));
                each(evidence, JudgeIndex(at), WaveTask { slot, key, place });
            }
        }
        self.waves.push(Arc::clone(workload));
        Ok(first)
    }

    /// Tells a plan how the questions of the last wave stand, whose first task is at `first`.
    pub(crate) fn tell(&self, plan: &mut dyn Plan, first: usize) {
        let status = |judge: JudgeIndex, question: usize| {
            let judge = self.judges.get(judge.0);
            judge.map_or(&Status::NotAsked, |judge| judge.task(first + question * self.samples))
        };
        let questions = self.waves.last().map_or(0, |wave| wave.len());
        plan.observe(&WaveAnswers::new(self.judges.len(), questions, &status));
    }

    pub(crate) fn log_mut(&mut self, judge: JudgeIndex) -> Option<&mut JudgeLog> {
        self.judges.get_mut(judge.0).map(|judge| &mut judge.log)
    }

    /// Returns each judge's part, in the order of the panel.
    pub fn judges(&self) -> &[JudgeEvidence] {
        &self.judges
    }

    /// Returns how many waves came up.
    pub fn waves(&self) -> usize {
        self.waves.len()
    }

    /// Returns how many questions came up.
    pub fn len(&self) -> usize {
        self.waves.iter().map(|wave| wave.len()).sum()
    }

    /// Returns whether no question came up.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the questions that came up, wave by wave.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        self.waves.iter().flat_map(|wave| wave.questions())
    }

    /// Returns what the judges were asked about, question by question, wave by wave.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        self.waves.iter().flat_map(|wave| wave.cases())
    }

    /// Returns whether every task of every judge has a verdict.
    pub fn is_complete(&self) -> bool {
        self.judges.iter().all(|judge| judge.tasks().all(Status::is_judged))
    }
}

/// A task of a wave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaveTask {
    /// Its position in the wave: that of its question times the number of samples, plus the sample.
    pub(crate) slot: u32,
    pub(crate) key: TaskKey,
    pub(crate) place: TaskPlace,
}

impl JudgeEvidence {
    /// Returns the judge's name in the study.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what decides the judge's answers.
    pub fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    /// Returns how each question stands, in the order of [`Evidence::questions`]: an entry for each sample.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = &Status>> {
        self.tasks.chunks_exact(self.samples).map(|tasks| tasks.iter().map(|task| self.of(*task)))
    }

    /// Returns how the question at a position stands; of several samples, the first. Past the end it was not asked.
    pub fn status(&self, question: usize) -> &Status {
        self.task(question * self.samples)
    }

    /// Returns how every task stands, questions times samples.
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = &Status> {
        self.tasks.iter().map(|task| self.of(*task))
    }

    fn task(&self, at: usize) -> &Status {
        self.tasks.get(at).map_or(&Status::NotAsked, |task| self.of(*task))
    }

    /// The place of each task; `None` without a text.
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<TaskPlace>> {
        self.tasks.iter().copied()
    }

    pub(crate) fn status_at(&self, place: TaskPlace) -> &Status {
        self.log.status(place)
    }

    fn of(&self, task: Option<TaskPlace>) -> &Status {
        task.map_or(&Status::WithoutText, |place| self.log.status(place))
    }

    /// Returns the judge's explanation of its verdict on the question at a position, if it gave one and it was read.
    pub fn rationale(&self, question: usize) -> Option<&str> {
        let task = self.tasks.get(question * self.samples)?;
        self.log.rationale((*task)?)
    }

    /// Counts how the judge's tasks stand.
    pub fn counts(&self) -> StatusCounts {
        let mut counts = StatusCounts::default();
        for status in self.tasks() {
            *match status {
                Status::Judged(_) => &mut counts.judged,
                Status::Unusable { .. } => &mut counts.unusable,
                Status::Failed(_) => &mut counts.failed,
                Status::NotAsked => &mut counts.not_asked,
                Status::WithoutText => &mut counts.without_text,
            } += 1;
        }
        counts
    }

    /// Returns whether a run would ask a task that stands like this.
    pub fn is_open(&self, status: &Status) -> bool {
        status.is_open(self.reask)
    }

    /// Returns how many tasks a run would ask.
    pub fn open(&self) -> usize {
        self.tasks().filter(|status| self.is_open(status)).count()
    }

    /// Adds up all attempts at the questions that came up, of the first sample.
    pub fn totals(&self) -> Totals {
        self.log.totals_of(self.tasks.iter().step_by(self.samples).copied().flatten())
    }

    /// Adds up all attempts of this judge in the ledger, whatever they are about.
    pub fn ledger_totals(&self) -> Totals {
        self.log.totals()
    }
}
