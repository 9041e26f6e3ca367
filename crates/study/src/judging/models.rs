//! Connects judges to their language models.

use std::sync::Arc;
use std::time::Duration;

use llull_config::{Environment, JudgeKind, JudgeSettings};
use llull_llm::{ChatModel, Endpoint, ModelSettings, Price, RequestObserver, connect, observed};

use crate::error::StudyError;
use crate::judging::error::JudgeError;

/// Returns the server and the key of a judge's requests; `None` if it is no language model, or one of the caller's own.
///
/// # Errors
/// Returns an error if its name or address cannot be used.
pub(crate) fn endpoint(
    judge: &JudgeSettings,
    environment: Environment<'_>,
) -> Result<Option<Endpoint>, StudyError> {
    let endpoint = settings(judge).map(|model| Endpoint::resolve(&model, environment));
    endpoint.transpose().map_err(|source| {
        StudyError::Judges(JudgeError::Model { judge: judge.name.clone(), source: Box::new(source) })
    })
}

/// Returns the language model behind a judge, connected to its endpoint. No request is sent yet.
///
/// # Errors
/// Returns an error if its name, address, key or price cannot be used, or it is no language model.
pub fn connect_model(
    judge: &JudgeSettings,
    environment: Environment<'_>,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    connected(judge, environment, false)
}

/// Returns the language model behind a judge; with `sends_nothing` it only makes and reads lines of batch files.
pub(super) fn connected(
    judge: &JudgeSettings,
    environment: Environment<'_>,
    sends_nothing: bool,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    if let JudgeKind::Prompted { client: Some(client), .. } = &judge.kind {
        return Ok(Arc::clone(&client.0));
    }
    let model = settings(judge).ok_or_else(|| StudyError::Judges(JudgeError::NoModel(judge.name.clone())))?;
    let connected = connect(&ModelSettings { sends_nothing, ..model }, environment).map_err(|source| {
        StudyError::Judges(JudgeError::Model { judge: judge.name.clone(), source: Box::new(source) })
    })?;
    Ok(connected.into())
}

/// Returns the same model, whose requests an observer sees. A model of the caller's own is not observed.
pub(super) fn observed_by(
    model: Arc<dyn ChatModel>,
    judge: &JudgeSettings,
    environment: Environment<'_>,
    observer: Option<&Arc<dyn RequestObserver>>,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    Ok(match (observer, endpoint(judge, environment)?) {
        (Some(observer), Some(endpoint)) => observed(model, &endpoint, Arc::clone(observer)),
        _ => model,
    })
}

fn settings(judge: &JudgeSettings) -> Option<ModelSettings> {
    let JudgeKind::Prompted { base_url, key, aws, ca_file, timeout, price, extra, client: None, .. } =
        &judge.kind
    else {
        return None;
    };
    Some(ModelSettings {
        base_url: base_url.clone(),
        key_variable: key.clone(),
        aws: aws.as_deref().cloned(),
        ca_file: ca_file.clone(),
        timeout: Duration::from_secs(*timeout),
        price: price.map(Price::from),
        extra: (**extra).clone(),
        ..ModelSettings::new(&judge.model)
    })
}
