//! The cost of a study's open questions.

use llull_config::{Environment, Settings};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::judging::{Estimate, estimates, in_batches, probe_estimates};
use crate::probes::JudgeProbe;
use crate::study_config::StudyConfig;

/// The cost of judging in a study, which it computes without a request.
#[derive(Clone, Copy)]
pub struct StudyEstimates<'a>(&'a Study);

impl Study {
    /// Returns the estimates of the study.
    pub fn estimates(&self) -> StudyEstimates<'_> {
        StudyEstimates(self)
    }
}

impl StudyEstimates<'_> {
    /// Returns the open questions of every judge, and their cost. It sends no request.
    ///
    /// # Errors
    /// Returns an error if a prompt cannot be rendered.
    pub fn open(&self, inputs: &Inputs, evidence: &StudyEvidence) -> Result<Vec<Estimate>, StudyError> {
        estimates(self.0.config(), inputs, evidence)
    }

    /// Returns the same [cost](Self::open) for requests in batches, at the price that providers promise for
    /// them.
    ///
    /// # Errors
    /// Returns those of [`open`](Self::open), and an error if a judge's name or address cannot be used, or its
    /// provider has no batches.
    pub fn in_batches(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        environment: Environment<'_>,
    ) -> Result<Vec<Estimate>, StudyError> {
        in_batches(self.0.settings(), environment, self.open(inputs, evidence)?)
    }

    /// Returns the cost of judging the pairs at these places of the pool [alone](crate::Judging::only), without
    /// repeated questions.
    ///
    /// # Errors
    /// Returns those of [`evidence_of`](Study::evidence_of), and an error if a prompt cannot be rendered.
    pub fn of_pairs(&self, inputs: &Inputs, places: &[usize]) -> Result<Vec<Estimate>, StudyError> {
        let settings = Settings { recheck: 0.0, ..self.0.settings().clone() };
        estimates(
            StudyConfig { settings: &settings, ..self.0.config() },
            inputs,
            &self.0.evidence_of(inputs, places)?,
        )
    }

    /// Returns the cost of judging [changed documents](crate::Judging::probe). It sends no request.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a prompt cannot be rendered.
    pub fn of_probes(&self, inputs: &Inputs, probes: &[JudgeProbe]) -> Result<Vec<Estimate>, StudyError> {
        let config = self.0.config();
        self.0.ledger.read(&mut |ledger| probe_estimates(config, inputs, ledger, probes))
    }
}
