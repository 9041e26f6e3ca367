//! The reach of a study's judges: servers and programs.

use std::collections::BTreeSet;
use std::path::Path;

use llull_config::{
    Environment, FILE_NAME, Folder, JudgeKind, JudgeSettings, OfStudy, Overrides, OwnJudgeSettings,
    OwnJudgeSource, Settings, judge_key,
};
use llull_llm::{Address, AddressSource, Endpoint, Provider};

use super::live::command;
use super::real_path::real_path;
use super::trust::{Trust, server_entry};
use crate::error::StudyError;
use crate::judging::{AllowedServers, endpoint};
use crate::reach::untrusted::{ReachEntry, ReachKind};

/// The allowed reach of a study in a folder; one in memory may reach all that its maker gave it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StudyReach {
    trust: Trust,
    said: Option<Said>,
}

/// The sources of judges' addresses.
#[derive(Debug, Clone)]
struct Said {
    folder: Folder,
    of_study: OfStudy,
    /// Whether an address overrides those of `llull.toml`.
    overridden: bool,
    /// The judges whose variables override those of `llull.toml`.
    keyed: BTreeSet<String>,
}

impl StudyReach {
    /// Returns the reach of a study that is opened with these overrides.
    pub(crate) fn of_folder(folder: &Folder, overrides: &Overrides, trust: &Trust) -> Self {
        let folder = folder.clone();
        let said = Said {
            folder,
            of_study: overrides.of_study.clone(),
            overridden: overrides.base_url.is_some(),
            // An invalid one is an error when the study is opened.
            keyed: overrides.keys.iter().filter_map(|typed| Some(judge_key(typed).ok()?.0)).collect(),
        };
        Self { trust: trust.clone(), said: Some(said) }
    }

    /// Returns the trust of the study.
    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Returns the reach of judges.
    ///
    /// It has the servers that the study's own files name and that are not the providers' own. It has those to which a
    /// key would go in clear text, whoever named them, and the programs that would run. An invalid address is not in
    /// it: it is an error when a judge is connected.
    ///
    /// # Errors
    /// Returns an error if a file that a command names cannot be read.
    pub(crate) fn asked(
        &self,
        settings: &Settings,
        environment: Environment<'_>,
    ) -> Result<Vec<ReachEntry>, StudyError> {
        self.of_judges(settings.judges.iter().chain(&settings.graders), environment)
    }

    fn of_judges<'a>(
        &self,
        judges: impl IntoIterator<Item = &'a JudgeSettings>,
        environment: Environment<'_>,
    ) -> Result<Vec<ReachEntry>, StudyError> {
        let Some(said) = &self.said else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for judge in judges {
            match &judge.kind {
                JudgeKind::Prompted { client: None, .. } => {
                    found.extend(self.of_model(said, judge, environment));
                }
                JudgeKind::Own(own) => found.extend(of_own(&said.folder, &judge.name, own)?),
                _ => {}
            }
        }
        Ok(found)
    }

    fn of_model(&self, said: &Said, judge: &JudgeSettings, environment: Environment<'_>) -> Vec<ReachEntry> {
        let Ok(Some(endpoint)) = endpoint(judge, environment) else { return Vec::new() };
        let named_by = match endpoint.address_source() {
            AddressSource::Settings if said.overridden => said.of_study.base_url.clone(),
            AddressSource::Settings => Some(FILE_NAME.to_owned()),
            AddressSource::Variable(variable) => {
                self.trust.file_of_variable(variable).map(|file| format!("{variable} in {file}"))
            }
            AddressSource::Provider => None,
        };
        // Whoever vouches for a server can be that server. So with a certificate authority of the study, it counts as
        // the study's server, even at an address that the user chose.
        let vouched = matches!(&judge.kind, JudgeKind::Prompted { ca_file: Some(_), .. });
        let named_by = named_by.or_else(|| vouched.then(|| FILE_NAME.to_owned()));
        let server = endpoint.address().server();
        let mut found = Vec::new();
        if let Some(place) = named_by.filter(|_| !endpoint.is_own()) {
            let text = asked(judge, &place, &endpoint);
            let entry = server_entry(endpoint.key_variable(), &server);
            found.push(ReachEntry { kind: ReachKind::Server, entry, text });
        } else if let Some(variable) = self.other_key(said, judge, &endpoint) {
            let text = format!(
                "{FILE_NAME}: judge {} would send the key in {variable} to {server}; the usual one is {}",
                judge.name,
                endpoint.provider().key_variable
            );
            found.push(ReachEntry {
                kind: ReachKind::Server,
                entry: server_entry(Some(variable), &server),
                text,
            });
        }
        if let Some(variable) = endpoint.key_variable().filter(|_| endpoint.address().is_clear_text()) {
            found.push(clear_text(variable, &server));
        }
        found.extend(bucket(judge, &endpoint));
        found
    }
}

/// The reach of a judge's batches: a bucket, which the study's own file names.
fn bucket(judge: &JudgeSettings, endpoint: &Endpoint) -> Option<ReachEntry> {
    let JudgeKind::Prompted { aws: Some(aws), .. } = &judge.kind else { return None };
    let bucket = format!("s3://{}", aws.batches.as_ref()?.bucket);
    let text = format!(
        "{FILE_NAME}: judge {} would store queries and documents in {bucket} when it runs with --batch, with the keys \
         of your AWS account",
        judge.name
    );
    Some(ReachEntry { kind: ReachKind::Server, entry: server_entry(endpoint.key_variable(), &bucket), text })
}

impl StudyReach {
    /// Returns the variable that the study itself chose for a judge, if that is not the provider's: it might hold the
    /// key of another service. A key of the study's own is its owner's.
    fn other_key<'a>(&self, said: &Said, judge: &JudgeSettings, endpoint: &'a Endpoint) -> Option<&'a str> {
        let JudgeKind::Prompted { key: Some(_), .. } = &judge.kind else { return None };
        let variable = endpoint.key_variable().filter(|name| *name != endpoint.provider().key_variable)?;
        let own = |file: &str| real_path(Path::new(file)) == real_path(&said.folder.path(".env"));
        let is_own = self.trust.file_of_variable(variable).is_some_and(own);
        (!said.keyed.contains(&judge.name) && !is_own).then_some(variable)
    }
}

impl AllowedServers for StudyReach {
    fn allow(&self, judges: &[JudgeSettings], environment: Environment<'_>) -> Result<(), StudyError> {
        self.trust.allow(self.of_judges(judges, environment)?)
    }
}

/// The reach of a judge of the user's own. The study's own file defines it, whoever chose the judge.
fn of_own(folder: &Folder, judge: &str, own: &OwnJudgeSettings) -> Result<Vec<ReachEntry>, StudyError> {
    let settings = match &own.source {
        OwnJudgeSource::Command(settings) => {
            let folder = own.dir.as_ref().map_or_else(|| folder.clone(), Folder::new);
            return Ok(vec![command(
                ReachKind::JudgingCommand,
                &format!("judge {judge}"),
                settings,
                &folder,
            )?]);
        }
        OwnJudgeSource::Endpoint(settings) => settings,
        // It is given by the program that runs the study.
        OwnJudgeSource::Function { .. } => return Ok(Vec::new()),
    };
    let Ok(address) = Address::parse(&settings.endpoint) else { return Ok(Vec::new()) };
    let server = address.server();
    let with = settings.key.as_ref().map_or_else(String::new, |key| format!(", with the key in {key}"));
    let text = format!("{FILE_NAME}: judge {judge} would be sent queries and documents at {address}{with}");
    let entry = server_entry(settings.key.as_deref(), &server);
    let mut found = vec![ReachEntry { kind: ReachKind::Server, entry, text }];
    if let Some(variable) = settings.key.as_ref().filter(|_| address.is_clear_text()) {
        found.push(clear_text(variable, &server));
    }
    Ok(found)
}

/// Returns the entry of a key that others could read in transit to a server.
pub(super) fn clear_text(variable: &str, server: &str) -> ReachEntry {
    ReachEntry {
        kind: ReachKind::ClearText,
        entry: server_entry(Some(variable), server),
        text: format!("the key in {variable} would go to {server} in clear text, readable on the way"),
    }
}

fn asked(judge: &JudgeSettings, place: &str, endpoint: &Endpoint) -> String {
    let with = endpoint.key_variable().map_or_else(String::new, |key| format!(", with the key in {key}"));
    let vouched = match &judge.kind {
        JudgeKind::Prompted { ca_file: Some(file), .. } => {
            format!(", whose certificate the study's ca_file = {:?} vouches for", file.display().to_string())
        }
        _ => String::new(),
    };
    format!(
        "{place}: judge {} would be sent queries and documents at {}{vouched}{with}; {}",
        judge.name,
        endpoint.address(),
        match endpoint.provider() {
            Provider { name, address: Some(_), .. } => format!("that is not {name}'s own server"),
            Provider { name, .. } =>
                format!("every customer of {name} has a server, so make sure that it is yours"),
        }
    )
}
