//! Saves copies of the user's templates, by their hashes.
//!
//! So answers to an old template can still be explained.

use std::path::{Path, PathBuf};

use llull_config::{Folder, JudgeKind, SavedFile};
use llull_core::{Hash, JudgeSpec};
use llull_judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, Prompt};

use crate::error::StudyError;
use crate::study_config::StudyConfig;

/// The folder of the copies, next to the ledger.
const KEPT: &str = "prompts";

fn copy(folder: &Folder, hash: Hash) -> SavedFile<'_> {
    SavedFile::copy(folder, KEPT, hash)
}

/// Saves a copy of each template file of the study's judges. In a read-only folder it does nothing.
///
/// # Errors
/// Returns an error if a template cannot be read, or a copy cannot be written.
pub(crate) fn save_prompts(StudyConfig { settings, folder }: StudyConfig<'_>) -> Result<(), StudyError> {
    for judge in settings.judges.iter().chain(&settings.graders) {
        let JudgeKind::Prompted { prompt, .. } = &judge.kind else { continue };
        if let Some(file) = template_file(folder, prompt)? {
            let text = llull_data::read_text(&file)?;
            copy(folder, Prompt::parse(&text, prompt)?.hash()).save_copy(&text)?;
        }
    }
    Ok(())
}

/// Returns the value of `--prompt` for an earlier prompt of a judge: the name of a built-in one, or the path of a copy.
/// `None` without either.
pub(crate) fn saved_prompt_name(folder: &Folder, then: &JudgeSpec) -> Option<String> {
    if Prompt::builtin(&then.prompt).is_ok_and(|prompt| prompt.hash() == then.prompt_hash) {
        return Some(then.prompt.clone());
    }
    let copy = copy(folder, then.prompt_hash);
    let path = copy.existing()?;
    Some(copy.relative(path).display().to_string())
}

/// Returns an earlier prompt of a judge: a built-in one, that of a judge of the study, or a copy. `None` if none has
/// its hash.
pub(crate) fn find_prompt(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    then: &JudgeSpec,
) -> Option<Prompt> {
    let is_it = |prompt: &Prompt| prompt.hash() == then.prompt_hash;
    if let Some(builtin) = Prompt::builtin(&then.prompt).ok().filter(is_it) {
        return Some(builtin);
    }
    let copy = copy(folder, then.prompt_hash).existing();
    let own = settings.judges.iter().chain(&settings.graders).filter_map(|judge| match &judge.kind {
        JudgeKind::Prompted { prompt, .. } => template_file(folder, prompt).ok().flatten(),
        _ => None,
    });
    copy.into_iter().chain(own).filter_map(|file| read_prompt(&file).ok()).find(is_it)
}

/// Returns the file of a prompt, unless its name is that of a built-in one, or looks like one.
pub(crate) fn template_file(folder: &Folder, prompt: &str) -> Result<Option<PathBuf>, StudyError> {
    let path = Path::new(prompt);
    let mut builtin = BUILTIN_GRADING_PROMPTS.iter().chain(&BUILTIN_COMPARING_PROMPTS);
    if builtin.any(|name| *name == prompt) || (!folder.path(path).exists() && !prompt.contains(['/', '.'])) {
        return Ok(None);
    }
    Ok(Some(folder.existing(path, "prompt")?))
}

/// Reads the prompt template in a file.
pub(crate) fn read_prompt(path: &Path) -> Result<Prompt, StudyError> {
    Ok(Prompt::parse(&llull_data::read_text(path)?, &path.display().to_string())?)
}
