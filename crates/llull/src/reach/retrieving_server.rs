//! What is trusted of a server that retrieves.

use llull_core::KeyBuilder;
use llull_llm::Address;

use super::trust::COMMAND;
use crate::config::{FILE_NAME, RemoteSearch, RemoteSettings};
use crate::environment::Environment;
use crate::remote_server::remote_address;
use crate::untrusted::{ReachEntry, ReachKind};

/// Returns the entries of a server that retrieves. One that is searched as is known, and gets no key, is trusted as a
/// server is, by its address. Which variable is sent as the key, and what a template sends, is the study's word: these
/// are trusted as they stand, as a command is. An address that is not known, or cannot be used, is refused when it is
/// asked.
pub(super) fn retrieving_server(
    system: &str,
    settings: &RemoteSettings,
    environment: Environment<'_>,
) -> Vec<ReachEntry> {
    let Ok((address, _)) = remote_address((system, settings), environment) else { return Vec::new() };
    let server = address.server();
    let key = settings.key.as_deref();
    let (kind, entry) = match (&settings.search, key) {
        (RemoteSearch::Store(..), None) => (ReachKind::Server, server.clone()),
        (search, key) => (ReachKind::Command, as_it_stands(search, &server, key)),
    };
    let text = said(system, settings, &address);
    let mut found = vec![ReachEntry { kind, entry, text }];
    if let Some(variable) = key.filter(|_| address.is_clear_text()) {
        let text = format!("the key in {variable} would go to {server} in clear text, readable on the way");
        found.push(ReachEntry { kind: ReachKind::ClearText, entry: server, text });
    }
    found
}

/// Returns the entry of a request as it stands: the server, the variable with its key, and for a template all of it.
fn as_it_stands(search: &RemoteSearch, server: &str, key: Option<&str>) -> String {
    let hash = KeyBuilder::new("llull retrieving server v1").text("server", server);
    let hash = hash.text("key", key.unwrap_or_default());
    let hash = match search {
        RemoteSearch::Template(_) => search.meaning(hash),
        RemoteSearch::Store(..) => hash,
    };
    format!("{COMMAND}{}", hash.finish())
}

fn said(system: &str, settings: &RemoteSettings, address: &Address) -> String {
    let place = match settings.address.variable() {
        Some(variable) => format!("{address}, which {variable} names"),
        None => address.to_string(),
    };
    let with = match &settings.key {
        Some(variable) => format!(", with the key in {variable}"),
        None => String::new(),
    };
    let request = match &settings.search {
        RemoteSearch::Template(template) => {
            template.body.as_ref().map_or_else(String::new, |body| format!(" as {body}"))
        }
        RemoteSearch::Store(..) => String::new(),
    };
    format!(
        "{FILE_NAME}: system {system} would send the queries{request} to {place}{with}, and keep what it finds"
    )
}
