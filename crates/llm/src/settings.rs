//! A study's settings for a model.

use std::{path::PathBuf, time::Duration};

use crate::{aws::AwsSettings, extra::ExtraFields, price::Price};

/// A study's settings for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// `provider/model`: `openai/gpt-4o-mini`, `openrouter/meta-llama/llama-3.1-8b-instruct`, `ollama/qwen3:4b`.
    pub model: String,
    /// The server's address instead of the provider's own, with or without `/v1` at its end.
    pub base_url: Option<String>,
    /// The environment variable with the key instead of the provider's. The key is then needed.
    pub key_variable: Option<String>,
    /// How requests to Bedrock are signed, instead of with a bearer key.
    pub aws: Option<AwsSettings>,
    /// A PEM file of certificate authorities that are trusted in addition to those of the system. Only for a server of
    /// the user's own.
    pub ca_file: Option<PathBuf>,
    /// The longest wait for one reply, connecting included.
    pub timeout: Duration,
    /// The price, if known. A cost that the server states takes precedence.
    pub price: Option<Price>,
    /// Fields that are added to the body of every request.
    pub extra: ExtraFields,
    /// Whether nothing is sent, so that no key is needed: the model only makes and reads lines of batch files.
    pub sends_nothing: bool,
}

impl ModelSettings {
    /// Returns the settings of a model at its provider's address: 120 s for a reply, no price, nothing
    /// added.
    pub fn new(model: impl Into<String>) -> Self {
        let (timeout, extra) = (Duration::from_secs(120), ExtraFields::new());
        Self {
            model: model.into(),
            base_url: None,
            key_variable: None,
            aws: None,
            ca_file: None,
            timeout,
            price: None,
            extra,
            sends_nothing: false,
        }
    }
}
