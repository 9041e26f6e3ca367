//! The servers that a study reaches.

use llull_llm::{AddressSource, Endpoint};

use super::trust::Trust;
use crate::config::{FILE_NAME, JudgeKind, JudgeSettings, OfStudy, Overrides, Settings};
use crate::environment::Environment;
use crate::error::StudyError;
use crate::judging::{AllowedServers, endpoint};
use crate::untrusted::{ReachEntry, ReachKind};

/// What a study in a folder may reach; one in memory reaches what its maker gave it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StudyReach {
    trust: Trust,
    said: Option<Said>,
}

/// Who said at which address judges are asked.
#[derive(Debug, Clone)]
struct Said {
    of_study: OfStudy,
    /// Whether an address stands above those of `llull.toml`.
    overridden: bool,
}

impl StudyReach {
    /// Returns the reach of a study that is opened with these overrides.
    pub(crate) fn of_folder(overrides: &Overrides, trust: &Trust) -> Self {
        let said = Said { of_study: overrides.of_study.clone(), overridden: overrides.base_url.is_some() };
        Self { trust: trust.clone(), said: Some(said) }
    }

    /// Returns what the study is trusted with.
    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Returns the servers that the study's own files name and that are not the providers' own, and those to which a
    /// key would go in clear text, whoever named them. An address that cannot be used is not there: it is refused when
    /// a judge is connected.
    pub(crate) fn servers(&self, settings: &Settings, environment: Environment<'_>) -> Vec<ReachEntry> {
        let judges = settings.judges.iter().chain(&settings.graders);
        judges.flat_map(|judge| self.of_judge(judge, environment)).collect()
    }

    fn of_judge(&self, judge: &JudgeSettings, environment: Environment<'_>) -> Vec<ReachEntry> {
        let (Some(said), JudgeKind::Prompted { client: None, .. }) = (&self.said, &judge.kind) else {
            return Vec::new();
        };
        let Ok(Some(endpoint)) = endpoint(judge, environment) else { return Vec::new() };
        let named_by = match endpoint.address_source() {
            AddressSource::Settings if said.overridden => said.of_study.base_url.clone(),
            AddressSource::Settings => Some(FILE_NAME.to_owned()),
            AddressSource::Variable(variable) => {
                self.trust.file_of_variable(variable).map(|file| format!("{variable} in {file}"))
            }
            AddressSource::Provider => None,
        };
        let server = endpoint.address().server();
        let mut found = Vec::new();
        if let Some(place) = named_by.filter(|_| !endpoint.is_own()) {
            let text = asked(judge, &place, &endpoint);
            found.push(ReachEntry { kind: ReachKind::Server, entry: server.clone(), text });
        }
        if let Some(variable) = endpoint.key_variable().filter(|_| endpoint.address().is_clear_text()) {
            let text =
                format!("the key in {variable} would go to {server} in clear text, readable on the way");
            found.push(ReachEntry { kind: ReachKind::ClearText, entry: server, text });
        }
        found
    }
}

impl AllowedServers for StudyReach {
    fn allow(&self, judges: &[JudgeSettings], environment: Environment<'_>) -> Result<(), StudyError> {
        self.trust.allow(judges.iter().flat_map(|judge| self.of_judge(judge, environment)).collect())
    }
}

fn asked(judge: &JudgeSettings, place: &str, endpoint: &Endpoint) -> String {
    let with = endpoint.key_variable().map_or_else(String::new, |key| format!(", with the key in {key}"));
    format!(
        "{place}: judge {} would be sent queries and documents at {}{with}; that is not {}'s own server",
        judge.name,
        endpoint.address(),
        endpoint.provider().name
    )
}
