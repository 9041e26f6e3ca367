//! Errors in the settings of a model.

use llull_http::AddressError;

use crate::{extra::ReservedField, provider::PROVIDERS};

/// Why a model cannot be used. No message holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The name is not `provider/model`.
    #[error(
        "model {model:?} names no provider; write PROVIDER/MODEL, such as openai/gpt-4o-mini ({})",
        known_providers()
    )]
    NoProvider {
        /// The model as configured.
        model: String,
    },
    /// The provider is not one of [`PROVIDERS`].
    #[error(
        "model {model:?}: no provider {provider:?} ({}; any other OpenAI-compatible server: openai/MODEL with \
         base_url)",
        known_providers()
    )]
    UnknownProvider {
        /// The model as configured.
        model: String,
        /// The part before `/`.
        provider: String,
    },
    /// The provider's embedding models cannot be used.
    #[error(
        "model {model:?}: llull has no embeddings of {provider}; any server with OpenAI's: openai/MODEL with base_url"
    )]
    NoEmbeddings {
        /// The model as configured.
        model: String,
        /// The part before `/`.
        provider: &'static str,
    },
    /// The provider has an address for each customer, and none is given.
    #[error(
        "model {model:?} needs the address of your own server: set base_url{}",
        variable.map_or_else(String::new, |variable| format!(", or {variable} in the environment"))
    )]
    NoAddress {
        /// The model as configured.
        model: String,
        /// The variable that may hold it.
        variable: Option<&'static str>,
    },
    /// The provider needs a key and the environment has none.
    #[error("model {model:?} needs a key: set {variable} in the environment or in .env")]
    MissingKey {
        /// The model as configured.
        model: String,
        /// The variable to set.
        variable: String,
    },
    /// The key cannot be sent.
    #[error(
        "{variable} holds characters that cannot be sent in a header; set it again, without quotes or line breaks"
    )]
    BadKey {
        /// The variable that holds it.
        variable: String,
    },
    /// The address cannot be used.
    #[error("address {:?} of model {model:?}: {}", error.address, error.problem)]
    BadAddress {
        /// The model as configured.
        model: String,
        /// The address, without credentials, and its problem.
        error: AddressError,
    },
    /// The price is not a price.
    #[error("price of model {model:?}: both numbers must be 0 or more, in US dollars for a million tokens")]
    BadPrice {
        /// The model as configured.
        model: String,
    },
    /// The settings add a field to requests that llull sets itself.
    #[error("model {model:?}: {reserved}")]
    Extra {
        /// The model as configured.
        model: String,
        /// The field, and advice.
        reserved: ReservedField,
    },
    /// A file of certificate authorities is named for the provider's own server.
    #[error(
        "model {model:?}: ca_file is for a server of your own, and {server} is the provider's; set base_url, or export \
         SSL_CERT_FILE if all connections pass a proxy with a certificate of its own"
    )]
    CaFileOfProvider {
        /// The model as configured.
        model: String,
        /// The provider's server.
        server: String,
    },
    /// Its requests cannot be signed with the keys of an AWS account, for this reason.
    #[error("model {model:?}: {problem}")]
    Aws {
        /// The model as configured.
        model: String,
        /// The problem, and the remedy.
        problem: String,
    },
    /// The HTTP client could not be set up, for instance because the system has no certificates.
    #[error("no HTTP client for model {model:?}: {reason}")]
    Client {
        /// The model as configured.
        model: String,
        /// The library's words.
        reason: String,
    },
}

/// Returns the names of all providers, for messages.
fn known_providers() -> String {
    format!("known providers: {}", PROVIDERS.map(|provider| provider.name).join(", "))
}
