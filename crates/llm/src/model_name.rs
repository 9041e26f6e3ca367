//! Names of models: `provider/model`.

use crate::{
    error::ModelError,
    provider::{PROVIDERS, Provider},
};

/// Returns the provider, and the model's name there.
///
/// # Errors
/// Returns [`ModelError::NoProvider`] or [`ModelError::UnknownProvider`].
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
