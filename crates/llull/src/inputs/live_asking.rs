//! Asking live systems: what each answers is written in one form and kept, whoever is asked.

use std::io::Write as _;

use llull_candidates::RetrievalCommand;
use llull_core::Topics;
use llull_data::{DataError, Output};

#[cfg(feature = "postgres")]
use super::asking_postgres::ask_postgres;
use super::live_requests::LiveRequests;
use super::live_results::{file_name, key, key_name, read};
use crate::config::{CommandSettings, LiveSource, Settings};
use crate::environment::{Environment, given_environment};
use crate::error::StudyError;
use crate::folder::Folder;

/// Asks a live system and keeps what it answers.
///
/// # Errors
/// Returns an error if it cannot be asked, if what it answers cannot be read, or if it cannot be kept. What was kept
/// before is kept then.
pub(crate) fn retrieve_live(
    (system, source): (&str, &LiveSource),
    settings: &Settings,
    folder: &Folder,
    topics: &Topics,
    requests: LiveRequests<'_>,
) -> Result<(), StudyError> {
    let mut output = folder.create_private(file_name(system))?;
    let depth = settings.retrieve_depth;
    match source {
        LiveSource::Command(command) => {
            run((system, command), folder, (topics, depth), requests.environment, &mut output)?;
        }
        LiveSource::Postgres(postgres) => {
            ask_postgres((system, postgres), (topics, depth), requests, &mut output)?;
        }
    }
    read(output.written(), system)?;
    // Without its key what is kept is out of date, so that a kill in between loses nothing but time.
    let mut kept = folder.create_private(key_name(system))?;
    output.finish()?;
    kept.write_all(key(source, settings, topics).as_bytes()).map_err(DataError::File)?;
    Ok(kept.finish()?)
}

/// Runs a program, which writes its answers itself.
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
    retrieval.run(topics, depth, output.for_process()?)?;
    Ok(())
}

/// Refuses a database in a build without the feature `postgres`.
#[cfg(not(feature = "postgres"))]
fn ask_postgres(
    (system, _): (&str, &crate::config::PostgresSettings),
    _: (&Topics, usize),
    _: LiveRequests<'_>,
    _: &mut Output,
) -> Result<(), StudyError> {
    Err(crate::retrieval_error::RetrievalError::NoRetrievers(system.to_owned()).into())
}
