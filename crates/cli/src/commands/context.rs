//! What every command works with, and how it opens the study.

use std::path::Path;

use anyhow::Result;
use llull::config::{ConfigError, JudgeKind, Overrides};
use llull::judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
use llull::{Recalled, Study, StudyError};

use crate::args::GlobalArgs;
use crate::environment::Environment;
use crate::exit::refuse;
use crate::printer::Printer;

/// What every command works with.
pub(crate) struct Context {
    /// The options of every command.
    pub(crate) global: GlobalArgs,
    /// Where output goes.
    pub(crate) printer: Printer,
    /// The environment, with `.env` below it.
    pub(crate) environment: Environment,
}

impl Context {
    /// Opens the study, with the settings that the command line overrides.
    ///
    /// # Errors
    ///
    /// Returns an error if the study's configuration is missing or invalid, or if an option names no judge or prompt.
    pub(crate) fn study(&self, typed: Overrides) -> Result<Study> {
        let has_judges = !typed.judges.is_empty();
        let address = typed.base_url.clone();
        let overrides = self.overrides(typed)?;
        let study = known_judges(has_judges, Study::open(&self.global.study, &overrides))?;
        if let Some(address) = address.filter(|_| !asks_a_server(&study)) {
            self.printer.warn(format!("--base-url {address} has no effect: no judge here asks a server"));
        }
        Ok(study)
    }

    /// Opens the study as it was last run, with the settings that the command line overrides: for commands that ask
    /// nothing. Says which flags of that run are applied, if they change anything.
    ///
    /// # Errors
    ///
    /// Those of [`study`](Self::study), and an error if what was kept of the last run is broken.
    pub(crate) fn study_as_last_run(&self, typed: Overrides) -> Result<Study> {
        let (study, recalled) = self.recalled(typed)?;
        match recalled {
            Recalled::Nothing => {}
            Recalled::Applied(flags) => {
                self.printer.note(format!("as last run, beside llull.toml: {flags}"));
            }
            Recalled::Dropped(flags) => self.printer.warn(format!(
                "llull.toml was edited since the last run, so its flags are not applied: {flags}"
            )),
        }
        Ok(study)
    }

    /// The same, and says nothing of the last run.
    ///
    /// # Errors
    ///
    /// Those of [`study_as_last_run`](Self::study_as_last_run).
    pub(crate) fn study_again(&self, typed: Overrides) -> Result<Study> {
        Ok(self.recalled(typed)?.0)
    }

    fn recalled(&self, typed: Overrides) -> Result<(Study, Recalled)> {
        let has_judges = !typed.judges.is_empty();
        let overrides = self.overrides(typed)?;
        known_judges(has_judges, Study::open_as_last_run(&self.global.study, &overrides))
    }

    /// What is typed, above the environment.
    fn overrides(&self, typed: Overrides) -> Result<Overrides> {
        let lookup = |name: &str| self.environment.get(name);
        let typed = Overrides {
            judges: typed.judges.iter().map(|judge| self.locate_replay_file(judge)).collect(),
            prompt: typed.prompt.map(|prompt| self.locate(&prompt).unwrap_or(prompt)),
            ..typed
        };
        if let Some(prompt) = &typed.prompt {
            self.check_prompt(prompt)?;
        }
        Ok(typed.over(Overrides::from_environment(&lookup)?))
    }

    /// Refuses a word that names no built-in prompt, unless it looks like a path or is a file.
    fn check_prompt(&self, prompt: &str) -> Result<()> {
        let built_in = || BUILTIN_GRADING_PROMPTS.iter().chain(&BUILTIN_COMPARING_PROMPTS);
        let path_like = prompt.contains(['/', '.']) || self.global.study.join(prompt).exists();
        if path_like || built_in().any(|known| *known == prompt) {
            return Ok(());
        }
        let known: Vec<&str> = built_in().copied().collect();
        refuse!(
            "--prompt {prompt}: no such prompt is built in; choose one of {}, or give the path of a template file",
            known.join(", ")
        );
    }

    /// Replaces the file of `replay:FILE` by its whole path, if it is in this folder and not in the study's.
    fn locate_replay_file(&self, judge: &str) -> String {
        let file = judge.strip_prefix("replay:").and_then(|file| self.locate(file));
        file.map_or_else(|| judge.to_owned(), |file| format!("replay:{file}"))
    }

    /// The whole path of a file that is in the current folder and not in the study's.
    fn locate(&self, file: &str) -> Option<String> {
        let here = Path::new(file);
        let in_study = self.global.study.join(here).exists();
        let full = (!in_study && here.is_file()).then(|| here.canonicalize().ok()).flatten()?;
        full.into_os_string().into_string().ok()
    }
}

/// Whether a judge of the study may ask a server: a language model, or one of the user's own.
fn asks_a_server(study: &Study) -> bool {
    let mut judges = study.settings().judges.iter().chain(&study.settings().graders);
    judges.any(|judge| matches!(judge.kind, JudgeKind::Prompted { .. } | JudgeKind::Custom { .. }))
}

/// Counts a typed judge that is no model as wrong usage.
fn known_judges<T>(typed: bool, opened: Result<T, StudyError>) -> Result<T> {
    match opened {
        Err(StudyError::Config(error @ ConfigError::NoModel { .. })) if typed => refuse!("{error}"),
        opened => Ok(opened?),
    }
}

/// Refuses a flag of a study beside plain files.
pub(crate) fn no_study_flag(flag: Option<&str>) -> Result<()> {
    match flag {
        Some(flag) => refuse!("{flag} is about the judges of a study, and files are given; leave it out"),
        None => Ok(()),
    }
}
