//! Reads a study's ledger beyond the present study.

use llull_config::Environment;
use llull_core::{Attempt, JudgeSpec, Seed};
use llull_data::DataError;
use llull_runner::{AnnotatorJudge, Workload};
use llull_store::{BatchRecord, Detail, JudgeId, LedgerJudge};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::{PairAnswers, pair_answers};
use crate::fine_tuning::{FineTuningExample, FineTuningTally, fine_tuning};
use crate::inputs::reference_labels;
use crate::judge_comparison::{KnownJudgeFigures, known_judges, mark_best_value};
use crate::judging::{AllowedServers as _, AskedPrompt, SentPrompts, cancel_batches, features_asked};
use crate::recorded_attempts::{RecordedAttempt, recorded_attempts};

impl Study {
    /// Returns every judge in the study's ledger, in the order of their first requests; those of other rubrics, prompts
    /// and paradigms are among them. Their agreement is that with the study's reference; if annotators of its sample
    /// are the reference, they have none themselves.
    ///
    /// # Errors
    /// Returns an error if there is no ledger, it cannot be read, or the reference cannot.
    pub fn known_judges(&self) -> Result<Vec<KnownJudgeFigures>, StudyError> {
        let seed = Seed(self.settings().seed);
        if !self.settings().reference_people {
            let reference = reference_labels(self.settings(), self.folder(), &self.topics()?)?;
            return Ok(known_judges(
                &*self.open_ledger()?,
                reference.as_ref().map(|read| &read.value),
                seed,
            )?);
        }
        let inputs = self.inputs()?;
        let human_labels = self.evidence(&inputs)?.human_labels;
        let human_labels = human_labels.filter(|human_labels| human_labels.labels.labelled() > 0);
        let labels = human_labels.as_ref().map(|human_labels| human_labels.labels.qrels());
        let mut judges = known_judges(&*self.open_ledger()?, labels, seed)?;
        // Annotators of the reference are not compared with it.
        for judge in judges.iter_mut().filter(|judge| AnnotatorJudge::annotator(&judge.spec).is_some()) {
            (judge.with_people, judge.on_common, judge.order) = (None, None, None);
        }
        mark_best_value(&mut judges);
        Ok(judges)
    }

    /// Returns the batches that were sent to providers, in the order of their submission.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn batches(&self) -> Result<Vec<BatchRecord>, StudyError> {
        self.ledger.batches()
    }

    /// Asks the providers to end all batches that are with them. Returns each with the reason why that failed, if it
    /// did. The next run in batches records what was done until then.
    ///
    /// # Errors
    /// Returns an error if a judge uses a server without trust, or the ledger fails.
    pub fn cancel_batches(
        &self,
        environment: Environment<'_>,
    ) -> Result<Vec<(BatchRecord, Option<String>)>, StudyError> {
        self.reach.allow(&self.settings().judges, environment)?;
        self.reach.allow(&self.settings().graders, environment)?;
        match self.ledger.batch_table() {
            Some(table) if !self.batches()?.is_empty() => {
                cancel_batches(self.settings(), &table, environment)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns every judge in the study's ledger as registered; none without a ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn ledger_judges(&self) -> Result<Vec<LedgerJudge>, StudyError> {
        self.read_ledger(&mut |ledger| Ok(ledger.judges()?))
    }

    /// Calls `each` with the attempts in the study's ledger after the first `seen`, oldest first, without replies and
    /// rationales. Returns the present number of attempts.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn follow_attempts(
        &self,
        seen: u64,
        each: &mut dyn FnMut(JudgeId, &Attempt),
    ) -> Result<u64, StudyError> {
        self.read_ledger(&mut |ledger| {
            Ok(ledger.follow(seen, None, Detail::Facts, &mut |judge, attempt| {
                each(judge, &attempt);
                Ok(())
            })?)
        })
    }

    /// Returns the attempts at these places of the study's ledger, numbered from 1 in the order of recording, in this
    /// order; missing ones are left out.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn attempts_at(&self, places: &[u64], detail: Detail) -> Result<Vec<RecordedAttempt>, StudyError> {
        self.read_ledger(&mut |ledger| recorded_attempts(ledger, places, detail))
    }

    /// Returns the prompt of an attempt, if it can be reconstructed exactly. It sends no request.
    pub fn asked_prompt(&self, pooled: &Workload, then: &JudgeSpec, attempt: &Attempt) -> AskedPrompt {
        SentPrompts::new(self.settings(), self.folder(), pooled).of(then, attempt)
    }

    /// Passes the prompt and the reply of every attempt with a verdict to `each`, oldest first, if the prompt can be
    /// reconstructed exactly: of the language models in the ledger with one of these names, or of all. It sends no
    /// request.
    ///
    /// # Errors
    /// Returns an error if no language model in the ledger has one of the names, the ledger cannot be read, or `each`
    /// fails.
    pub fn fine_tuning(
        &self,
        pooled: &Workload,
        names: &[String],
        each: &mut dyn FnMut(FineTuningExample) -> Result<(), DataError>,
    ) -> Result<FineTuningTally, StudyError> {
        let mut prompts = SentPrompts::new(self.settings(), self.folder(), pooled);
        self.read_ledger(&mut |ledger| fine_tuning(ledger, &mut prompts, names, each))
    }

    /// Returns the answers about pairs of the judges in the study's ledger, by feature.
    pub(crate) fn pair_answers(&self) -> Result<PairAnswers, StudyError> {
        let asked = features_asked(self.settings(), self.folder())?;
        self.read_ledger(&mut |ledger| pair_answers(ledger, &asked))
    }
}
