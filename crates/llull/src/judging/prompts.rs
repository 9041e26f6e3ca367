//! What a language model is asked as a judge.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull_core::Seed;
use llull_judge::{AnchorOrder, BUILTIN_COMPARE_PROMPTS, BUILTIN_PROMPTS, ComparePrompt, Prompt, Rubric};
use llull_runner::{Prompted, PromptedSettings};

use crate::config::{JudgeKind, JudgeSettings, Settings, TournamentSettings};
use crate::error::StudyError;
use crate::folder::Folder;

/// How many alternatives are asked for at each token, where log-probabilities are: the most that servers give.
const LOGPROBS: u8 = 20;

/// Returns what a language model is asked as a judge: to compare in a tournament, else to grade. It needs no model.
///
/// # Errors
/// Returns an error if the judge is no language model, or its prompt is not there, invalid, or of another paradigm.
pub(crate) fn prompted(
    settings: &Settings,
    folder: &Folder,
    judge: &JudgeSettings,
    tournament: Option<&TournamentSettings>,
    rubric: &Arc<Rubric>,
) -> Result<Prompted, StudyError> {
    let JudgeKind::Prompted { prompt, sampling, document_tokens, shuffle_anchors, logprobs, .. } = &judge.kind
    else {
        return Err(StudyError::NoModel(judge.name.clone()));
    };
    let mut prompted = PromptedSettings {
        sampling: *sampling,
        anchor_order: match shuffle_anchors {
            true => AnchorOrder::Shuffled(Seed(settings.seed).stream("anchors")),
            false => AnchorOrder::Ascending,
        },
        document_tokens: *document_tokens,
        ..PromptedSettings::new(&judge.name, &judge.model)
    };
    let Some(tournament) = tournament else {
        let template = grading(settings, folder, &judge.name, prompt)?;
        return Ok(Prompted::new(prompted, template, Arc::clone(rubric)));
    };
    let template = comparing(folder, &judge.name, prompt)?;
    let (asks, wanted) = (template.kind.paradigm(), tournament.paradigm);
    if asks != wanted {
        let (judge, prompt) = (judge.name.clone(), prompt.clone());
        return Err(StudyError::PromptParadigm { judge, prompt, asks: asks.name(), wanted: wanted.name() });
    }
    prompted.window_tokens = tournament.window_tokens;
    prompted.allow_neither = tournament.neither;
    prompted.logprobs = logprobs.then_some(LOGPROBS);
    Ok(Prompted::new(prompted, template, Arc::clone(rubric)))
}

/// Returns a prompt that grades: a built-in one, or a template file of the study.
fn grading(settings: &Settings, folder: &Folder, judge: &str, prompt: &str) -> Result<Prompt, StudyError> {
    if BUILTIN_COMPARE_PROMPTS.contains(&prompt) {
        return Err(StudyError::PromptCompares {
            judge: judge.to_owned(),
            prompt: prompt.to_owned(),
            paradigm: settings.tournament.is_none(),
            choices: BUILTIN_PROMPTS.join(", "),
        });
    }
    Ok(match template_file(folder, prompt, &BUILTIN_PROMPTS)? {
        Some(file) => Prompt::load(&file)?,
        None => Prompt::builtin(prompt)?,
    })
}

/// Returns a prompt that compares, likewise.
fn comparing(folder: &Folder, judge: &str, prompt: &str) -> Result<ComparePrompt, StudyError> {
    if BUILTIN_PROMPTS.contains(&prompt) {
        return Err(StudyError::PromptGrades {
            judge: judge.to_owned(),
            prompt: prompt.to_owned(),
            choices: BUILTIN_COMPARE_PROMPTS.join(", "),
        });
    }
    Ok(match template_file(folder, prompt, &BUILTIN_COMPARE_PROMPTS)? {
        Some(file) => ComparePrompt::load(&file)?,
        None => ComparePrompt::builtin(prompt)?,
    })
}

/// Returns the file that a prompt's name is, unless it is the name of one that is built in, or looks like one.
fn template_file(folder: &Folder, prompt: &str, builtin: &[&str]) -> Result<Option<PathBuf>, StudyError> {
    let path = Path::new(prompt);
    if builtin.contains(&prompt) || (!folder.path(path).exists() && !prompt.contains(['/', '.'])) {
        return Ok(None);
    }
    folder.existing(path, "prompt").map(Some)
}
