//! The reach of live systems: programs, databases and servers.

use llull_config::{
    CommandSettings, Environment, FILE_NAME, Folder, LiveSource, PostgresSettings, RemoteSearch,
    RemoteSettings, SystemSource,
};
use llull_core::KeyBuilder;
use llull_llm::Address;

use super::real_path::real_path;
use super::servers::clear_text;
use super::trust::{COMMAND, Trust, server_entry};
use super::untrusted::{ReachEntry, ReachKind};
use crate::error::StudyError;
use crate::inputs::{command_key, remote_address};
use crate::study_config::StudyConfig;

/// Returns the reach of a study's live systems.
///
/// # Errors
/// Returns an error if a file that a command names cannot be read.
pub(crate) fn live(
    config: StudyConfig<'_>,
    environment: Environment<'_>,
) -> Result<Vec<ReachEntry>, StudyError> {
    let mut found = Vec::new();
    for system in &config.settings.systems {
        if let SystemSource::Live(source) = &system.source {
            found.extend(of_live_system(&system.name, source, config.folder, environment)?);
        }
    }
    Ok(found)
}

/// Returns the reach of one live system.
///
/// # Errors
/// Returns an error if a file that a command names cannot be read.
pub(crate) fn of_live_system(
    system: &str,
    source: &LiveSource,
    folder: &Folder,
    environment: Environment<'_>,
) -> Result<Vec<ReachEntry>, StudyError> {
    match source {
        LiveSource::Command(settings) => {
            Ok(vec![command(ReachKind::Command, &format!("system {system}"), settings, folder)?])
        }
        LiveSource::Postgres(settings) => Ok(vec![statement(system, settings, environment)]),
        LiveSource::Remote(settings) => Ok(retrieving_server(system, settings, environment)),
    }
}

/// Returns the entry of the command of a system or a judge, `who`.
///
/// The command is trusted with the whole folder in which it runs, now and later, as the text explains: no hash could
/// cover the files that a program loads from there. But a change of its words, or of a file that is one of its words,
/// such as a script, makes another entry.
///
/// # Errors
/// Returns an error if a file that it names cannot be read.
pub(super) fn command(
    kind: ReachKind,
    who: &str,
    settings: &CommandSettings,
    folder: &Folder,
) -> Result<ReachEntry, StudyError> {
    let CommandSettings { command, env, timeout: _ } = settings;
    let dir = real_path(folder.dir()).display().to_string();
    let key = KeyBuilder::new("llull retrieval command v2").text("folder", &dir);
    let mut key = command_key(key, command, folder)?;
    for name in env {
        key = key.text("variable", name);
    }
    let with = match env.as_slice() {
        [] => String::new(),
        names => format!(", with {} of your environment", names.join(", ")),
    };
    Ok(ReachEntry {
        kind,
        entry: format!("{COMMAND}{}", key.finish()),
        text: format!(
            "{FILE_NAME}: {who} would run {command:?} in {dir}, as you{with}. A program can do whatever you can, and \
             it may run every file in that folder, also one that changes later: allow it only if you trust everybody \
             who writes there"
        ),
    })
}

/// Returns the entry of a statement for a database.
///
/// The statement can only read, but it may read everything that the database shows to its user. So it is trusted as a
/// command is: unchanged, in the database at the present address. Password and user are no part of the entry. The study
/// chooses the variable of the address, so its value is not shown.
fn statement(system: &str, settings: &PostgresSettings, environment: Environment<'_>) -> ReachEntry {
    let PostgresSettings { address, query, .. } = settings;
    let server = database(address, environment);
    let key =
        KeyBuilder::new("llull database statement v2").text("address", address).text("sql", query.sql());
    let key = key.text("server", server.as_deref().unwrap_or_default());
    ReachEntry {
        kind: ReachKind::Command,
        entry: format!("{COMMAND}{}", key.finish()),
        text: format!(
            "{FILE_NAME}: system {system} would ask the PostgreSQL server that {address} of your environment names, as \
             the user there, and save the results: {}",
            query.sql()
        ),
    }
}

/// Returns the entry of the database that the ledger is in: that at the present address, for the study in this folder.
/// Whoever wrote a file with the address gets what the ledger holds, so the text names the file and the server.
pub(crate) fn ledger(
    config: StudyConfig<'_>,
    trust: &Trust,
    environment: Environment<'_>,
) -> Option<ReachEntry> {
    let variable = config.settings.ledger.as_ref()?;
    let server = database(variable, environment);
    let key = KeyBuilder::new("llull ledger in a database v1").text("address", variable);
    let key = key.text("server", server.as_deref().unwrap_or_default());
    let key = key.text("folder", &real_path(config.folder.dir()).display().to_string());
    let place = match (trust.file_of_variable(variable), server) {
        (Some(file), Some(server)) => format!("at {server}, which {variable} in {file} names,"),
        _ => format!("that {variable} of your environment names, as the user there,"),
    };
    Some(ReachEntry {
        kind: ReachKind::Ledger,
        entry: format!("{COMMAND}{}", key.finish()),
        text: format!(
            "{FILE_NAME}: the ledger, with all questions and answers, would be in the PostgreSQL database {place} in \
             tables llull_..."
        ),
    })
}

/// Returns host, port and database of the address in a variable; `None` if it is not set or invalid, which is an error
/// when the database is queried.
#[cfg(feature = "postgres")]
fn database(variable: &str, environment: Environment<'_>) -> Option<String> {
    Some(llull_postgres::PostgresAddress::parse(&environment(variable)?).ok()?.to_string())
}

/// This build has no PostgreSQL client.
#[cfg(not(feature = "postgres"))]
fn database(_: &str, _: Environment<'_>) -> Option<String> {
    None
}

/// Returns the entries of a server that retrieves.
///
/// A store with a protocol of its own is trusted by its address and the variable with its key. A template, which may
/// send anything, is trusted unchanged, as a command is. So is a server whose address is in a variable: the study names
/// the variable, and its value may be a secret, so it is not shown. An unknown or invalid address is an error when the
/// server is queried.
pub(super) fn retrieving_server(
    system: &str,
    settings: &RemoteSettings,
    environment: Environment<'_>,
) -> Vec<ReachEntry> {
    let Ok((address, _)) = remote_address((system, settings), environment) else { return Vec::new() };
    let server = address.server();
    let key = settings.key.as_deref();
    let (kind, entry) = match (&settings.search, address.variable()) {
        (RemoteSearch::Store(..), None) => (ReachKind::RetrievalServer, server_entry(key, &server)),
        (search, variable) => (ReachKind::Command, as_it_stands(search, (variable, &server), key)),
    };
    let text = said(system, settings, &address);
    let mut found = vec![ReachEntry { kind, entry, text }];
    if let Some(variable) = key.filter(|_| address.is_clear_text() && address.variable().is_none()) {
        found.push(ReachEntry { kind: ReachKind::RetrievalServer, ..clear_text(variable, &server) });
    }
    found
}

/// Returns the entry of an unchanged request: the server, the variable of its address, the variable with its key, and
/// for a template all of it.
fn as_it_stands(
    search: &RemoteSearch,
    (variable, server): (Option<&str>, &str),
    key: Option<&str>,
) -> String {
    let hash = KeyBuilder::new("llull retrieving server v2").text("server", server);
    let hash = hash.text("variable", variable.unwrap_or_default()).text("key", key.unwrap_or_default());
    let hash = match search {
        RemoteSearch::Template(_) => search.meaning(hash),
        RemoteSearch::Store(..) => hash,
    };
    format!("{COMMAND}{}", hash.finish())
}

fn said(system: &str, settings: &RemoteSettings, address: &Address) -> String {
    let with = match &settings.key {
        Some(key) if address.variable().is_some() && address.is_clear_text() => {
            format!(", with the key in {key} in clear text, readable on the way")
        }
        Some(key) => format!(", with the key in {key}"),
        None => String::new(),
    };
    let request = match &settings.search {
        RemoteSearch::Template(template) => {
            template.body.as_ref().map_or_else(String::new, |body| format!(" as {body}"))
        }
        RemoteSearch::Store(..) => String::new(),
    };
    format!(
        "{FILE_NAME}: system {system} would send the queries{request} to {address}{with}, and save the results"
    )
}
