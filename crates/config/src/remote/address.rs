//! The address of a server: written, or in an environment variable.

use llull_llm::Address;
use serde::{Serialize, Serializer};

use crate::environment::Environment;

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerAddress {
    /// The address itself. Its query, which may hold a key, is not serialized.
    #[serde(serialize_with = "without_query")]
    Url(String),
    /// The variable of the environment that holds it.
    #[serde(rename = "address")]
    Variable(String),
}

/// Serializes an address without its query, which may hold a key.
pub(crate) fn without_query<S: Serializer>(address: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Address::shown(address))
}

impl ServerAddress {
    /// Returns the address; `None` if it is in a variable that is not set.
    pub fn text(&self, environment: Environment<'_>) -> Option<String> {
        match self {
            Self::Url(url) => Some(url.clone()),
            Self::Variable(name) => environment(name).filter(|address| !address.trim().is_empty()),
        }
    }

    /// Returns the variable that holds it.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Url(_) => None,
            Self::Variable(name) => Some(name),
        }
    }
}

/// Returns the name of the variable under this key.
pub(crate) fn variable(key: &str, name: &str, holds: &str) -> Result<String, String> {
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name && !resembles_key(name) {
        return Ok(name.to_owned());
    }
    // The value may be the secret that the variable should hold.
    Err(format!(
        "`{key}` names the variable of the environment that holds {holds}, such as \"MY_{}\"; it is not {holds} \
         itself, and what stands there is not shown",
        key.to_uppercase()
    ))
}

/// Returns whether a variable's name is more likely a key: it begins like one, or has a part of 16 letters and digits.
fn resembles_key(name: &str) -> bool {
    let is_random = |part: &str| part.len() >= 16 && part.contains(|c: char| c.is_ascii_digit());
    ["AIza", "gsk_", "hf_"].iter().any(|start| name.starts_with(start)) || name.split('_').any(is_random)
}
