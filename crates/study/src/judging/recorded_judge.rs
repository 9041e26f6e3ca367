//! Finds a language model in the recording of its answers: an export of the ledger that has them.

use std::path::Path;
use std::sync::Arc;

use llull_config::{Folder, JudgeKind, JudgeSettings, TournamentSettings};
use llull_core::{JudgeSpec, Paradigm};
use llull_judge::Rubric;
use llull_runner::{JudgeIdentity, Prompted, PromptedSettings, RecordedJudge};
use llull_store::{Detail, LedgerJudge, LedgerReader as _, MemoryLedger, exported_judges, import};

use super::sent_prompt::with_options;
use crate::error::StudyError;
use crate::judging::error::JudgeError;
use crate::saved::find_prompt;
use crate::study_config::StudyConfig;

/// Returns the prompts of the language model whose answers to this rubric are in a recording. If there are several, it
/// is the one with the name of the study's judge. No answer is read.
///
/// # Errors
/// Returns an error if the file is no export, has no such judge or several, or the prompt is unknown.
pub(super) fn recorded_prompts(
    config: StudyConfig<'_>,
    judge: &JudgeSettings,
    recording: &Path,
    tournament: Option<&TournamentSettings>,
    rubric: &Arc<Rubric>,
) -> Result<Prompted, StudyError> {
    let file = config.folder.existing(recording, "recording")?;
    let refused = |message: String| refused(judge, &file, message);
    let all = exported_judges(llull_data::open(&file)?).map_err(|error| refused(error.to_string()))?;
    let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let fits = |spec: &JudgeSpec| {
        spec.sampling.is_some() && spec.paradigm == paradigm && spec.rubric_hash == rubric.hash
    };
    let fitting: Vec<&LedgerJudge> = all.iter().filter(|known| fits(&known.spec)).collect();
    let named: Vec<&LedgerJudge> = fitting.iter().filter(|known| known.name == judge.name).copied().collect();
    let (([one], _) | (_, [one])) = (fitting.as_slice(), named.as_slice()) else {
        return Err(refused(match fitting.as_slice() {
            [] => format!(
                "it has no {} answers of a language model under this rubric; it has: {}. Restore the rubric, or name a \
                 model to ask, such as --judge openai/MODEL",
                paradigm.name(),
                listed(&all)
            ),
            several => format!(
                "it has several judges that fit: {}. Give this judge the `name` of one of them, or export a ledger \
                 that has one",
                listed(several.iter().copied())
            ),
        }));
    };
    let spec = &one.spec;
    let prompt = find_prompt(config, spec).ok_or_else(|| {
        refused(format!("its prompt {} is neither built in nor saved in this study's folder", spec.prompt))
    })?;
    let mut base = PromptedSettings {
        sampling: spec.sampling.unwrap_or_default(),
        ..PromptedSettings::new(&judge.name, &spec.model)
    };
    base.document_tokens = judge.kind.document_tokens().unwrap_or(base.document_tokens);
    if let Some(tournament) = tournament {
        base.window_tokens = tournament.window_tokens;
    }
    let prompted = with_options(base, spec).map(|found| Prompted::new(found, prompt, Arc::clone(rubric)));
    prompted.filter(|prompted| prompted.spec().fingerprint() == spec.fingerprint()).ok_or_else(|| {
        refused("another version of llull made it, and this one cannot repeat its requests".to_owned())
    })
}

/// Adds the recorded answers to a judge that [`recorded_prompts`] found.
///
/// # Errors
/// Returns an error if the file cannot be read, or has an invalid line.
pub(super) fn with_answers(
    folder: &Folder,
    judge: &JudgeSettings,
    prompted: &Prompted,
) -> Result<RecordedJudge, StudyError> {
    let JudgeKind::Recorded { recording, .. } = &judge.kind else {
        return Err(StudyError::Judges(JudgeError::NoModel(judge.name.clone())));
    };
    let file = folder.existing(recording, "recording")?;
    let refused = |error: llull_store::StoreError| refused(judge, &file, error.to_string());
    let mut ledger = MemoryLedger::default();
    import(llull_data::open(&file)?, &mut ledger).map_err(refused)?;
    let mut attempts = Vec::new();
    if let Some(id) = ledger.find(prompted.spec()).map_err(refused)? {
        ledger
            .scan(Some(&[id]), Detail::Replies, &mut |_, attempt| {
                attempts.push(attempt);
                Ok(())
            })
            .map_err(refused)?;
    }
    Ok(RecordedJudge::new(prompted.clone(), recording.display().to_string(), attempts))
}

fn refused(judge: &JudgeSettings, file: &Path, message: String) -> StudyError {
    let (judge, file) = (judge.name.clone(), file.display().to_string());
    StudyError::Judges(JudgeError::Problem(format!("judge {judge}: the recording {file}: {message}")))
}

fn listed<'a>(judges: impl IntoIterator<Item = &'a LedgerJudge>) -> String {
    let words = |known: &LedgerJudge| {
        let spec = &known.spec;
        let temperature = spec.sampling.and_then(|sampling| sampling.temperature);
        let temperature = temperature.map_or_else(String::new, |value| format!(", temperature {value}"));
        format!("{} ({}, {}{temperature})", known.name, spec.model, spec.paradigm.name())
    };
    let words: Vec<String> = judges.into_iter().map(words).collect();
    if words.is_empty() { "no judge".to_owned() } else { words.join("; ") }
}
