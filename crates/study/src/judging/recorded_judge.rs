//! Reads the recording of a language model's answers: an export of the ledger that has them.

use std::path::Path;
use std::sync::Arc;

use llull_config::{Folder, JudgeSettings, Settings, TournamentSettings};
use llull_core::{JudgeSpec, Paradigm};
use llull_judge::Rubric;
use llull_runner::{JudgeIdentity as _, Prompted, PromptedSettings, RecordedJudge};
use llull_store::{Detail, LedgerJudge, LedgerReader as _, MemoryLedger, import};

use super::sent_prompt::with_options;
use crate::error::StudyError;
use crate::judging::error::JudgeError;
use crate::saved::find_prompt;

/// Returns the language model whose answers to this rubric are in a recording. If there are several, it is the one with
/// the name of the study's judge.
///
/// # Errors
/// Returns an error if the file is no export, has no such judge or several, or the prompt is unknown.
pub(super) fn recorded_judge(
    settings: &Settings,
    folder: &Folder,
    judge: &JudgeSettings,
    recording: &Path,
    tournament: Option<&TournamentSettings>,
    rubric: &Arc<Rubric>,
) -> Result<RecordedJudge, StudyError> {
    let file = folder.existing(recording, "recording")?;
    let refused = |message: String| {
        let (judge, file) = (judge.name.clone(), file.display().to_string());
        StudyError::Judges(JudgeError::Recording { judge, file, message })
    };
    let mut ledger = MemoryLedger::default();
    import(llull_data::open(&file)?, &mut ledger).map_err(|error| refused(error.to_string()))?;
    let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let all = ledger.judges()?;
    let fits = |spec: &JudgeSpec| {
        spec.sampling.is_some() && spec.paradigm == paradigm && spec.rubric_hash == rubric.hash
    };
    let mut fitting: Vec<&LedgerJudge> = all.iter().filter(|known| fits(&known.spec)).collect();
    if fitting.len() > 1 {
        fitting.retain(|known| known.name == judge.name);
    }
    let &[LedgerJudge { id, spec, .. }] = fitting.as_slice() else {
        return Err(refused(none_or_several(&all, fits, paradigm)));
    };
    let prompt = find_prompt(settings, folder, spec).ok_or_else(|| {
        refused(format!("its prompt {} is neither built in nor saved in this study's folder", spec.prompt))
    })?;
    let base = PromptedSettings {
        sampling: spec.sampling.unwrap_or_default(),
        ..PromptedSettings::new(&judge.name, &spec.model)
    };
    let mut prompting = with_options(base, spec)
        .ok_or_else(|| refused("it was made with an option that this llull does not know".to_owned()))?;
    if let Some(tournament) = tournament {
        prompting.window_tokens = tournament.window_tokens;
    }
    let prompted = Prompted::new(prompting, prompt, Arc::clone(rubric));
    if prompted.spec().fingerprint() != spec.fingerprint() {
        return Err(refused("its requests cannot be made again with this version of llull".to_owned()));
    }
    let mut attempts = Vec::new();
    ledger.scan(Some(&[*id]), Detail::Replies, &mut |_, attempt| {
        attempts.push(attempt);
        Ok(())
    })?;
    Ok(RecordedJudge::new(prompted, recording.display().to_string(), attempts))
}

fn none_or_several(all: &[LedgerJudge], fits: impl Fn(&JudgeSpec) -> bool, paradigm: Paradigm) -> String {
    let names = |found: Vec<&LedgerJudge>| {
        let names: Vec<String> = found
            .iter()
            .map(|known| format!("{} ({}, {})", known.name, known.spec.model, known.spec.paradigm.name()))
            .collect();
        names.join("; ")
    };
    let fitting: Vec<&LedgerJudge> = all.iter().filter(|known| fits(&known.spec)).collect();
    match fitting.as_slice() {
        [] => format!(
            "it has no {} answers of a language model under this rubric; it has: {}",
            paradigm.name(),
            if all.is_empty() { "no judge".to_owned() } else { names(all.iter().collect()) }
        ),
        _ => format!("it has several judges; give this one the name of one of them: {}", names(fitting)),
    }
}
