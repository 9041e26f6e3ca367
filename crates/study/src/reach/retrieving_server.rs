//! The reach of a server that retrieves.

use llull_config::{Environment, FILE_NAME, RemoteSearch, RemoteSettings};
use llull_core::KeyBuilder;
use llull_llm::Address;

use super::servers::clear_text;
use super::trust::{COMMAND, server_entry};
use crate::inputs::remote_address;
use crate::reach::untrusted::{ReachEntry, ReachKind};

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
