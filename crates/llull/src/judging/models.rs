//! The language model behind a judge.

use std::sync::Arc;
use std::time::Duration;

use llull_llm::{ChatModel, ModelSettings, Price, connect};

use crate::config::{JudgeKind, JudgeSettings};
use crate::error::StudyError;

/// Returns the language model behind a judge, connected. Nothing is sent yet.
///
/// # Errors
/// Returns an error if its name, address, key or price is invalid, or it is no language model.
pub(crate) fn connected(
    judge: &JudgeSettings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    let JudgeKind::Prompted { base_url, timeout, price, client, .. } = &judge.kind else {
        return Err(StudyError::NoModel(judge.name.clone()));
    };
    if let Some(client) = client {
        return Ok(Arc::clone(&client.0));
    }
    let model = ModelSettings {
        base_url: base_url.clone(),
        timeout: Duration::from_secs(*timeout),
        price: price.map(|price| Price { input_per_million: price.input, output_per_million: price.output }),
        ..ModelSettings::new(&judge.model)
    };
    let connected = connect(&model, environment)
        .map_err(|source| StudyError::Model { judge: judge.name.clone(), source })?;
    Ok(connected.into())
}
