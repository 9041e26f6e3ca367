//! Makes a model from its settings.

use llull_http::{Address, ClientError, KeyForm, Transport};

use crate::{
    chat::ChatModel,
    endpoint::Endpoint,
    error::ModelError,
    extra::check_extra,
    model_name::{split_embedding_name, split_name},
    protocols::{EmbeddingModel, RemoteModel, Server, wire_format},
    settings::ModelSettings,
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
    check_extra(&settings.extra, provider)
        .map_err(|reserved| ModelError::Extra { model: name.clone(), reserved })?;
    let endpoint = Endpoint::resolve(settings, environment)?;
    let format = wire_format(provider.wire);
    let address = format.address(endpoint.address(), model);
    let transport = transport(settings, &endpoint, address, &format.key_form(), format.headers())?;
    let server = Server::new(model, provider, &endpoint, transport);
    let prices = (settings.price, endpoint.batch_share().unwrap_or(1.0));
    Ok(Box::new(RemoteModel::new(name, server, prices, settings.extra.clone())))
}

/// Returns the model that makes vectors of texts, as the settings describe it. Nothing is sent yet.
///
/// # Errors
/// Returns an error if the name, address or key cannot be used, or the provider needs a key and has none.
pub fn connect_embedding_model(
    settings: &ModelSettings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<EmbeddingModel, ModelError> {
    let (provider, form, model) = split_embedding_name(&settings.model)?;
    let endpoint = Endpoint::of_embedding_model(settings, environment)?;
    let address = EmbeddingModel::address(endpoint.address(), form);
    let transport = transport(settings, &endpoint, address, &KeyForm::Bearer, &[])?;
    let server = Server::new(model, provider, &endpoint, transport);
    Ok(EmbeddingModel::new(&settings.model, form, server))
}

fn transport(
    settings: &ModelSettings,
    endpoint: &Endpoint,
    address: Address,
    key_form: &KeyForm,
    headers: &[(&str, &str)],
) -> Result<Transport, ModelError> {
    let (model, variable) = (settings.model.clone(), endpoint.variable_of_key().to_owned());
    if endpoint.lacks_key() && !settings.sends_nothing {
        return Err(ModelError::MissingKey { model, variable });
    }
    if settings.ca_file.is_some() && endpoint.is_own() && !endpoint.is_loopback() {
        return Err(ModelError::CaFileOfProvider { model, server: endpoint.address().server() });
    }
    let transport = Transport::with_key(address, endpoint.key().cloned(), key_form, settings.timeout);
    let transport = headers.iter().fold(transport, |transport, (name, value)| transport?.header(name, value));
    let transport = transport.and_then(|transport| match &settings.ca_file {
        Some(file) => transport.trusting(file),
        None => Ok(transport),
    });
    transport.map_err(|error| match error {
        ClientError::KeyNotSendable => ModelError::BadKey { variable },
        ClientError::NotBuilt(reason) => ModelError::Client { model, reason },
        // A model's server is sent no header of a study's own.
        error @ (ClientError::NoHeader(_) | ClientError::NoHeaderValue(_) | ClientError::CaFile { .. }) => {
            ModelError::Client { model, reason: error.to_string() }
        }
    })
}
