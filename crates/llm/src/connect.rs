//! Makes a model from its settings.

use llull_http::{Address, ClientError, KeyForm, Transport};

use crate::{
    aws::batch_servers,
    chat::ChatModel,
    endpoint::Endpoint,
    error::ModelError,
    extra::check_extra,
    model_name::{split_embedding_name, split_name},
    protocols::{BedrockBatches, EmbeddingModel, RemoteModel, Server, wire_format},
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
    let (form, headers) = (format.key_form(), format.headers());
    let own = transport(settings, &endpoint, address, (&form, BEDROCK), headers)?;
    let batches = bedrock_batches(settings, &endpoint, model)?;
    let server = Server::new(model, provider, &endpoint, own);
    let share = endpoint.batch_terms().and_then(|terms| terms.share);
    let prices = (settings.price, share.unwrap_or(1.0));
    Ok(Box::new(RemoteModel::new(name, server, prices, batches, settings.extra.clone())))
}

/// The service of signed requests to models.
const BEDROCK: &str = "bedrock";

/// Returns the batches of a model at Bedrock; `None` without a bucket.
fn bedrock_batches(
    settings: &ModelSettings,
    endpoint: &Endpoint,
    model: &str,
) -> Result<Option<BedrockBatches>, ModelError> {
    let Some(access) = endpoint.aws() else { return Ok(None) };
    let (Some(batches), Some(region)) = (&access.batches, &access.region) else { return Ok(None) };
    let [jobs, store] = batch_servers(endpoint.address(), region);
    let bucket = store.with_path(&format!("/{}", batches.bucket));
    let transport =
        |address, service| transport(settings, endpoint, address, (&KeyForm::Bearer, service), &[]);
    let (jobs, bucket) = (transport(jobs, BEDROCK)?, transport(bucket, "s3")?);
    Ok(Some(BedrockBatches { model: model.to_owned(), settings: batches.clone(), jobs, bucket }))
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
    let transport = transport(settings, &endpoint, address, (&KeyForm::Bearer, BEDROCK), &[])?;
    let server = Server::new(model, provider, &endpoint, transport);
    Ok(EmbeddingModel::new(&settings.model, form, server))
}

fn transport(
    settings: &ModelSettings,
    endpoint: &Endpoint,
    address: Address,
    (key_form, service): (&KeyForm, &'static str),
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
    let transport = match endpoint.aws().filter(|_| !settings.sends_nothing) {
        Some(access) => {
            let signer = access.signer(&model, service)?;
            transport.and_then(|transport| transport.signed_by(signer))
        }
        None => transport,
    };
    transport.map_err(|error| match error {
        ClientError::KeyNotSendable => ModelError::BadKey { variable },
        error @ ClientError::NoSignatures => ModelError::Aws { model, problem: error.to_string() },
        ClientError::NotBuilt(reason) => ModelError::Client { model, reason },
        // A model's server is sent no header of a study's own.
        error @ (ClientError::NoHeader(_) | ClientError::NoHeaderValue(_) | ClientError::CaFile { .. }) => {
            ModelError::Client { model, reason: error.to_string() }
        }
    })
}
