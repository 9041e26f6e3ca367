//! Checks the servers that retrieve: addresses, keys, and online answers.

use llull_candidates::remote::{Greeting, NamedKey, RemoteError, RemoteRetrieval};
use llull_config::{Environment, LiveSource, RemoteSettings, SystemSource};

use super::examine::Checked;
use super::findings::{DoctorFinding, Findings, Severity};
use crate::inputs::{remote_address, remote_key};
use crate::part::Part;
use crate::reach::{ReachEntry, Trust, of_live_system};

impl Findings {
    /// Whether each server that retrieves can be used. No query is sent, and servers without trust are not contacted.
    pub(super) fn servers(&mut self, study: &Checked<'_>, environment: Environment<'_>, online: bool) {
        for system in &study.config.settings.systems {
            let SystemSource::Live(source) = &system.source else { continue };
            let LiveSource::Remote(settings) = source else { continue };
            let reach = of_live_system(&system.name, source, study.config.folder, environment);
            let trusted = reach.is_ok_and(|reach| reach.iter().all(|entry| study.reach.trust().holds(entry)));
            self.server((&system.name, settings), environment, online && trusted);
        }
    }

    fn server(&mut self, of: (&str, &RemoteSettings), environment: Environment<'_>, contacted: bool) {
        let (name, settings) = of;
        let part = Part::System(name.to_owned());
        let asked =
            remote_address(of, environment).and_then(|asked| Ok((asked, remote_key(of, environment)?)));
        let ((address, protocol), key) = match asked {
            Ok(asked) => asked,
            Err(error) => return self.add(Severity::Error, &part, error.to_string()),
        };
        let with = settings.key.as_ref().map_or_else(String::new, |key| format!(", with the key in {key}"));
        if !contacted {
            return self.fine(&part, format!("requests go to {address}{with}; it was not contacted"));
        }
        let key = settings.key.as_deref().zip(key.as_deref());
        let key = key.map(|(variable, key)| NamedKey { variable, key });
        let retrieval = settings.requests(name, (address.clone(), protocol), key);
        match retrieval.and_then(RemoteRetrieval::greet) {
            Ok(Greeting::Ready) => {
                self.fine(&part, format!("{address} answers{with}, and has what is searched"));
            }
            Ok(Greeting::Answers(status)) => {
                self.fine(
                    &part,
                    format!("{address} answers{with} (HTTP {status} at its root); no query was sent"),
                );
            }
            Err(RemoteError::Unreached { reason, .. }) => self.add(Severity::Error, &part, reason),
            Err(error) => self.add(Severity::Error, &part, error.to_string()),
        }
    }
}

/// Returns a finding for each entry of a study's reach: an error if it is not trusted.
pub fn reach_findings(reach: &[ReachEntry], trust: &Trust) -> Vec<DoctorFinding> {
    let finding = |entry: &ReachEntry| {
        let ReachEntry { text, entry: place, .. } = entry;
        let (severity, text) = match trust.holds(entry) {
            true => (Severity::Fine, format!("{place} (trusted)")),
            false => (Severity::Error, format!("{text} (not trusted: --trust allows it: {place})")),
        };
        DoctorFinding { severity, what: "reach".to_owned(), text, missing_key: None }
    };
    reach.iter().map(finding).collect()
}
