//! The attempts in a study's ledger.

use llull_core::{Attempt, Hash, JudgeSpec, Seed};
use llull_data::DataError;
use llull_runner::{AnnotatorJudge, Workload};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::{
    BallotOptions, LedgerBallots, PairAnswers, StudyEvidence, ledger_ballots, pair_answers,
};
use crate::fine_tuning::{FineTuningExample, FineTuningTally, fine_tuning};
use crate::inputs::reference_labels;
use crate::judge_comparison::{KnownJudgeFigures, known_judges, mark_best_value};
use crate::judging::{
    AskedPrompt, EarlierAnswers, SentPrompts, comparing_judges, earlier_answers, features_asked,
};
use crate::ledger::StudyLedger;

/// The attempts in a study's ledger, of other rubrics, prompts and judges too, read with the study's settings.
#[derive(Clone, Copy)]
pub struct StudyAttempts<'a>(&'a Study);

impl Study {
    /// Returns the attempts in the study's ledger.
    pub fn attempts(&self) -> StudyAttempts<'_> {
        StudyAttempts(self)
    }
}

impl StudyAttempts<'_> {
    /// Returns every judge in the study's ledger, in the order of their first requests; those of other rubrics, prompts
    /// and paradigms are among them. Their agreement is that with the study's reference; if annotators of its sample
    /// are the reference, they have none themselves.
    ///
    /// # Errors
    /// Returns an error if there is no ledger, it cannot be read, or the reference cannot.
    pub fn judges(&self) -> Result<Vec<KnownJudgeFigures>, StudyError> {
        let seed = Seed(self.0.settings().seed);
        if !self.0.settings().reference_people {
            let reference = reference_labels(self.0.config(), &self.0.topics()?)?;
            return Ok(known_judges(
                &*self.0.ledger.open()?,
                reference.as_ref().map(|read| &read.value),
                seed,
            )?);
        }
        let inputs = self.0.inputs()?;
        let human_labels = self.0.evidence(&inputs)?.human_labels;
        let human_labels = human_labels.filter(|human_labels| human_labels.labels.labelled() > 0);
        let labels = human_labels.as_ref().map(|human_labels| human_labels.labels.qrels());
        let mut judges = known_judges(&*self.0.ledger.open()?, labels, seed)?;
        // Annotators of the reference are not compared with it.
        for judge in judges.iter_mut().filter(|judge| AnnotatorJudge::annotator(&judge.spec).is_some()) {
            (judge.with_people, judge.on_common, judge.order) = (None, None, None);
        }
        mark_best_value(&mut judges);
        Ok(judges)
    }

    /// Returns the prompt of an attempt, if it can be reconstructed exactly. It sends no request.
    pub fn prompt(&self, pooled: &Workload, then: &JudgeSpec, attempt: &Attempt) -> AskedPrompt {
        SentPrompts::new(self.0.config(), pooled).of(then, attempt)
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
        let mut prompts = SentPrompts::new(self.0.config(), pooled);
        self.0.ledger.read(&mut |ledger| fine_tuning(ledger, &mut prompts, names, each))
    }

    /// Returns the answers in the ledger of judges with open questions from before their rubric, prompt or model
    /// changed.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn earlier(&self, evidence: &StudyEvidence) -> Result<Vec<EarlierAnswers>, StudyError> {
        self.0.ledger.read(&mut |ledger| earlier_answers(self.0.folder(), evidence, ledger))
    }

    /// Returns the comparisons in the study's ledger: of every judge that compares, or of those with one of these
    /// names. A judge's votes have the weight of the study's judge of that name, or else 1.
    ///
    /// # Errors
    /// Returns an error if there is no ledger, it cannot be read, or no judge that compares has one of the names.
    pub fn ballots(&self, names: &[String]) -> Result<LedgerBallots, StudyError> {
        self.ballots_of(names, Vec::new())
    }

    /// Returns the comparisons of the study's judges with the present rubric, prompt and paradigm; of every judge that
    /// compares if the ledger has none of these.
    ///
    /// # Errors
    /// Returns the errors of [`ballots`](Self::ballots), and an error if the rubric, a prompt or labels of a judge
    /// cannot be read.
    pub fn ballots_as_asked(&self) -> Result<LedgerBallots, StudyError> {
        self.ballots_of(&[], comparing_judges(self.0.config())?)
    }

    fn ballots_of(&self, names: &[String], fingerprints: Vec<Hash>) -> Result<LedgerBallots, StudyError> {
        let judges = &self.0.settings().judges;
        let options = BallotOptions {
            names: names.to_vec(),
            fingerprints,
            weights: judges.iter().map(|judge| (judge.name.clone(), judge.weight)).collect(),
            double_check: self.0.settings().tournament.as_ref().is_some_and(|found| found.double_check),
        };
        match &self.0.ledger {
            StudyLedger::Custom(_) => self.0.ledger.read(&mut |ledger| ledger_ballots(ledger, &options)),
            ledger => ledger_ballots(&*ledger.open()?, &options),
        }
    }

    /// Returns the answers about pairs of the judges in the study's ledger, by feature.
    pub(crate) fn pair_answers(&self) -> Result<PairAnswers, StudyError> {
        let asked = features_asked(self.0.config())?;
        self.0.ledger.read(&mut |ledger| pair_answers(ledger, &asked))
    }
}
