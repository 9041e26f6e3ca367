//! The judges of an evaluation that get requests.
//!
//! They are language models, and judges of the user's own.

use anyhow::Result;
use llull::config::{BudgetSettings, JudgeKind, JudgeSettings, Overrides};
use llull::core::Paradigm;
use llull::judge::BUILTIN_GRADING_PROMPTS;

use super::named::NamedJudge;
use crate::args::EvaluateArgs;
use crate::commands::{Context, named_models};
use crate::exit::refuse;

/// Language models, and when to stop paying for them.
#[derive(Default)]
pub(super) struct AskedJudges {
    pub(super) judges: Vec<JudgeSettings>,
    pub(super) budget: BudgetSettings,
}

/// Returns the language models among the judges: those of the study whose folder this is, or by their names alone.
pub(super) fn asked_judges(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
) -> Result<AskedJudges> {
    let names: Vec<String> = judges
        .iter()
        .filter_map(|judge| match judge {
            NamedJudge::Asked(name) => Some(name.clone()),
            _ => None,
        })
        .collect();
    let overrides = Overrides {
        base_url: args.base_url.clone(),
        paradigm: Some(Paradigm::Graded),
        ..args.asking.overrides()
    };
    if names.is_empty() {
        return Ok(AskedJudges::default());
    }
    let unknown = |name: &str| {
        format!(
            "--judge {name}: there are token-overlap, token-overlap-evret, semantic, language models, which are \
             written provider/model, such as openai/gpt-4o-mini, person/NAME and people, and in a study's folder the \
             judges of its llull.toml"
        )
    };
    let (mut judges, budget) = named_models(context, names, overrides, unknown)?;
    if context.folder().is_some() {
        judges = judges.iter().map(|judge| in_folder(context, judge)).collect::<Result<_>>()?;
    }
    Ok(AskedJudges { judges, budget })
}

/// A judge of the study in this folder, with settings for another study in memory.
fn in_folder(context: &Context, judge: &JudgeSettings) -> Result<JudgeSettings> {
    let mut judge = judge.clone();
    match &mut judge.kind {
        JudgeKind::Prompted { prompt, .. } => {
            let file = context.global.study.join(&*prompt);
            if !BUILTIN_GRADING_PROMPTS.contains(&prompt.as_str()) {
                *prompt = file.display().to_string();
            }
            Ok(judge)
        }
        JudgeKind::Recorded { recording, .. } => {
            *recording = context.global.study.join(&*recording);
            Ok(judge)
        }
        JudgeKind::Own(own) => {
            own.dir = Some(context.global.study.clone());
            Ok(judge)
        }
        _ => refuse!(
            "judge {} is {}, which knows no expected answers: choose a language model, a judge of your own, or \
             token-overlap, token-overlap-evret, semantic",
            judge.name,
            judge.model
        ),
    }
}
