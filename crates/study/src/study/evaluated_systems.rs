//! What a study's systems find for queries that are not the study's: those of an evaluation by expected answers.

use llull_candidates::fused_run;
use llull_config::{Environment, LiveSource, SystemSettings, SystemSource};
use llull_core::Run;
use llull_encoder::{Encoder, TextRole};
use llull_files::WithNotes;

use super::steps::Study;
use crate::error::StudyError;
use crate::expected_answers::{SearchedDocuments, SystemResults, WantedResults, read_system_results};
use crate::inputs::{Corpus, LiveRequests, are_kept, ask_live, kept_file};
use crate::reach::of_live_system;
use crate::retrieval_error::RetrievalError;
use crate::saved::saved_vectors;

/// Returns the encoder of a name.
pub type EncoderByName<'a> = dyn Fn(&str) -> Result<Box<dyn Encoder>, StudyError> + 'a;

/// What a study's systems need to be asked.
pub struct SystemRequests<'a> {
    /// The queries, and how many results of each are wanted.
    pub wanted: WantedResults<'a>,
    /// Whether a live system is asked although its results for these queries are kept.
    pub refresh: bool,
    /// Looks up variables: those that a program is given, and keys.
    pub environment: Environment<'a>,
    /// Where encoders come from.
    pub encoder: &'a EncoderByName<'a>,
    /// Is told what is done: which system is asked, or how many documents of a system are encoded.
    pub says: &'a dyn Fn(String),
}

impl Study {
    /// Returns what a system of the study finds for these queries: a live one is asked once and what it answers is
    /// kept, a retriever of llull's own searches the study's corpus.
    ///
    /// # Errors
    /// Returns an error if there is no such system, it is a run file, the study is not trusted with its program or
    /// server, or it cannot be asked.
    pub fn evaluated_system(
        &self,
        name: &str,
        requests: &SystemRequests<'_>,
    ) -> Result<WithNotes<SystemResults>, StudyError> {
        let system = self.settings().systems.iter().find(|system| system.name == name);
        let system = system.ok_or_else(|| RetrievalError::NoSuchSystem(name.to_owned()))?;
        let wanted = requests.wanted;
        let results = match &system.source {
            SystemSource::Run { .. } => return Err(RetrievalError::NotAsked(name.to_owned()).into()),
            SystemSource::Live(source) => return self.results_of_live((name, source), requests),
            SystemSource::Custom(custom) => {
                let all = llull_candidates::retrieve_all(&*custom.0, wanted.topics, wanted.depth)?;
                let notes = all.remark().into_iter().collect();
                return Ok(WithNotes { value: self.searched()?.with_texts(&all.run)?, notes });
            }
            SystemSource::Retriever { retriever, .. } => match retriever {
                llull_config::RetrieverKind::Bm25 => self.searched()?.by_words(name, wanted)?,
                llull_config::RetrieverKind::Ngram => self.searched()?.by_pieces(name, wanted)?,
                llull_config::RetrieverKind::Fts5 => self.searched()?.by_fts5(name, wanted)?,
            },
            SystemSource::Dense { encoder, .. } => {
                let encoder = (requests.encoder)(encoder)?;
                let kept = saved_vectors(self.folder(), encoder.name())?;
                let mut says =
                    |done: usize| (requests.says)(format!("{name}: {done} documents have their vectors"));
                self.searched()?.by_vectors(name, (&*encoder, kept), &mut says, wanted)?
            }
            SystemSource::Hybrid { of } => return self.joined(system, of, requests),
        };
        Ok(WithNotes { value: results, notes: Vec::new() })
    }

    fn searched(&self) -> Result<SearchedDocuments, StudyError> {
        Ok(SearchedDocuments(Corpus::of(self.settings(), self.folder())?))
    }

    fn results_of_live(
        &self,
        (name, source): (&str, &LiveSource),
        requests: &SystemRequests<'_>,
    ) -> Result<WithNotes<SystemResults>, StudyError> {
        let WantedResults { topics, depth } = requests.wanted;
        let mut study = self.settings().clone();
        study.retrieve_depth = depth;
        // Beside those for the study's own queries.
        let kept_as = format!("{name}.evaluated");
        let of = (kept_as.as_str(), source);
        if requests.refresh || !are_kept(of, &study, self.folder(), topics)? {
            let reach = of_live_system(name, source, self.folder(), requests.environment)?;
            self.reach.trust().allow(reach)?;
            (requests.says)(format!("retrieving: {name}"));
            let vectors = |encoder: &str, texts: &[&str]| {
                let vectors = (requests.encoder)(encoder)?.encode(texts, TextRole::Query)?;
                Ok(vectors.iter().map(|(vector, _)| vector.to_vec()).collect())
            };
            let live = LiveRequests { environment: requests.environment, vectors: &vectors };
            ask_live(of, &study, self.folder(), topics, live)?.save()?;
        }
        Ok(read_system_results(&kept_file(self.folder(), &kept_as)?, name)?)
    }

    /// Joins what other systems find, by reciprocal rank fusion.
    fn joined(
        &self,
        system: &SystemSettings,
        of: &[String],
        requests: &SystemRequests<'_>,
    ) -> Result<WithNotes<SystemResults>, StudyError> {
        let mut notes = Vec::new();
        let mut parts = Vec::new();
        for part in of {
            let read = self.evaluated_system(part, requests)?;
            notes.extend(read.notes);
            parts.push(read.value);
        }
        let runs: Vec<Run> = parts.iter().map(SystemResults::run).collect();
        let WantedResults { topics, depth } = requests.wanted;
        let run = fused_run(&system.name, &runs.iter().collect::<Vec<_>>(), topics, depth);
        Ok(WithNotes { value: SystemResults::of_run(&run, &parts), notes })
    }
}
