//! Where a server that retrieves is, and which key goes there.

use llull_config::{Environment, RemoteAsked, RemoteSettings};

use crate::inputs::RetrievalError;

/// Returns where a system's server is, and how it is asked.
///
/// # Errors
/// Returns an error if the variable that holds the address is not set, or what it holds is no address.
pub(crate) fn remote_address(
    (system, settings): (&str, &RemoteSettings),
    environment: Environment<'_>,
) -> Result<RemoteAsked, RetrievalError> {
    let Some(address) = settings.address.text(environment) else {
        return Err(RetrievalError::NoServerAddress {
            system: system.to_owned(),
            variable: settings.address.variable().unwrap_or_default().to_owned(),
        });
    };
    settings
        .asked_at(&address)
        .map_err(|problem| RetrievalError::ServerAddress { system: system.to_owned(), problem })
}

/// Returns the key that a system's server gets, if it gets one.
///
/// # Errors
/// Returns an error if the variable that holds it is not set.
pub(crate) fn remote_key(
    (system, settings): (&str, &RemoteSettings),
    environment: Environment<'_>,
) -> Result<Option<String>, RetrievalError> {
    let Some(variable) = &settings.key else { return Ok(None) };
    match environment(variable).filter(|key| !key.trim().is_empty()) {
        Some(key) => Ok(Some(key)),
        None => Err(RetrievalError::NoServerKey { system: system.to_owned(), variable: variable.clone() }),
    }
}
