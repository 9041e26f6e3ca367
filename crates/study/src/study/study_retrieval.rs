//! Retrieval of a study: what its own systems find, and results that are saved.

use std::path::PathBuf;

use llull_config::{LiveSource, Settings, SystemSource};
use llull_core::{Run, Topics};

use super::steps::Study;
use crate::error::StudyError;
use crate::inputs::{
    LiveRequests, LiveResults, RetrievedRun, are_kept, ask_live, kept_file, live_results, retrieved_runs,
    write_hybrids,
};
#[cfg(feature = "encoders")]
use crate::inputs::{dense_to_retrieve, retrieve_dense};
use crate::reach::of_live_system;

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
    /// Returns the run of every system that llull retrieves itself, in the order of the systems; `None` for the
    /// others. A run in a file is made again only if something that it depends on has changed.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read, a retriever fails, or a run cannot be written.
    pub fn runs(&self, topics: &Topics) -> Result<Vec<Option<RetrievedRun>>, StudyError> {
        Ok(retrieved_runs(self.0.settings(), self.0.folder(), topics)?)
    }

    /// Asks the live systems whose results are not kept yet, or were retrieved with other settings or for other
    /// queries; with `refresh` all of them. `began` is told each system's name. The queries go out, results, texts and
    /// times come back and are kept. Only this runs a program or asks a server: everything else reads what is kept.
    ///
    /// # Errors
    /// Returns [`StudyError::Untrusted`] if the study is not trusted with a program or a server, and an error if one
    /// fails or what it answers cannot be read.
    pub fn ask_live(
        &self,
        requests: LiveRequests<'_>,
        refresh: bool,
        mut began: impl FnMut(&str),
    ) -> Result<(), StudyError> {
        let topics = self.0.topics()?;
        for of in self.live() {
            if !refresh && are_kept(of, self.0.settings(), self.0.folder(), &topics)? {
                continue;
            }
            let reach = of_live_system(of.0, of.1, self.0.folder(), requests.environment)?;
            self.0.reach.trust().allow(reach)?;
            began(of.0);
            let answers = ask_live(of, self.0.settings(), self.0.folder(), &topics, requests)?;
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
        // Beside those for the study's own queries.
        let saved_as = format!("{name}.evaluated");
        let of = (saved_as.as_str(), source);
        if refresh || !are_kept(of, &settings, self.0.folder(), topics)? {
            let reach = of_live_system(name, source, self.0.folder(), requests.environment)?;
            self.0.reach.trust().allow(reach)?;
            began();
            ask_live(of, &settings, self.0.folder(), topics, requests)?.save()?;
        }
        kept_file(self.0.folder(), &saved_as)
    }

    /// Writes the run of every hybrid to a file of llull's own. Returns the runs with these files.
    ///
    /// # Errors
    /// Returns an error if the results of a system that one is of cannot be read, or a run cannot be written.
    pub fn write_hybrids(&self, topics: &Topics) -> Result<Vec<(Run, PathBuf)>, StudyError> {
        Ok(write_hybrids(self.0.settings(), self.0.folder(), topics)?)
    }

    /// Makes the runs of dense systems that are not kept, or are of something else by now. Vectors of documents are
    /// kept with the study, so no text is encoded twice. `encoder` returns the encoder of a name; `encoded` is told now
    /// and then how many documents of a system have their vectors.
    ///
    /// # Errors
    /// Returns an error if there is no such encoder, the corpus cannot be read, texts cannot be encoded, or the study
    /// keeps nothing.
    #[cfg(feature = "encoders")]
    pub fn encode<E: From<StudyError>>(
        &self,
        mut encoder: impl FnMut(&str) -> Result<Box<dyn llull_encoder::Encoder>, E>,
        mut encoded: impl FnMut(&str, usize),
    ) -> Result<(), E> {
        let topics = self.0.topics()?;
        for (system, name) in dense_to_retrieve(self.0.settings(), self.0.folder())? {
            let encoder = encoder(name)?;
            let study = (self.0.settings(), self.0.folder());
            retrieve_dense(system, &*encoder, study, &topics, &mut |at| encoded(&system.name, at))?;
        }
        Ok(())
    }

    /// Returns what live systems retrieved, with their names.
    ///
    /// # Errors
    /// Returns an error if one was not asked yet, or if what is kept cannot be read.
    pub fn live_results(&self, topics: &Topics) -> Result<Vec<(&'a str, LiveResults)>, StudyError> {
        self.live()
            .map(|of| Ok((of.0, live_results(of, self.0.settings(), self.0.folder(), topics)?)))
            .collect()
    }

    fn live(&self) -> impl Iterator<Item = (&'a str, &'a LiveSource)> + use<'a> {
        self.0.settings().systems.iter().filter_map(|system| match &system.source {
            SystemSource::Live(source) => Some((system.name.as_str(), source)),
            _ => None,
        })
    }
}
