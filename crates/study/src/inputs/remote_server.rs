//! The address and the key of a server that retrieves.

use llull_config::{Environment, RemoteAsked, RemoteSettings};

use crate::inputs::RetrievalError;

/// Returns the address of a system's server, and the protocol of its requests.
///
/// # Errors
/// Returns an error if the variable of the address is not set, or holds no address.
pub(crate) fn remote_address(
    (system, settings): (&str, &RemoteSettings),
    environment: Environment<'_>,
) -> Result<RemoteAsked, RetrievalError> {
    let Some(address) = settings.address.text(environment) else {
        return Err(RetrievalError::Problem(format!(
            "system {system} asks the server that {variable} names, and {variable} is not set: export it, or put \
             {variable}=https://search.example.org into .env",
            variable = settings.address.variable().unwrap_or_default()
        )));
    };
    settings
        .asked_at(&address)
        .map_err(|problem| RetrievalError::Problem(format!("system {system}: {problem}")))
}

/// Returns the key for a system's server, if it needs one.
///
/// # Errors
/// Returns an error if the variable of the key is not set.
pub(crate) fn remote_key(
    (system, settings): (&str, &RemoteSettings),
    environment: Environment<'_>,
) -> Result<Option<String>, RetrievalError> {
    let Some(variable) = &settings.key else { return Ok(None) };
    match environment(variable).filter(|key| !key.trim().is_empty()) {
        Some(key) => Ok(Some(key)),
        None => Err(RetrievalError::Problem(format!(
            "system {system} asks its server with the key in {variable}, and {variable} is not set: export it, or put \
             it into .env; if the server needs none, leave key = {variable:?} out"
        ))),
    }
}
