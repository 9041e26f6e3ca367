//! What every command is given.

use std::path::Path;

use anyhow::Result;
use llull::config::{ConfigError, Overrides};
use llull::judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
use llull::{Study, StudyError};

use crate::args::GlobalArgs;
use crate::environment::Environment;
use crate::exit::refuse;
use crate::printer::Printer;

/// What every command is given.
pub(crate) struct Context {
    /// The options of every command.
    pub(crate) global: GlobalArgs,
    /// Where output goes.
    pub(crate) printer: Printer,
    /// The environment, with `.env` below it.
    pub(crate) environment: Environment,
}

impl Context {
    /// Opens the study in hand under what the command line says.
    pub(crate) fn study(&self, said: Overrides) -> Result<Study> {
        let lookup = |name: &str| self.environment.get(name);
        let said = Overrides {
            judges: said.judges.iter().map(|judge| self.judge_found_here(judge)).collect(),
            prompt: said.prompt.map(|prompt| self.found_here(&prompt).unwrap_or(prompt)),
            ..said
        };
        if let Some(prompt) = &said.prompt {
            self.is_a_prompt(prompt)?;
        }
        let typed = said.judges.clone();
        let overrides = said.over(Overrides::from_environment(&lookup)?);
        match Study::open(&self.global.study, &overrides) {
            Err(StudyError::Config(error @ ConfigError::NoModel { .. })) if !typed.is_empty() => {
                refuse!("{error}")
            }
            opened => Ok(opened?),
        }
    }

    /// A word that names no prompt is no file either, unless there is one.
    fn is_a_prompt(&self, prompt: &str) -> Result<()> {
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

    /// The file of `replay:FILE` may be of this folder as well as of the study's.
    fn judge_found_here(&self, judge: &str) -> String {
        let file = judge.strip_prefix("replay:").and_then(|file| self.found_here(file));
        file.map_or_else(|| judge.to_owned(), |file| format!("replay:{file}"))
    }

    /// The whole path of a file that is in the current folder and not in the study's.
    fn found_here(&self, file: &str) -> Option<String> {
        let here = Path::new(file);
        let in_study = self.global.study.join(here).exists();
        let full = (!in_study && here.is_file()).then(|| here.canonicalize().ok()).flatten()?;
        full.into_os_string().into_string().ok()
    }
}
