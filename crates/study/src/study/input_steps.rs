//! Reads a study's inputs, live results and control.

use std::path::{Path, PathBuf};

use llull_config::{LiveSource, Overrides, Settings, SystemSource};
use llull_core::{Run, Topics};

use super::steps::Study;
use crate::auditing::study_as_control;
use crate::control_answers::ControlAnswers;
use crate::diff::DiffError;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::{
    Inputs, LiveRequests, LiveResults, are_kept, ask_live, kept_file, live_results, read_inputs,
    write_hybrids,
};
#[cfg(feature = "encoders")]
use crate::inputs::{dense_to_retrieve, retrieve_dense};
use crate::reach::of_live_system;

impl Study {
    /// Reads all inputs of judging: rubric, topics, every system's results, the pool.
    ///
    /// # Errors
    /// Returns an error that names file, line and remedy if a file is missing or invalid, or a retriever fails.
    pub fn inputs(&self) -> Result<Inputs, StudyError> {
        let mut inputs = read_inputs(&self.settings, self.folder(), self.config_hash)?;
        if let Some(control) = &self.settings.contamination.control {
            let paraphrased = inputs.paraphrases.is_some();
            inputs.control = Some(self.control(&self.folder().path(control), paraphrased)?);
        }
        Ok(inputs)
    }

    /// Queries the live systems without current saved results; with `refresh` all of them.
    ///
    /// `began` gets each system's name. The queries are sent, and results, texts and times are saved. Only this
    /// function runs a program or queries a server: everything else reads saved results.
    ///
    /// # Errors
    /// Returns [`StudyError::Untrusted`] if the study is not trusted with a program or a server, and an error if one
    /// fails or its answer cannot be read.
    pub fn retrieve_live(
        &self,
        requests: LiveRequests<'_>,
        refresh: bool,
        mut began: impl FnMut(&str),
    ) -> Result<(), StudyError> {
        let topics = self.topics()?;
        for of in self.live() {
            if !refresh && are_kept(of, &self.settings, self.folder(), &topics)? {
                continue;
            }
            let reach = of_live_system(of.0, of.1, self.folder(), requests.environment)?;
            self.reach.trust().allow(reach)?;
            began(of.0);
            let answers = ask_live(of, &self.settings, self.folder(), &topics, requests)?;
            answers.results.check_identifiers(of.0)?;
            answers.save()?;
        }
        Ok(())
    }

    /// Returns the file with a live system's results for queries that need not be the study's. It requests them once,
    /// and again with `refresh`; `began` is called before.
    ///
    /// # Errors
    /// Those of [`retrieve_live`](Self::retrieve_live).
    pub fn evaluated_results(
        &self,
        (name, source): (&str, &LiveSource),
        (topics, depth): (&Topics, usize),
        requests: LiveRequests<'_>,
        refresh: bool,
        began: impl FnOnce(),
    ) -> Result<PathBuf, StudyError> {
        let settings = Settings { retrieve_depth: depth, ..self.settings().clone() };
        // These are separate from those for the study's own queries.
        let saved_as = format!("{name}.evaluated");
        let of = (saved_as.as_str(), source);
        if refresh || !are_kept(of, &settings, self.folder(), topics)? {
            let reach = of_live_system(name, source, self.folder(), requests.environment)?;
            self.reach.trust().allow(reach)?;
            began();
            ask_live(of, &settings, self.folder(), topics, requests)?.save()?;
        }
        kept_file(self.folder(), &saved_as)
    }

    /// Writes the run of every hybrid to a file of llull's own. Returns the runs with these files.
    ///
    /// # Errors
    /// Returns an error if the results of one of its systems cannot be read, or a run cannot be written.
    pub fn write_hybrids(&self, topics: &Topics) -> Result<Vec<(Run, PathBuf)>, StudyError> {
        Ok(write_hybrids(&self.settings, self.folder(), topics)?)
    }

    /// Makes the runs of dense systems that are not saved, or outdated.
    ///
    /// Vectors of documents are saved with the study, so no text is encoded twice. `encoder` returns the encoder of a
    /// name; `encoded` receives the number of a system's encoded documents now and then.
    ///
    /// # Errors
    /// Returns an error if there is no such encoder, the corpus cannot be read, texts cannot be encoded, or the study
    /// saves nothing.
    #[cfg(feature = "encoders")]
    pub fn retrieve_dense<E: From<StudyError>>(
        &self,
        mut encoder: impl FnMut(&str) -> Result<Box<dyn llull_encoder::Encoder>, E>,
        mut encoded: impl FnMut(&str, usize),
    ) -> Result<(), E> {
        let topics = self.topics()?;
        for (system, name) in dense_to_retrieve(&self.settings, self.folder())? {
            let encoder = encoder(name)?;
            let study = (&self.settings, self.folder());
            retrieve_dense(system, &*encoder, study, &topics, &mut |at| encoded(&system.name, at))?;
        }
        Ok(())
    }

    /// Returns the results of live systems, with their names.
    ///
    /// # Errors
    /// Returns an error if one was not queried yet, or if saved results cannot be read.
    pub fn live_results(&self, topics: &Topics) -> Result<Vec<(&str, LiveResults)>, StudyError> {
        self.live().map(|of| Ok((of.0, live_results(of, &self.settings, self.folder(), topics)?))).collect()
    }

    fn live(&self) -> impl Iterator<Item = (&str, &LiveSource)> {
        self.settings.systems.iter().filter_map(|system| match &system.source {
            SystemSource::Live(source) => Some((system.name.as_str(), source)),
            _ => None,
        })
    }

    /// Reads the control's judges' answers of its last run. The control of the control is ignored.
    fn control(&self, dir: &Path, paraphrased: bool) -> Result<ControlAnswers, StudyError> {
        let wrong =
            |problem: String| StudyError::Diff(DiffError::Control { folder: dir.to_owned(), problem });
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
