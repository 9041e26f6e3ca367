//! Makes the prompts of language models that judge.

use std::sync::Arc;

use llull_config::{JudgeKind, JudgeSettings, Settings, TournamentSettings};
use llull_core::{Paradigm, Seed};
use llull_judge::{AnchorOrder, BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, Prompt, Rubric};
use llull_runner::{Prompted, PromptedSettings};

use super::recorded_judge::recorded_prompts;
use crate::error::StudyError;
use crate::judging::error::JudgeError;
use crate::saved::{read_prompt, template_file};
use crate::study_config::StudyConfig;

/// The number of alternatives for each token of log-probabilities: the most that servers return.
const LOGPROBS: u8 = 20;

/// Returns a language model's prompting as a judge: to compare in a tournament, else to grade. It needs no model. That
/// of a recorded model is the recording's.
///
/// # Errors
/// Returns an error if the judge is no language model, or its prompt does not exist, is invalid, or of another
/// paradigm.
pub(crate) fn prompted(
    config: StudyConfig<'_>,
    judge: &JudgeSettings,
    tournament: Option<&TournamentSettings>,
    rubric: &Arc<Rubric>,
) -> Result<Prompted, StudyError> {
    if let JudgeKind::Recorded { recording, .. } = &judge.kind {
        return recorded_prompts(config, judge, recording, tournament, rubric);
    }
    let JudgeKind::Prompted {
        prompt,
        sampling,
        document_tokens,
        shuffle_anchors,
        logprobs,
        extra,
        attribute,
        ..
    } = &judge.kind
    else {
        return Err(StudyError::Judges(JudgeError::NoModel(judge.name.clone())));
    };
    let wanted = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let template = template(config, &judge.name, prompt, wanted)?;
    let mut prompted = PromptedSettings {
        sampling: *sampling,
        anchor_order: anchor_order(config.settings, *shuffle_anchors),
        document_tokens: *document_tokens,
        extra: (**extra).clone(),
        attribute: attribute.clone(),
        logprobs: logprobs.then_some(LOGPROBS),
        ..PromptedSettings::new(&judge.name, &judge.model)
    };
    if let Some(tournament) = tournament {
        prompted.window_tokens = tournament.window_tokens;
        prompted.allow_neither = tournament.neither;
    }
    Ok(Prompted::new(prompted, template, Arc::clone(rubric)))
}

/// Returns the order in which a judge sees worked examples.
pub(crate) fn anchor_order(settings: &Settings, shuffled: bool) -> AnchorOrder {
    match shuffled {
        true => AnchorOrder::ShuffledByQuestion(Seed(settings.seed).stream("anchors")),
        false => AnchorOrder::Ascending,
    }
}

/// Returns a prompt of the study's paradigm: a built-in one, or a template file of the study.
fn template(
    config: StudyConfig<'_>,
    judge: &str,
    prompt: &str,
    wanted: Paradigm,
) -> Result<Prompt, StudyError> {
    let template = match template_file(config.folder, prompt)? {
        Some(file) => read_prompt(&file)?,
        None => Prompt::builtin(prompt)?,
    };
    let asks = template.kind.paradigm();
    if asks == wanted {
        return Ok(template);
    }
    let (judge, prompt) = (judge.to_owned(), prompt.to_owned());
    Err(match (wanted, asks) {
        (Paradigm::Graded, _) => StudyError::Judges(JudgeError::Problem(format!(
            "judge {judge}: the prompt {prompt} compares documents, and this judge grades them one by one; {}choose a \
             prompt that grades: {choices}",
            if config.settings.tournament.is_none() {
                "set paradigm = \"pairwise\" or \"listwise\", or "
            } else {
                ""
            },
            choices = BUILTIN_GRADING_PROMPTS.join(", ")
        ))),
        (_, Paradigm::Graded) => StudyError::Judges(JudgeError::Problem(format!(
            "judge {judge}: the prompt {prompt} grades documents one by one, and this judge compares them; remove \
             `prompt`, or choose one of {choices}",
            choices = BUILTIN_COMPARING_PROMPTS.join(", ")
        ))),
        _ => StudyError::Judges(JudgeError::Problem(format!(
            "judge {judge}: the prompt {prompt} is {asks}, and the study's paradigm is {wanted}; choose another \
             prompt, or set paradigm = \"{asks}\"",
            asks = asks.name(),
            wanted = wanted.name()
        ))),
    })
}
