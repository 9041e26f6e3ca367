//! A panel's answers to the questions of a plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Hash, Status, TaskKey};
use llull_store::{JudgeId, JudgeLog, LedgerReader, TaskPlace};

use crate::{
    case::Case,
    error::EvidenceError,
    index::JudgeIndex,
    judge::JudgeIdentity,
    judge_evidence::JudgeEvidence,
    options::ReadOptions,
    plan::{Plan, WaveAnswers},
    reread_logs::read_logs,
    workload::{Question, Workload},
};

/// The state of a panel's answers to the questions of a plan, as recorded in a ledger.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    waves: Vec<Arc<Workload>>,
    judges: Vec<JudgeEvidence>,
    samples: usize,
}

impl Evidence {
    /// Plays a plan from a ledger: reads the judges' answers to its questions. Sends and writes nothing. Takes one
    /// pass over the ledger, and hashes each task's key once.
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

    /// Continues a plan without new requests. After a run that was stopped, a plan may go on to further waves whose
    /// questions have no answer.
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
            self.report_wave(plan, first);
        }
        Ok(())
    }

    /// Plays another plan from the known answers, in place of the one so far. Sends and reads nothing.
    ///
    /// # Errors
    /// Returns an error if there are too many tasks.
    pub fn play_again(
        mut self,
        plan: &mut dyn Plan,
        judges: &[Arc<dyn JudgeIdentity>],
    ) -> Result<Self, EvidenceError> {
        self.waves.clear();
        self.judges.iter_mut().for_each(JudgeEvidence::forget_questions);
        self.play_on(plan, judges)?;
        Ok(self)
    }

    /// Returns evidence of the judges at these positions without any questions. The answers in their logs stay known:
    /// other questions can be [played](Self::play_on) without reading the ledger again.
    #[must_use]
    pub fn without_questions(&self, judges: &[usize]) -> Self {
        let judges = judges.iter().filter_map(|at| self.judges.get(*at));
        let judges = judges.map(JudgeEvidence::without_questions).collect();
        Self { waves: Vec::new(), judges, samples: self.samples }
    }

    /// Reads the judges' logs. The evidence has no questions yet.
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
        let logs = read_logs(ledger, judges, ids, options.detail)?;
        let judges = judges
            .iter()
            .zip(logs)
            .map(|(judge, (mut log, reread))| {
                if let Some(answers) = options.ask_again {
                    log.forget(answers);
                }
                JudgeEvidence::new(&**judge, log, reread, samples, options.reask)
            })
            .collect();
        Ok(Self { waves: Vec::new(), judges, samples })
    }

    /// Adds the questions of a wave, and hashes each task's key once. Calls `each` with every task whose texts are
    /// known. Returns the position of the wave's first task.
    pub(crate) fn add_wave<J: JudgeIdentity + ?Sized>(
        &mut self,
        workload: &Arc<Workload>,
        judges: &[Arc<J>],
        mut each: impl FnMut(&JudgeEvidence, JudgeIndex, WaveTask),
    ) -> Result<usize, EvidenceError> {
        let first = self.judges.first().map_or(0, JudgeEvidence::task_count);
        if u32::try_from(first + workload.len() * self.samples).is_err() {
            let samples = self.samples as u32;
            return Err(EvidenceError::TooMany { questions: first / self.samples + workload.len(), samples });
        }
        for (at, (judge, evidence)) in judges.iter().zip(&mut self.judges).enumerate() {
            evidence.reserve(workload.len() * self.samples);
            let first = workload.first_sample();
            let samples = first..first.saturating_add(self.samples as u32);
            let tasks = workload.cases().flat_map(|case| samples.clone().map(move |sample| (case, sample)));
            for (slot, (case, sample)) in (0u32..).zip(tasks) {
                if judge.needs_text() && case.documents().any(|document| document.is_none()) {
                    evidence.push(None);
                    continue;
                }
                let key = judge.key(&case, sample);
                let place = evidence.log_mut().place(key);
                evidence.push(Some(place));
                each(evidence, JudgeIndex(at), WaveTask { slot, key, place });
            }
        }
        self.waves.push(Arc::clone(workload));
        Ok(first)
    }

    /// Lets a plan observe the last wave, whose first task is at `first`.
    pub(crate) fn report_wave(&self, plan: &mut dyn Plan, first: usize) {
        let status = |judge: JudgeIndex, question: usize| {
            let judge = self.judges.get(judge.0);
            judge.map_or(&Status::NotAsked, |judge| judge.task(first + question * self.samples))
        };
        let questions = self.waves.last().map_or(0, |wave| wave.len());
        plan.observe(&WaveAnswers::new(self.judges.len(), questions, &status));
    }

    pub(crate) fn log_mut(&mut self, judge: JudgeIndex) -> Option<&mut JudgeLog> {
        self.judges.get_mut(judge.0).map(JudgeEvidence::log_mut)
    }

    /// Returns the evidence of each judge, in the order of the panel.
    pub fn judges(&self) -> &[JudgeEvidence] {
        &self.judges
    }

    /// Returns the number of waves.
    pub fn waves(&self) -> usize {
        self.waves.len()
    }

    /// Returns the number of questions in all waves.
    pub fn len(&self) -> usize {
        self.waves.iter().map(|wave| wave.len()).sum()
    }

    /// Returns whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the questions, wave by wave.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        self.waves.iter().flat_map(|wave| wave.questions())
    }

    /// Returns the query and documents of each question, wave by wave.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        self.waves.iter().flat_map(|wave| wave.cases())
    }

    /// Returns whether every task of every judge has a verdict. Judges that get [no requests](JudgeIdentity::is_asked)
    /// leave nothing open, unless all judges are such: then each task needs a verdict of one of them.
    pub fn is_complete(&self) -> bool {
        let mut asked = self.judges.iter().filter(|judge| judge.is_asked()).peekable();
        if asked.peek().is_some() || self.judges.is_empty() {
            return asked.all(|judge| judge.tasks().all(Status::is_judged));
        }
        let tasks = self.judges.first().map_or(0, JudgeEvidence::task_count);
        (0..tasks).all(|at| self.judges.iter().any(|judge| judge.task(at).is_judged()))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct WaveTask {
    /// The position in the wave: the question's position times the number of samples, plus the sample.
    pub(crate) slot: u32,
    pub(crate) key: TaskKey,
    pub(crate) place: TaskPlace,
}
