//! From a model's name to a model: the providers that llull knows, their keys and addresses.

use std::time::Duration;

use crate::{ChatModel, Price, Secret, address, providers::OpenAi, transport::Transport};

/// A provider: everything that can be said before `/` in a model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The name, `openai`.
    pub name: &'static str,
    /// The environment variable that holds its key.
    pub key_variable: &'static str,
    /// Whether it needs one. Never when the address is overridden: a server of one's own may need none.
    pub needs_key: bool,
    /// The environment variable that overrides its address, where there is a customary one.
    pub address_variable: Option<&'static str>,
    /// Where it is otherwise.
    pub address: &'static str,
    /// What to do when nothing answers there.
    pub(crate) start_with: Option<&'static str>,
}

/// Every provider that can be named.
pub const PROVIDERS: [Provider; 5] = [
    Provider {
        name: "openai",
        key_variable: "OPENAI_API_KEY",
        needs_key: true,
        address_variable: Some("OPENAI_BASE_URL"),
        address: "https://api.openai.com/v1",
        start_with: None,
    },
    Provider {
        name: "openrouter",
        key_variable: "OPENROUTER_API_KEY",
        needs_key: true,
        address_variable: None,
        address: "https://openrouter.ai/api/v1",
        start_with: None,
    },
    Provider {
        name: "ollama",
        key_variable: "OLLAMA_API_KEY",
        needs_key: false,
        address_variable: Some("OLLAMA_HOST"),
        address: "http://localhost:11434/v1",
        start_with: Some("ollama serve"),
    },
    Provider {
        name: "vllm",
        key_variable: "VLLM_API_KEY",
        needs_key: false,
        address_variable: None,
        address: "http://localhost:8000/v1",
        start_with: Some("vllm serve MODEL"),
    },
    Provider {
        name: "llamacpp",
        key_variable: "LLAMA_API_KEY",
        needs_key: false,
        address_variable: None,
        address: "http://localhost:8080/v1",
        start_with: Some("llama-server -m MODEL.gguf"),
    },
];

/// What a study says about a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// `provider/model`: `openai/gpt-4o-mini`, `openrouter/meta-llama/llama-3.1-8b-instruct`, `ollama/qwen3:4b`.
    pub model: String,
    /// The server's address instead of the provider's own, with or without `/v1` at its end.
    pub base_url: Option<String>,
    /// The longest wait for one reply, connecting included.
    pub timeout: Duration,
    /// The price, if known. A cost that the server states goes before it.
    pub price: Option<Price>,
}

impl ModelSettings {
    /// This model at its provider's address, 120 s for a reply, no price.
    pub fn new(model: impl Into<String>) -> Self {
        Self { model: model.into(), base_url: None, timeout: Duration::from_secs(120), price: None }
    }
}

/// Why a model cannot be asked at all. No message holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The name is not `provider/model`.
    #[error(
        "model {model:?} names no provider; write PROVIDER/MODEL, such as openai/gpt-4o-mini ({})",
        known()
    )]
    NoProvider {
        /// The model as configured.
        model: String,
    },
    /// The provider is not one of [`PROVIDERS`].
    #[error(
        "model {model:?}: no provider {provider:?} ({}; any other OpenAI-compatible server: openai/MODEL with base_url)",
        known()
    )]
    UnknownProvider {
        /// The model as configured.
        model: String,
        /// What stands before `/`.
        provider: String,
    },
    /// The provider needs a key and the environment has none.
    #[error("model {model:?} needs a key: set {variable} in the environment or in .env")]
    MissingKey {
        /// The model as configured.
        model: String,
        /// The variable to set.
        variable: &'static str,
    },
    /// The key cannot be sent.
    #[error(
        "{variable} holds characters that cannot be sent in a header; set it again, without quotes or line breaks"
    )]
    BadKey {
        /// The variable that holds it.
        variable: &'static str,
    },
    /// The address cannot be used.
    #[error("address {address:?} of model {model:?}: {reason}")]
    BadAddress {
        /// The model as configured.
        model: String,
        /// The address, without credentials.
        address: String,
        /// What is wrong and what to write.
        reason: String,
    },
    /// The price is not a price.
    #[error("price of model {model:?}: both numbers must be 0 or more, in US dollars for a million tokens")]
    BadPrice {
        /// The model as configured.
        model: String,
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

/// The providers, for messages.
fn known() -> String {
    format!("known providers: {}", PROVIDERS.map(|provider| provider.name).join(", "))
}

/// The provider and the model's name there.
///
/// # Errors
/// [`ModelError::NoProvider`], [`ModelError::UnknownProvider`].
///
/// ```
/// let (provider, model) = llull_llm::split_name("openrouter/meta-llama/llama-3.1-8b-instruct").unwrap();
/// assert_eq!((provider.name, model), ("openrouter", "meta-llama/llama-3.1-8b-instruct"));
/// ```
pub fn split_name(name: &str) -> Result<(&'static Provider, &str), ModelError> {
    let no_provider = || ModelError::NoProvider { model: name.to_owned() };
    let (provider, model) = name.split_once('/').ok_or_else(no_provider)?;
    if model.trim().is_empty() || provider.trim().is_empty() {
        return Err(no_provider());
    }
    let known = PROVIDERS.iter().find(|known| known.name == provider);
    let unknown = || ModelError::UnknownProvider { model: name.to_owned(), provider: provider.to_owned() };
    Ok((known.ok_or_else(unknown)?, model))
}

/// The model that the settings describe. Nothing is sent yet.
///
/// `env` looks up environment variables: keys, and addresses that the settings leave open. An address on this
/// machine is reached directly, any other through the system's proxy (`HTTPS_PROXY` and the like).
///
/// # Errors
/// A [`ModelError`] when the name, key, address or price cannot be used.
pub fn connect(
    settings: &ModelSettings,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Box<dyn ChatModel>, ModelError> {
    let (provider, model) = split_name(&settings.model)?;
    let name = &settings.model;
    if settings.price.is_some_and(|price| !price.is_valid()) {
        return Err(ModelError::BadPrice { model: name.clone() });
    }
    let set = |variable| env(variable).filter(|value| !value.trim().is_empty());
    let from_env = || provider.address_variable.and_then(set);
    let overridden =
        settings.base_url.clone().or_else(|| from_env().map(|host| address::from_variable(provider, &host)));
    let key = env(provider.key_variable).and_then(|key| Secret::new(&key));
    if key.is_none() && provider.needs_key && overridden.is_none() {
        return Err(ModelError::MissingKey { model: name.clone(), variable: provider.key_variable });
    }
    let url = address::chat_url(overridden.as_deref().unwrap_or(provider.address))
        .map_err(|(address, reason)| ModelError::BadAddress { model: name.clone(), address, reason })?;
    let transport = Transport::new(name, url, provider, key, settings.timeout)?;
    Ok(Box::new(OpenAi::new(name, model, provider, transport, settings.price)))
}
