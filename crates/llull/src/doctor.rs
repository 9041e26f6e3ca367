//! `llull doctor`: everything that can be known to go wrong before money is spent.

use llull_core::Ranking;
use llull_llm::SchemaUse;
use serde::Serialize;

use crate::config::{JudgeKind, JudgeSettings, SystemSource};
use crate::judged::{Asking, Environment};
use crate::{Prepared, Study, StudyError};

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

impl Study {
    /// Checks the study: files, identifiers, texts, prompts, keys, and with `online` whether each language model answers
    /// (one request of about a hundred tokens each).
    pub fn examine(&self, environment: Environment<'_>, online: bool) -> Vec<DoctorFinding> {
        let mut findings = Findings::default();
        if !findings.files(self) {
            return findings.0;
        }
        let Some(prepared) = findings.take("pool", self.prepare()) else { return findings.0 };
        findings.prepared(&prepared);
        if let Some(labels) = &prepared.reference {
            findings.fine("reference", format!("{} labels", labels.pairs()));
        }
        findings.judges(self, &prepared, environment, online);
        findings.0
    }
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
    fn files(&mut self, study: &Study) -> bool {
        let settings = study.settings();
        let named = [
            ("topics", Some(&settings.topics)),
            ("corpus", settings.corpus.as_ref()),
            ("rubric", settings.rubric.as_ref()),
            ("reference", settings.reference.as_ref()),
        ];
        let of_system = settings.systems.iter().filter_map(|system| match &system.source {
            SystemSource::Run { run } => Some(("run", run)),
            SystemSource::Retriever { .. } => None,
        });
        let asked = settings.judges.iter().chain(&settings.graders);
        let of_judge = asked.filter_map(|judge| match &judge.kind {
            JudgeKind::Replay { labels } => Some(("labels", labels)),
            JudgeKind::Prompted { .. } | JudgeKind::Similarity {} => None,
        });
        let named = named.into_iter().filter_map(|(key, path)| Some((key, path?)));
        let mut all = true;
        for (key, path) in named.chain(of_system).chain(of_judge) {
            all &= self.take(key, study.existing(path, key)).is_some();
        }
        all
    }

    fn prepared(&mut self, prepared: &Prepared) {
        let scale = prepared.rubric.scale;
        self.fine(
            "rubric",
            format!(
                "{:?}, grades {} to {}, relevant from {}",
                prepared.rubric.name,
                scale.low(),
                scale.high(),
                prepared.rubric.cutoff
            ),
        );
        self.fine("topics", format!("{} queries", prepared.topics.len()));
        for (run, contribution) in prepared.runs.iter().zip(prepared.pool.contributions()) {
            let unanswered = prepared
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
        self.fine("pool", format!("{} pairs at depth {}", prepared.pool.pairs(), prepared.pool.depth));
        for note in &prepared.notes {
            self.add(Severity::Warning, "input", note);
        }
    }

    fn judges(&mut self, study: &Study, prepared: &Prepared, environment: Environment<'_>, online: bool) {
        let known = study.judge(
            prepared,
            environment,
            Asking::Nothing,
            &llull_runner::Silent,
            &llull_runner::Cancel::new(),
        );
        let Some(judged) = self.take("judges", known) else { return };
        for note in &judged.notes {
            self.add(Severity::Warning, "corpus", note);
        }
        let compares = judged.comparison.is_some();
        let judges =
            study.settings().judges.iter().zip(&judged.outcome.judges).map(|judge| (judge, compares));
        let grading = judged.grading.iter().flat_map(|grading| &grading.outcome.judges);
        let graders = study.settings().graders.iter().zip(grading).map(|grader| (grader, false));
        for ((settings, outcome), compares) in judges.chain(graders) {
            let what = format!("judge {}", settings.name);
            let known = format!("{} in the ledger already", outcome.reused);
            self.fine(
                &what,
                match (compares, &judged.comparison) {
                    (true, _) if outcome.not_asked == 0 => format!("no question to ask, {known}"),
                    (true, _) => format!(
                        "{} questions to ask, {known}; others follow from the answers: llull judge --dry-run",
                        outcome.not_asked
                    ),
                    (false, Some(_)) => {
                        format!(
                            "grades documents of each tier: {} pairs to ask so far, {known}",
                            outcome.not_asked
                        )
                    }
                    (false, None) => format!("{} pairs to ask, {known}", outcome.not_asked),
                },
            );
            if let JudgeKind::Prompted { .. } = &settings.kind {
                if let Some(contact) = study.contact(settings, environment) {
                    let severity =
                        if contact.takes_key_elsewhere() { Severity::Warning } else { Severity::Fine };
                    self.add(severity, &what, format!("asked at {contact}"));
                }
                let model = study.model(settings, environment).map_err(|error| match error {
                    StudyError::Model { source, .. } => StudyError::Unfit(source.to_string()),
                    other => other,
                });
                if let Some(model) = self.take(&what, model) {
                    if online {
                        self.probe(&what, settings, &*model);
                    } else {
                        self.fine(&what, "its name, address and key are well-formed; it was not contacted");
                    }
                }
            }
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
                    SchemaUse::CutOff => self.add(Severity::Warning, what, format!("{time}, and was cut off after 64 tokens, as models that reason first are; see that max_tokens is large enough")),
                    SchemaUse::Ignored => self.add(Severity::Warning, what, format!("{time}, and ignores the JSON schema; answers that cannot be read will be counted as unusable")),
                    SchemaUse::Refused => self.add(Severity::Warning, what, format!("{time}; its server has no JSON schema, so it is asked in plain words")),
                }
            }
        }
    }
}
