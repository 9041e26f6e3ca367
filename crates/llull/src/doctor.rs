//! `llull doctor`: finds what would go wrong before money is spent.

use llull_core::{Hash, Ranking};
use llull_llm::SchemaUse;
use serde::Serialize;

use crate::config::{JudgeKind, JudgeSettings, Settings, Source, SystemSource};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::folder::Folder;
use crate::inputs::{Inputs, read_inputs};
use crate::judging::{Environment, JudgeTally, connected, endpoint, read_evidence};
use crate::ledger::StudyLedger;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// As it should be.
    Fine,
    /// It will work, and the user should know.
    Warning,
    /// `llull run` would fail.
    Error,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorFinding {
    /// How bad it is.
    pub severity: Severity,
    /// What was checked.
    pub what: String,
    /// What was found, and what to do.
    pub text: String,
}

/// What is checked.
pub(crate) struct Checked<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) folder: &'a Folder,
    pub(crate) ledger: &'a StudyLedger,
    pub(crate) config_hash: Option<Hash>,
}

/// Checks a study: files, identifiers, texts, prompts, keys, and with `online` whether each language model answers (one
/// request of about a hundred tokens each).
pub(crate) fn examine(study: &Checked<'_>, environment: Environment<'_>, online: bool) -> Vec<DoctorFinding> {
    let mut findings = Findings::default();
    if !findings.files(study.settings, study.folder) {
        return findings.0;
    }
    let inputs = read_inputs(study.settings, study.folder, study.config_hash);
    let Some(inputs) = findings.take("pool", inputs) else { return findings.0 };
    findings.inputs(&inputs);
    if let Some(labels) = &inputs.reference {
        findings.fine("reference", format!("{} labels", labels.pairs()));
    }
    findings.judges(study, &inputs, environment, online);
    findings.0
}

#[derive(Default)]
struct Findings(Vec<DoctorFinding>);

impl Findings {
    fn add(&mut self, severity: Severity, what: &str, text: impl Into<String>) {
        self.0.push(DoctorFinding { severity, what: what.to_owned(), text: text.into() });
    }

    fn fine(&mut self, what: &str, text: impl Into<String>) {
        self.add(Severity::Fine, what, text);
    }

    /// The value, or `None` with the error noted.
    fn take<T>(&mut self, what: &str, result: Result<T, StudyError>) -> Option<T> {
        result.map_err(|error| self.add(Severity::Error, what, error.to_string())).ok()
    }

    /// Whether every file is there that the configuration names; all that are not are found at once.
    fn files(&mut self, settings: &Settings, folder: &Folder) -> bool {
        let named = [
            ("topics", settings.topics.path()),
            ("corpus", settings.corpus.as_ref().and_then(Source::path)),
            ("rubric", settings.rubric.as_ref().and_then(Source::path)),
            ("reference", settings.reference.as_ref().and_then(Source::path)),
        ];
        let of_system = settings.systems.iter().filter_map(|system| match &system.source {
            SystemSource::Run { run } => Some(("run", run.path()?)),
            SystemSource::Retriever { .. } | SystemSource::Custom(_) => None,
        });
        let asked = settings.judges.iter().chain(&settings.graders);
        let of_judge = asked.filter_map(|judge| match &judge.kind {
            JudgeKind::Replay { labels } => Some(("labels", labels.path()?)),
            JudgeKind::Prompted { .. } | JudgeKind::Similarity {} | JudgeKind::Custom { .. } => None,
        });
        let named = named.into_iter().filter_map(|(key, path)| Some((key, path?)));
        let mut all = true;
        for (key, path) in named.chain(of_system).chain(of_judge) {
            all &= self.take(key, folder.existing(path, key)).is_some();
        }
        all
    }

    fn inputs(&mut self, inputs: &Inputs) {
        let scale = inputs.rubric.scale;
        self.fine(
            "rubric",
            format!(
                "{:?}, grades {} to {}, relevant from {}",
                inputs.rubric.name,
                scale.low(),
                scale.high(),
                inputs.rubric.cutoff
            ),
        );
        self.fine("topics", format!("{} queries", inputs.topics.len()));
        for (run, contribution) in inputs.runs.iter().zip(inputs.pool.contributions()) {
            let unanswered = inputs
                .topics
                .iter()
                .filter(|topic| run.ranking(&topic.id).is_none_or(Ranking::is_empty))
                .count();
            let text = format!("{} queries answered, {} pairs in the pool", run.len(), contribution.pairs);
            match unanswered {
                0 => self.fine(&format!("system {}", run.name), text),
                1 => self.add(
                    Severity::Warning,
                    &format!("system {}", run.name),
                    format!("{text}; 1 query is not answered and counts as 0"),
                ),
                n => self.add(
                    Severity::Warning,
                    &format!("system {}", run.name),
                    format!("{text}; {n} queries are not answered and count as 0"),
                ),
            }
        }
        self.fine("pool", format!("{} pairs at depth {}", inputs.pool.pairs(), inputs.pool.depth));
        for note in &inputs.notes {
            self.add(Severity::Warning, "input", note);
        }
    }

    fn judges(&mut self, study: &Checked<'_>, inputs: &Inputs, environment: Environment<'_>, online: bool) {
        let known =
            study.ledger.read(&mut |ledger| read_evidence(study.settings, study.folder, inputs, ledger));
        let Some(evidence) = self.take("judges", known) else { return };
        for note in &evidence.notes {
            self.add(Severity::Warning, "corpus", note);
        }
        let judges = study.settings.judges.iter().zip(evidence.judges.judges());
        let grading = evidence.graders.iter().flat_map(|graders| graders.judges());
        let graders = study.settings.graders.iter().zip(grading);
        let compares = evidence.compared.is_some();
        let all = judges.map(|judge| (judge, compares)).chain(graders.map(|grader| (grader, false)));
        for ((settings, answers), compares) in all {
            let what = format!("judge {}", settings.name);
            self.fine(&what, to_ask(&JudgeTally::of(answers), compares, &evidence));
            if let JudgeKind::Prompted { .. } = settings.kind {
                self.model(&what, settings, environment, online);
            }
        }
    }

    /// Whether a language model can be asked: its address, its key, and with `online` its answer.
    fn model(&mut self, what: &str, settings: &JudgeSettings, environment: Environment<'_>, online: bool) {
        match endpoint(settings, environment) {
            Ok(Some(endpoint)) => {
                let severity =
                    if endpoint.takes_key_elsewhere() { Severity::Warning } else { Severity::Fine };
                self.add(severity, what, format!("asked at {endpoint}"));
            }
            Ok(None) => {}
            Err(error) => return self.add(Severity::Error, what, unnamed(&error)),
        }
        match connected(settings, environment) {
            Ok(model) if online => self.probe(what, settings, &*model),
            Ok(_) => self.fine(what, "its name, address and key are well-formed; it was not contacted"),
            Err(error) => self.add(Severity::Error, what, unnamed(&error)),
        }
    }

    fn probe(&mut self, what: &str, settings: &JudgeSettings, model: &dyn llull_llm::ChatModel) {
        let JudgeKind::Prompted { sampling, .. } = &settings.kind else { return };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return self.add(Severity::Error, what, error.to_string()),
        };
        match runtime.block_on(llull_llm::check(model, sampling)) {
            Err(failure) => self.add(Severity::Error, what, failure.to_string()),
            Ok(probe) => {
                let who = probe.model.as_deref().unwrap_or(&settings.model);
                let time = format!("{who} answers, in {}", llull_report::text::seconds(probe.latency));
                match probe.schema {
                    SchemaUse::Followed => self.fine(what, format!("{time}, and keeps to a JSON schema")),
                    SchemaUse::CutOff => self.add(
                        Severity::Warning,
                        what,
                        format!(
                            "{time}, and was cut off after 64 \
                        tokens, as models that reason first are; see that max_tokens is large enough"
                        ),
                    ),
                    SchemaUse::Ignored => self.add(
                        Severity::Warning,
                        what,
                        format!(
                            "{time}, and ignores the JSON \
                        schema; answers that cannot be read will be counted as unusable"
                        ),
                    ),
                    SchemaUse::Refused => self.add(
                        Severity::Warning,
                        what,
                        format!(
                            "{time}; its server has no JSON \
                        schema, so it is asked in plain words"
                        ),
                    ),
                }
            }
        }
    }
}

/// The finding names the judge already.
fn unnamed(error: &StudyError) -> String {
    match error {
        StudyError::Model { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

/// What a judge would still be asked.
fn to_ask(tally: &JudgeTally, compares: bool, evidence: &StudyEvidence) -> String {
    let (open, known) = (tally.not_asked, format!("{} in the ledger already", tally.reused));
    match (compares, &evidence.compared) {
        (true, _) if open == 0 => format!("no question to ask, {known}"),
        (true, _) => {
            format!("{open} questions to ask, {known}; others follow from the answers: llull judge --dry-run")
        }
        (false, Some(_)) => format!("grades documents of each tier: {open} pairs to ask so far, {known}"),
        (false, None) => format!("{open} pairs to ask, {known}"),
    }
}
