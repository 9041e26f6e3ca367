//! What a study's ledger says beyond the study as it is now.

use llull_core::{Attempt, JudgeSpec, Seed};
use llull_runner::{HumanJudge, Workload};
use llull_store::{Detail, JudgeId, LedgerJudge};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::{PairAnswers, pair_answers};
use crate::inputs::reference_labels;
use crate::judge_comparison::{KnownJudgeFigures, known_judges, mark_best_value};
use crate::judging::{AskedPrompt, asked_prompt, features_asked};
use crate::recorded_attempts::{RecordedAttempt, recorded_attempts};

impl Study {
    /// Returns every judge in the study's ledger, those of other rubrics, prompts and paradigms among them, in the
    /// order in which they were first asked. Agreement with people is held against the study's reference; where that is
    /// the people of its sample, theirs is none.
    ///
    /// # Errors
    /// Returns an error if there is no ledger, it cannot be read, or the reference cannot.
    pub fn known_judges(&self) -> Result<Vec<KnownJudgeFigures>, StudyError> {
        let seed = Seed(self.settings().seed);
        if !self.settings().reference_people {
            let reference = reference_labels(self.settings(), self.folder())?;
            return Ok(known_judges(&self.ledger_file()?, reference.as_ref().map(|read| &read.value), seed)?);
        }
        let inputs = self.inputs()?;
        let people = self.evidence(&inputs)?.people;
        let people = people.filter(|people| people.labels.labelled() > 0);
        let labels = people.map(|people| people.labels.qrels());
        let mut judges = known_judges(&self.ledger_file()?, labels.as_ref(), seed)?;
        // Whose labels are among the reference is not held against it.
        for judge in judges.iter_mut().filter(|judge| HumanJudge::person(&judge.spec).is_some()) {
            judge.with_people = None;
        }
        mark_best_value(&mut judges);
        Ok(judges)
    }

    /// Returns every judge in the study's ledger as it was registered; none without a ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn ledger_judges(&self) -> Result<Vec<LedgerJudge>, StudyError> {
        self.read_ledger(&mut |ledger| Ok(ledger.judges()?))
    }

    /// Calls `each` with the attempts in the study's ledger after the first `seen`, oldest first, without replies and
    /// rationales. Returns how many it has now.
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
    /// order; those that it does not have are left out.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn attempts_at(&self, places: &[u64], detail: Detail) -> Result<Vec<RecordedAttempt>, StudyError> {
        self.read_ledger(&mut |ledger| recorded_attempts(ledger, places, detail))
    }

    /// Returns what a judge was sent in an attempt, if that can be made again exactly. Nothing is asked.
    pub fn asked_prompt(&self, pooled: &Workload, then: &JudgeSpec, attempt: &Attempt) -> AskedPrompt {
        asked_prompt(self.settings(), self.folder(), pooled, then, attempt)
    }

    /// Returns what the judges of the study's ledger said of pairs, by feature.
    pub(crate) fn pair_answers(&self) -> Result<PairAnswers, StudyError> {
        let asked = features_asked(self.settings(), self.folder())?;
        self.read_ledger(&mut |ledger| pair_answers(ledger, &asked))
    }
}
