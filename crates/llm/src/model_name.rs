//! Names of models: `provider/model`.

use crate::{
    error::ModelError,
    provider::{EMBEDDING_PROVIDERS, EmbeddingForm, PROVIDERS, Provider},
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
    let (provider, model) = halves(name)?;
    let known = PROVIDERS.iter().find(|known| known.name == provider);
    Ok((known.ok_or_else(|| unknown(name, provider))?, model))
}

/// Returns the provider of an embedding model, the form of its requests, and the model's name there.
pub(crate) fn split_embedding_name(
    name: &str,
) -> Result<(&'static Provider, EmbeddingForm, &str), ModelError> {
    let (provider, model) = halves(name)?;
    let chatting = PROVIDERS.iter().filter(|known| known.wire.has_embeddings());
    let chatting = chatting.map(|known| (known, EmbeddingForm::OpenAi));
    let mut known = chatting.chain(EMBEDDING_PROVIDERS.iter().map(|(known, form)| (known, *form)));
    let known = known.find(|(known, _)| known.name == provider);
    let (provider, form) =
        known.ok_or_else(|| match PROVIDERS.iter().find(|known| known.name == provider) {
            Some(Provider { name: provider, .. }) => {
                ModelError::NoEmbeddings { model: name.to_owned(), provider }
            }
            None => unknown(name, provider),
        })?;
    Ok((provider, form, model))
}

fn halves(name: &str) -> Result<(&str, &str), ModelError> {
    let halves = name.split_once('/');
    let whole = halves.filter(|(provider, model)| !model.trim().is_empty() && !provider.trim().is_empty());
    whole.ok_or_else(|| ModelError::NoProvider { model: name.to_owned() })
}

fn unknown(name: &str, provider: &str) -> ModelError {
    ModelError::UnknownProvider { model: name.to_owned(), provider: provider.to_owned() }
}
