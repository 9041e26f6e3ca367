//! Checks the language models: addresses, keys, and online their answers.

use llull_config::{Environment, JudgeKind, JudgeSettings};
use llull_llm::{ChatModel, ModelError, Notice, RateLimit, SchemaUse};
use llull_report::text::count;

use super::findings::{Findings, Severity};
use crate::error::StudyError;
use crate::judging::{JudgeError, connect_model, endpoint, price_to_set};
use crate::part::Part;

impl Findings {
    /// Whether a language model can be used: its address, its key, and with `online` its answer.
    pub(super) fn model(
        &mut self,
        what: &Part,
        settings: &JudgeSettings,
        environment: Environment<'_>,
        online: bool,
    ) {
        let connected = endpoint(settings, environment)
            .and_then(|endpoint| Ok((endpoint, connect_model(settings, environment)?)));
        let (endpoint, model) = match connected {
            Ok(connected) => connected,
            Err(error) => {
                let Some(variable) = missing_key(&error) else {
                    // No request is sent, so an address would mislead.
                    return self.add(Severity::Error, what, unnamed(&error));
                };
                // The study is complete, and only this machine cannot run it yet: llull run says so before it asks.
                let text = format!("{}; until then llull run judges nothing", unnamed(&error));
                self.add(Severity::Warning, what, text);
                if let Some(added) = self.0.last_mut() {
                    added.missing_key = Some(variable.to_owned());
                }
                return;
            }
        };
        if let Some(endpoint) = endpoint {
            let severity = if endpoint.takes_key_elsewhere() { Severity::Warning } else { Severity::Fine };
            self.add(severity, what, format!("requests go to {endpoint}"));
        }
        match online {
            true => self.probe(what, settings, environment, &*model),
            false => self.fine(what, "its name, address and key are well-formed; it was not contacted"),
        }
    }

    fn probe(
        &mut self,
        what: &Part,
        settings: &JudgeSettings,
        environment: Environment<'_>,
        model: &dyn ChatModel,
    ) {
        let JudgeKind::Prompted { sampling, .. } = &settings.kind else { return };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return self.add(Severity::Error, what, error.to_string()),
        };
        let probe = match runtime.block_on(llull_llm::check(model, sampling)) {
            Err(failure) => return self.add(Severity::Error, what, failure.to_string()),
            Ok(probe) => probe,
        };
        let who = probe.model.as_deref().unwrap_or(&settings.model);
        let time = format!("{who} answers, in {}", llull_report::text::seconds(probe.latency));
        let (severity, text) = match probe.schema {
            SchemaUse::Followed => (Severity::Fine, format!("{time}, and keeps to a JSON schema")),
            SchemaUse::JsonAlone => (Severity::Fine, format!("{time}, in JSON")),
            SchemaUse::CutOff => (
                Severity::Warning,
                format!(
                    "{time}, and was cut off after 64 tokens, as models that reason first are; see that \
                     max_tokens is large enough"
                ),
            ),
            SchemaUse::Ignored => (
                Severity::Warning,
                format!(
                    "{time}, and ignores the JSON schema; answers that cannot be read will be counted as unusable"
                ),
            ),
            SchemaUse::Refused => (
                Severity::Warning,
                format!("{time}; its server has no JSON schema, so llull asks in plain words"),
            ),
        };
        self.add(severity, what, text);
        self.fine(what, price(settings, environment));
        self.fine(what, limits(&probe.limits));
        for notice in probe.notices {
            if let Notice::ParameterRefused { parameter, sent_as, .. } = notice {
                self.add(Severity::Warning, what, refused(parameter, sent_as));
            }
        }
    }
}

/// Describes what is known of a model's price.
fn price(settings: &JudgeSettings, environment: Environment<'_>) -> String {
    if let JudgeKind::Prompted { price: Some(price), .. } = &settings.kind {
        let cached = price.cached.map_or_else(String::new, |usd| format!(", ${usd} of cached ones"));
        return format!(
            "its price is ${} for a million tokens of prompts{cached}, ${} of replies",
            price.input, price.output
        );
    }
    let endpoint = endpoint(settings, environment).ok().flatten();
    match &endpoint {
        Some(endpoint) if endpoint.states_price() => "its server states the cost of each reply".into(),
        _ => format!(
            "its price is unknown, so its cost is; {} sets it",
            price_to_set(settings, endpoint.as_ref())
        ),
    }
}

/// Describes the limits that a server states.
fn limits(limits: &[RateLimit]) -> String {
    let shown = limits.iter().map(|RateLimit { subject, limit, left, .. }| match left {
        Some(left) => format!("{} {}, {} left", count(*limit), subject.name(), count(*left)),
        None => format!("{} {}", count(*limit), subject.name()),
    });
    match shown.collect::<Vec<_>>() {
        none if none.is_empty() => "its server states no limits".into(),
        shown => format!("its account's limits: {}", shown.join("; ")),
    }
}

/// Describes the replacement of a parameter that the server refuses.
fn refused(parameter: &str, sent_as: Option<&str>) -> String {
    match sent_as {
        Some(name) => format!("its server takes no {parameter}, so it is sent as {name}"),
        None => {
            format!("its server takes no {parameter}, so it is left out and the server's own applies")
        }
    }
}

/// Removes the judge's name, which the finding has already.
fn unnamed(error: &StudyError) -> String {
    match error {
        StudyError::Judges(JudgeError::Model { source, .. }) => source.to_string(),
        other => other.to_string(),
    }
}

/// Returns the variable of the key that is missing.
fn missing_key(error: &StudyError) -> Option<&str> {
    let StudyError::Judges(JudgeError::Model { source, .. }) = error else { return None };
    match &**source {
        ModelError::MissingKey { variable, .. } => Some(variable),
        _ => None,
    }
}
