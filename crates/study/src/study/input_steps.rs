//! Reads a study's inputs and texts, its control, and evidence anew.

use std::path::Path;

use llull_config::Overrides;
use llull_store::LedgerReader;

use super::steps::Study;
use crate::auditing::study_as_control;
use crate::control_answers::ControlAnswers;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::{Inputs, StudyTexts, read_inputs};
use crate::judging::{read_evidence_with, read_texts};

impl Study {
    /// Reads all inputs of judging: rubric, topics, every system's results, the pool.
    ///
    /// # Errors
    /// Returns an error that names file, line and remedy if a file is missing or invalid, or a retriever fails.
    pub fn inputs(&self) -> Result<Inputs, StudyError> {
        let mut inputs = read_inputs(self.config(), self.config_hash)?;
        if let Some(control) = &self.settings.contamination.control {
            let paraphrased = inputs.paraphrases.is_some();
            inputs.control = Some(self.control(&self.folder().path(control), paraphrased)?);
        }
        Ok(inputs)
    }

    /// Reads the control's judges' answers of its last run. The control of the control is ignored.
    fn control(&self, dir: &Path, paraphrased: bool) -> Result<ControlAnswers, StudyError> {
        let wrong =
            |problem: String| StudyError::Problem(format!("the control {}: {problem}", dir.display()));
        let read = || {
            let (mut study, _) = Self::open_as_last_run(dir, &Overrides::default(), self.reach.trust())?;
            study.settings.contamination.control = None;
            let inputs = study.inputs()?;
            let evidence = study.evidence(&inputs)?;
            Ok(study.as_control(&inputs, &evidence))
        };
        let control = read().map_err(|error: StudyError| wrong(error.to_string()))?;
        if control.paraphrased != paraphrased {
            let missing = if paraphrased { "it has none" } else { "it has some" };
            return Err(wrong(format!(
                "queries are to be paraphrased in both studies or in neither, and {missing}: set paraphrases under \
                 [contamination] in both"
            )));
        }
        Ok(control)
    }

    /// Returns the answers of this study's judges to disguised questions, for another study whose control it is. It
    /// sends no request.
    pub fn as_control(&self, inputs: &Inputs, evidence: &StudyEvidence) -> ControlAnswers {
        study_as_control(&self.settings, inputs, evidence)
    }
}

impl Study {
    /// Reads the texts of the pool, for [`evidence_with`](Self::evidence_with).
    ///
    /// # Errors
    /// Returns an error if there is no judge, or the corpus lacks a document that one reads.
    pub fn texts(&self, inputs: &Inputs) -> Result<StudyTexts, StudyError> {
        Ok(read_texts(self.config(), inputs)?)
    }

    /// Reads the evidence as [`evidence`](Self::evidence) does, but no text: for callers that read a growing ledger
    /// again.
    ///
    /// # Errors
    /// Returns an error if a judge is invalid, or the ledger cannot be read.
    pub fn evidence_with(&self, inputs: &Inputs, texts: &StudyTexts) -> Result<StudyEvidence, StudyError> {
        let config = self.config();
        let read = |ledger: &dyn LedgerReader| read_evidence_with(config, (inputs, texts.0.clone()), ledger);
        self.ledger.read(&mut |ledger| Ok(read(ledger)?))
    }
}
