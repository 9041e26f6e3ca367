//! Queries live systems, and saves their answers in one form.

use llull_candidates::RetrievalCommand;
use llull_config::{
    CommandSettings, Environment, Folder, LiveSource, SavedFile, Settings, given_environment,
};
use llull_core::{Hash, Topics};
use llull_data::Output;

#[cfg(feature = "postgres")]
use super::asking_postgres::ask_postgres;
use super::asking_remote::ask_remote;
use super::live_requests::LiveRequests;
use super::live_results::{LiveResults, key, read, saved};
use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;

/// The answers of a live system: complete and readable, but not saved yet.
pub(crate) struct LiveAnswers<'a> {
    saved: SavedFile<'a>,
    output: Output,
    key: Hash,
    /// The answers.
    pub(crate) results: LiveResults,
}

impl LiveAnswers<'_> {
    /// Saves them in place of the system's earlier answers.
    ///
    /// # Errors
    /// Returns an error if they cannot be written. The earlier answers stay saved then.
    pub(crate) fn save(self) -> Result<(), StudyError> {
        Ok(self.saved.save(self.output, self.key)?)
    }
}

/// Queries a live system.
///
/// # Errors
/// Returns an error if it cannot be queried, if its answers cannot be read, or if it answers no query. Earlier answers
/// stay saved then.
pub(crate) fn ask_live<'a>(
    (system, source): (&str, &LiveSource),
    settings: &Settings,
    folder: &'a Folder,
    topics: &Topics,
    requests: LiveRequests<'_>,
) -> Result<LiveAnswers<'a>, StudyError> {
    let saved = saved(folder, system);
    let mut output = saved.create()?;
    let depth = settings.retrieve_depth;
    match source {
        LiveSource::Command(command) => {
            run((system, command), folder, (topics, depth), requests.environment, &mut output)?;
        }
        LiveSource::Postgres(postgres) => {
            ask_postgres((system, postgres), (topics, depth), requests, &mut output)?;
        }
        LiveSource::Remote(remote) => {
            ask_remote((system, remote), (topics, depth), requests, &mut output)?;
        }
    }
    let results = read(output.flushed()?, system)?;
    if results.run.is_empty() && !topics.is_empty() {
        let reason = results.failed.into_iter().next().map(|(_, why)| why);
        return Err(RetrievalError::NoneAnswered {
            system: system.to_owned(),
            queries: topics.len(),
            reason: reason.unwrap_or_else(|| "it sent nothing".to_owned()),
        }
        .into());
    }
    Ok(LiveAnswers { saved, output, key: key(source, settings, topics), results })
}

/// Runs a program, and writes its output.
fn run(
    (system, command): (&str, &CommandSettings),
    folder: &Folder,
    (topics, depth): (&Topics, usize),
    environment: Environment<'_>,
    output: &mut Output,
) -> Result<(), StudyError> {
    let retrieval = RetrievalCommand {
        name: system,
        arguments: &command.command,
        dir: folder.dir(),
        environment: given_environment(&command.env, environment),
        timeout: command.timeout(),
    };
    retrieval.run(topics, depth, output)?;
    Ok(())
}

/// Refuses a database in a build without the feature `postgres`.
#[cfg(not(feature = "postgres"))]
fn ask_postgres(
    (system, _): (&str, &llull_config::PostgresSettings),
    _: (&Topics, usize),
    _: LiveRequests<'_>,
    _: &mut Output,
) -> Result<(), StudyError> {
    Err(RetrievalError::NoPostgres(system.to_owned()).into())
}
