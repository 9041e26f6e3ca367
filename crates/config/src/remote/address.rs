//! Where a server is: written down, or in a variable of the environment.

use llull_llm::Address;
use serde::{Serialize, Serializer};

use crate::environment::Environment;

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerAddress {
    /// The address itself. Its query, which may hold a key, is not written down.
    #[serde(serialize_with = "without_query")]
    Url(String),
    /// The variable of the environment that holds it.
    #[serde(rename = "address")]
    Variable(String),
}

fn without_query<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Address::shown(url))
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

/// Returns the name of a variable, which stands at this key.
pub(crate) fn variable(key: &str, name: &str, holds: &str) -> Result<String, String> {
    if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(name.to_owned());
    }
    // What stands there may be what the variable should hold.
    Err(format!(
        "`{key}` names the variable of the environment that holds {holds}, such as \"SEARCH_{}\"; it is not {holds} \
         itself, and what stands there is not shown",
        key.to_uppercase()
    ))
}
