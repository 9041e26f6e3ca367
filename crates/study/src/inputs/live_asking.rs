//! Queries live systems, and saves their answers in one form.

use llull_candidates::RetrievalCommand;
use llull_candidates::remote::NamedKey;
use llull_config::{
    CommandSettings, Environment, Folder, LiveSource, PostgresSettings, RemoteSettings, SavedFile,
    given_environment,
};
use llull_core::{Hash, Topic, Topics};
use llull_data::Output;

use super::live_results::{LiveResults, key, read, saved};
use crate::error::StudyError;
use crate::inputs::remote_server::{remote_address, remote_key};
use crate::inputs::retrieval_error::RetrievalError;
use crate::study_config::StudyConfig;

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
    StudyConfig { settings, folder }: StudyConfig<'a>,
    topics: &Topics,
    requests: LiveRequests<'_>,
) -> Result<LiveAnswers<'a>, StudyError> {
    let saved = saved(folder, system);
    let mut output = saved.create()?;
    let depth = settings.retrieve_depth;
    let asked: Vec<&Topic> = topics.iter().collect();
    match source {
        LiveSource::Command(command) => {
            run((system, command), folder, (topics, depth), requests.environment, &mut output)?;
        }
        LiveSource::Postgres(postgres) => {
            ask_postgres((system, postgres), (&asked, depth), requests, &mut output)?;
        }
        LiveSource::Remote(remote) => {
            ask_remote((system, remote), (&asked, depth), requests, &mut output)?;
        }
    }
    let results = read(output.flushed()?, system)?;
    if results.run.is_empty() && !topics.is_empty() {
        let reason = results.failed.into_iter().next().map(|(_, why)| why);
        return Err(RetrievalError::Problem(format!(
            "system {system}: none of {queries} queries was answered; the first: {reason}. Earlier results stay \
             saved",
            queries = topics.len(),
            reason = reason.unwrap_or_else(|| "it sent nothing".to_owned())
        ))
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

/// Returns the vectors of the queries, for a search by vectors. They are computed before the search, so that they do
/// not count as the time of a query.
fn vectors(
    encoder: Option<&String>,
    topics: &[&Topic],
    requests: LiveRequests<'_>,
) -> Result<Option<Vec<Vec<f32>>>, StudyError> {
    let texts = || topics.iter().map(|topic| topic.text.as_str()).collect::<Vec<_>>();
    encoder.map(|encoder| (requests.vectors)(encoder, &texts())).transpose()
}

/// Sends all queries to an HTTP server, and writes the results.
fn ask_remote(
    (system, settings): (&str, &RemoteSettings),
    (topics, depth): (&[&Topic], usize),
    requests: LiveRequests<'_>,
    output: &mut Output,
) -> Result<(), StudyError> {
    let asked = remote_address((system, settings), requests.environment)?;
    let key = remote_key((system, settings), requests.environment)?;
    let key = settings.key.as_deref().zip(key.as_deref()).map(|(variable, key)| NamedKey { variable, key });
    let retrieval = settings.requests(system, asked, key).map_err(RetrievalError::from)?;
    let vectors = vectors(settings.encoder.as_ref(), topics, requests)?;
    let asked = retrieval.ask(topics, vectors.as_deref(), depth, output, &mut |_| {});
    Ok(asked.map_err(RetrievalError::from)?)
}

/// Sends all queries to a PostgreSQL server, and writes the results.
#[cfg(feature = "postgres")]
fn ask_postgres(
    (system, settings): (&str, &PostgresSettings),
    (topics, depth): (&[&Topic], usize),
    requests: LiveRequests<'_>,
    output: &mut Output,
) -> Result<(), StudyError> {
    use llull_candidates::{PostgresAddress, PostgresError, PostgresSearch, QueryToPostgres};

    let wrong = |source| RetrievalError::Postgres { system: system.to_owned(), source };
    let address = (requests.environment)(&settings.address).filter(|address| !address.trim().is_empty());
    let address = address.ok_or_else(|| {
        RetrievalError::Problem(format!(
            "system {system} asks the PostgreSQL server that {variable} names, and {variable} is not set: export it, \
             or put {variable}=postgresql://user:password@host:5432/database into .env",
            variable = settings.address
        ))
    })?;
    let address = PostgresAddress::parse(&address)
        .map_err(|error| wrong(PostgresError::Problem(error.to_string())))?
        .in_variable(&settings.address);
    let vectors = vectors(settings.encoder.as_ref(), topics, requests)?.unwrap_or_default();
    let asked = topics
        .iter()
        .enumerate()
        .map(|(place, topic)| QueryToPostgres { topic, vector: vectors.get(place).map(Vec::as_slice) });
    let search = PostgresSearch {
        address: &address,
        query: &settings.query,
        timeout: settings.timeout(),
        connections: settings.connections,
    };
    Ok(search.run(&asked.collect::<Vec<_>>(), depth, output, &mut |_| {}).map_err(wrong)?)
}

/// Refuses a database in a build without the feature `postgres`.
#[cfg(not(feature = "postgres"))]
fn ask_postgres(
    (system, _): (&str, &PostgresSettings),
    _: (&[&Topic], usize),
    _: LiveRequests<'_>,
    _: &mut Output,
) -> Result<(), StudyError> {
    Err(RetrievalError::Problem(format!(
        "system {system}: this llull was built without PostgreSQL (feature `postgres`); name a run file instead"
    ))
    .into())
}

/// Returns the vectors of queries by the named encoder, one for each query in their order.
pub type QueryVectors<'a> = dyn Fn(&str, &[&str]) -> Result<Vec<Vec<f32>>, StudyError> + 'a;

/// The context of querying live systems.
#[derive(Clone, Copy)]
pub struct LiveRequests<'a> {
    /// Looks up environment variables: those of a program, and keys.
    pub environment: Environment<'a>,
    /// Computes vectors of queries, for servers that search by them.
    pub vectors: &'a QueryVectors<'a>,
}
