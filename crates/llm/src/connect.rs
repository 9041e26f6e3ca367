//! From a model's settings to a model that can be asked.

use llull_http::{ClientError, Transport};

use crate::{
    chat::ChatModel, endpoint::Endpoint, error::ModelError, extra::check_extra, model_name::split_name,
    protocols::OpenAi, settings::ModelSettings,
};

/// Returns the model that `settings` describe. Nothing is sent yet; requests will go to the
/// [`Endpoint`] of the same settings and environment.
///
/// `environment` looks up variables: keys, and addresses that the settings leave open.
///
/// # Errors
/// Returns an error if the name, address, key, price or an extra field cannot be used, or the provider needs a key
/// and has none.
pub fn connect(
    settings: &ModelSettings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Box<dyn ChatModel>, ModelError> {
    let name = &settings.model;
    let (provider, model) = split_name(name)?;
    if settings.price.is_some_and(|price| !price.is_valid()) {
        return Err(ModelError::BadPrice { model: name.clone() });
    }
    check_extra(&settings.extra).map_err(|reserved| ModelError::Extra { model: name.clone(), reserved })?;
    let endpoint = Endpoint::resolve(settings, environment)?;
    if endpoint.lacks_key() {
        return Err(ModelError::MissingKey { model: name.clone(), variable: provider.key_variable });
    }
    let (address, key) = (OpenAi::chat_address(endpoint.address()), endpoint.key().cloned());
    let transport = Transport::new(address, key, settings.timeout).map_err(|error| match error {
        ClientError::KeyNotSendable => ModelError::BadKey { variable: provider.key_variable },
        ClientError::NotBuilt(reason) => ModelError::Client { model: name.clone(), reason },
    })?;
    Ok(Box::new(OpenAi::new(name, model, provider, transport, settings.price, settings.extra.clone())))
}
