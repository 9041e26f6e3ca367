//! What every command works with, and how it opens the study.

use std::path::Path;

use anyhow::Result;
use llull::config::{ConfigError, Overrides};
use llull::judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
use llull::{Study, StudyError};

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
        let lookup = |name: &str| self.environment.get(name);
        let typed = Overrides {
            judges: typed.judges.iter().map(|judge| self.locate_replay_file(judge)).collect(),
            prompt: typed.prompt.map(|prompt| self.locate(&prompt).unwrap_or(prompt)),
            ..typed
        };
        if let Some(prompt) = &typed.prompt {
            self.check_prompt(prompt)?;
        }
        let has_judges = !typed.judges.is_empty();
        let overrides = typed.over(Overrides::from_environment(&lookup)?);
        match Study::open(&self.global.study, &overrides) {
            Err(StudyError::Config(error @ ConfigError::NoModel { .. })) if has_judges => {
                refuse!("{error}")
            }
            opened => Ok(opened?),
        }
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
