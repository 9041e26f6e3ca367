//! The templates of the user's own that judges were given, by their hashes: so that answers to an old one can still be
//! shown.

use std::path::{Path, PathBuf};

use llull_config::{Folder, JudgeKind, Settings, save_copy};
use llull_core::{Hash, JudgeSpec};
use llull_judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, Prompt};

use crate::error::StudyError;

/// The folder of the copies, beside the ledger.
const KEPT: &str = "prompts";

fn name(hash: Hash) -> PathBuf {
    Path::new(KEPT).join(format!("{hash}.md"))
}

/// Keeps a copy of each template file of the study's judges. Nothing is kept where the folder cannot be written to.
///
/// # Errors
/// Returns an error if a template cannot be read, or a copy not be written.
pub(crate) fn save_prompts(settings: &Settings, folder: &Folder) -> Result<(), StudyError> {
    for judge in settings.judges.iter().chain(&settings.graders) {
        let JudgeKind::Prompted { prompt, .. } = &judge.kind else { continue };
        if let Some(file) = template_file(folder, prompt)? {
            let text = llull_data::read_text(&file)?;
            save_copy(folder, &name(Prompt::parse(&text, prompt)?.hash()), &text)?;
        }
    }
    Ok(())
}

/// Returns what `--prompt` takes for the prompt of a judge as it was: the name of one that is built in, or the path of
/// a copy. `None` if neither is there.
pub(crate) fn saved_prompt_name(folder: &Folder, then: &JudgeSpec) -> Option<String> {
    if Prompt::builtin(&then.prompt).is_ok_and(|prompt| prompt.hash() == then.prompt_hash) {
        return Some(then.prompt.clone());
    }
    let name = name(then.prompt_hash);
    let kept = folder.private_file(&name).is_ok_and(|file| file.is_file());
    kept.then(|| Path::new(".llull").join(name).display().to_string())
}

/// Returns the prompt of a judge as it was: one that is built in, that of a judge of the study, or a copy. `None` if
/// none of them is the same.
pub(crate) fn find_prompt(settings: &Settings, folder: &Folder, then: &JudgeSpec) -> Option<Prompt> {
    let is_it = |prompt: &Prompt| prompt.hash() == then.prompt_hash;
    if let Some(builtin) = Prompt::builtin(&then.prompt).ok().filter(is_it) {
        return Some(builtin);
    }
    let copy = folder.private_file(name(then.prompt_hash)).ok().filter(|file| file.is_file());
    let own = settings.judges.iter().chain(&settings.graders).filter_map(|judge| match &judge.kind {
        JudgeKind::Prompted { prompt, .. } => template_file(folder, prompt).ok().flatten(),
        _ => None,
    });
    copy.into_iter().chain(own).filter_map(|file| read_prompt(&file).ok()).find(is_it)
}

/// Returns the file that a prompt's name is, unless it is the name of one that is built in, or looks like one.
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
