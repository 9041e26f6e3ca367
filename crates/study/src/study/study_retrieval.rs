//! Retrieval by a study's systems, and its saved results.

use std::path::PathBuf;

use llull_config::{LiveSource, Settings, SystemSource};
use llull_core::{Run, Topics};

use super::steps::Study;
use crate::error::StudyError;
use crate::inputs::{
    Corpus, LiveRequests, LiveResults, RetrievedRun, are_kept, ask_live, kept_file, live_results,
    retrieved_runs, write_hybrids,
};
#[cfg(feature = "encoders")]
use crate::inputs::{dense_to_retrieve, retrieve_dense};
use crate::reach::of_live_system;
use crate::study_config::StudyConfig;

/// The systems of a study that llull retrieves from.
#[derive(Clone, Copy)]
pub struct StudyRetrieval<'a>(&'a Study);

impl Study {
    /// Returns the retrieval of the study.
    pub fn retrieval(&self) -> StudyRetrieval<'_> {
        StudyRetrieval(self)
    }
}

impl<'a> StudyRetrieval<'a> {
    /// Returns the study's corpus.
    ///
    /// # Errors
    /// Returns an error if the configuration names none, or its file is not there.
    pub fn corpus(&self) -> Result<Corpus, StudyError> {
        Corpus::of(self.0.config())
    }

    /// Returns the run of every system that llull retrieves itself, in the order of the systems; `None` for the others.
    /// A run in a file is made again only if an input has changed.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read, a retriever fails, or a run cannot be written.
    pub fn runs(&self, topics: &Topics) -> Result<Vec<Option<RetrievedRun>>, StudyError> {
        Ok(retrieved_runs(self.0.config(), topics)?)
    }

    /// Queries the live systems without current saved results; with `refresh` all of them.
    ///
    /// `began` gets each system's name. The queries are sent, and results, texts and times are saved. Only this
    /// function runs a program or queries a server: everything else reads saved results.
    ///
    /// # Errors
    /// Returns [`StudyError::Untrusted`] if the study is not trusted with a program or a server, and an error if one
    /// fails or its answer cannot be read.
    pub fn ask_live(
        &self,
        requests: LiveRequests<'_>,
        refresh: bool,
        mut began: impl FnMut(&str),
    ) -> Result<(), StudyError> {
        let topics = self.0.topics()?;
        for of in self.live() {
            if !refresh && are_kept(of, self.0.config(), &topics)? {
                continue;
            }
            let reach = of_live_system(of.0, of.1, self.0.folder(), requests.environment)?;
            self.0.reach.trust().allow(reach)?;
            began(of.0);
            let answers = ask_live(of, self.0.config(), &topics, requests)?;
            answers.results.check_identifiers(of.0)?;
            answers.save()?;
        }
        Ok(())
    }

    /// Returns the file with a live system's results for queries that need not be the study's. It requests them once,
    /// and again with `refresh`; `began` is called before.
    ///
    /// # Errors
    /// Those of [`ask_live`](Self::ask_live).
    pub fn evaluated_results(
        &self,
        (name, source): (&str, &LiveSource),
        (topics, depth): (&Topics, usize),
        requests: LiveRequests<'_>,
        refresh: bool,
        began: impl FnOnce(),
    ) -> Result<PathBuf, StudyError> {
        let settings = Settings { retrieve_depth: depth, ..self.0.settings().clone() };
        let config = StudyConfig { settings: &settings, ..self.0.config() };
        // These are separate from those for the study's own queries.
        let saved_as = format!("{name}.evaluated");
        let of = (saved_as.as_str(), source);
        if refresh || !are_kept(of, config, topics)? {
            let reach = of_live_system(name, source, self.0.folder(), requests.environment)?;
            self.0.reach.trust().allow(reach)?;
            began();
            ask_live(of, config, topics, requests)?.save()?;
        }
        kept_file(self.0.folder(), &saved_as)
    }

    /// Writes the run of every hybrid to a file of llull's own. Returns the runs with these files.
    ///
    /// # Errors
    /// Returns an error if the results of one of its systems cannot be read, or a run cannot be written.
    pub fn write_hybrids(&self, topics: &Topics) -> Result<Vec<(Run, PathBuf)>, StudyError> {
        Ok(write_hybrids(self.0.config(), topics)?)
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
        let topics = self.0.topics()?;
        for (system, name) in dense_to_retrieve(self.0.config())? {
            let encoder = encoder(name)?;
            let study = self.0.config();
            retrieve_dense(system, &*encoder, study, &topics, &mut |at| encoded(&system.name, at))?;
        }
        Ok(())
    }

    /// Returns the results of live systems, with their names.
    ///
    /// # Errors
    /// Returns an error if one was not queried yet, or if saved results cannot be read.
    pub fn live_results(&self, topics: &Topics) -> Result<Vec<(&'a str, LiveResults)>, StudyError> {
        self.live().map(|of| Ok((of.0, live_results(of, self.0.config(), topics)?))).collect()
    }

    fn live(&self) -> impl Iterator<Item = (&'a str, &'a LiveSource)> + use<'a> {
        self.0.settings().systems.iter().filter_map(|system| match &system.source {
            SystemSource::Live(source) => Some((system.name.as_str(), source)),
            _ => None,
        })
    }
}
