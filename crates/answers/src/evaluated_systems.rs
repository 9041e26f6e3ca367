//! Runs a study's systems on the queries of an evaluation.

use llull_candidates::fused_run;
use llull_config::{Environment, LiveSource, RetrieverKind, SystemSettings, SystemSource};
use llull_core::Run;
use llull_data::Columns;
use llull_encoder::{Encoder, TextRole};
use llull_files::WithNotes;
use llull_study::{LiveRequests, RetrievalError, Study, StudyError, saved_vectors};

use crate::expected_answers::{SearchedDocuments, SystemResults, WantedResults, read_system_results};

/// Returns the encoder of a name.
pub type EncoderByName<'a> = dyn Fn(&str) -> Result<Box<dyn Encoder>, StudyError> + 'a;

/// The context of running a study's systems.
pub struct SystemRequests<'a> {
    /// The queries, and the number of results of each.
    pub wanted: WantedResults<'a>,
    /// Whether a live system is queried although its results for these queries are saved.
    pub refresh: bool,
    /// Looks up environment variables: those of a program, and keys.
    pub environment: Environment<'a>,
    /// Returns encoders by name.
    pub encoder: &'a EncoderByName<'a>,
    /// Receives progress messages: the system that is queried, or the number of encoded documents.
    pub says: &'a dyn Fn(String),
}

/// Returns the results of a study's system for these queries. A live system is queried once and its results are saved;
/// a retriever of llull's own searches the study's corpus.
///
/// # Errors
/// Returns an error if there is no such system, it is a run file, or it cannot be queried. Also if the study is not
/// trusted with its program or server.
pub fn evaluated_system(
    study: &Study,
    name: &str,
    requests: &SystemRequests<'_>,
) -> Result<WithNotes<SystemResults>, StudyError> {
    let system = study.settings().systems.iter().find(|system| system.name == name);
    let system = system.ok_or_else(|| RetrievalError::Problem(format!("the study has no system {name}")))?;
    let wanted = requests.wanted;
    let searched = || Ok::<_, StudyError>(SearchedDocuments(study.retrieval().corpus()?));
    let results = match &system.source {
        SystemSource::Run { .. } => {
            return Err(RetrievalError::Problem(format!(
                "system {name} is a run file, which cannot answer other queries; give its results by --results"
            ))
            .into());
        }
        SystemSource::Live(source) => return results_of_live(study, (name, source), requests),
        SystemSource::Custom(custom) => {
            let all = llull_candidates::retrieve_all(&*custom.0, wanted.topics, wanted.depth)?;
            let notes = all.remark().into_iter().collect();
            return Ok(WithNotes { value: searched()?.with_texts(&all.run)?, notes });
        }
        SystemSource::Retriever { retriever, .. } => match retriever {
            RetrieverKind::Bm25 => searched()?.by_words(name, wanted)?,
            RetrieverKind::Ngram => searched()?.by_pieces(name, wanted)?,
            RetrieverKind::Fts5 => searched()?.by_fts5(name, wanted)?,
        },
        SystemSource::Dense { encoder, .. } => {
            let encoder = (requests.encoder)(encoder)?;
            let saved = saved_vectors(study.folder(), encoder.name())?;
            let mut says =
                |done: usize| (requests.says)(format!("{name}: {done} documents have their vectors"));
            searched()?.by_vectors(name, (&*encoder, saved), &mut says, wanted)?
        }
        SystemSource::Hybrid { of } => return joined(study, system, of, requests),
    };
    Ok(WithNotes { value: results, notes: Vec::new() })
}

fn results_of_live(
    study: &Study,
    (name, source): (&str, &LiveSource),
    requests: &SystemRequests<'_>,
) -> Result<WithNotes<SystemResults>, StudyError> {
    let vectors = |encoder: &str, texts: &[&str]| {
        let vectors = (requests.encoder)(encoder)?.encode(texts, TextRole::Query)?;
        Ok(vectors.iter().map(|(vector, _)| vector.to_vec()).collect())
    };
    let live = LiveRequests { environment: requests.environment, vectors: &vectors };
    let WantedResults { topics, depth } = requests.wanted;
    let began = || (requests.says)(format!("retrieving: {name}"));
    let file = study.retrieval().evaluated_results(
        (name, source),
        (topics, depth),
        live,
        requests.refresh,
        began,
    )?;
    Ok(read_system_results(&file, name, &Columns::default(), topics)?)
}

/// Fuses the results of other systems, by reciprocal rank fusion.
fn joined(
    study: &Study,
    system: &SystemSettings,
    of: &[String],
    requests: &SystemRequests<'_>,
) -> Result<WithNotes<SystemResults>, StudyError> {
    let mut notes = Vec::new();
    let mut parts = Vec::new();
    for part in of {
        let read = evaluated_system(study, part, requests)?;
        notes.extend(read.notes);
        parts.push(read.value);
    }
    let runs: Vec<Run> = parts.iter().map(SystemResults::run).collect();
    let WantedResults { topics, depth } = requests.wanted;
    let run = fused_run(&system.name, &runs.iter().collect::<Vec<_>>(), topics, depth);
    Ok(WithNotes { value: SystemResults::of_run(&run, &parts), notes })
}
