//! The models that write and check.

use anyhow::Result;
use llull::config::{BudgetSettings, JudgeKind, JudgeSettings, Overrides};
use llull::core::Paradigm;
use llull::synthesis::{SynthesisModels, SynthesisOptions};

use crate::args::SynthesizeArgs;
use crate::commands::{Context, MODEL_NAMES, named_models};
use crate::exit::refuse;

/// The writer, the checker, and the limits of their cost.
pub(super) struct Models {
    pub(super) writer: JudgeSettings,
    /// `None` without a check.
    pub(super) checker: Option<JudgeSettings>,
    /// The budget of the study whose folder this is.
    pub(super) budget: BudgetSettings,
    /// The encoder that compares questions, and the cosine of near duplicates.
    pub(super) told_apart_by: Option<String>,
}

impl Models {
    /// Returns their names for the questions' origin.
    pub(super) fn names(&self) -> SynthesisModels<'_> {
        SynthesisModels {
            writer: &self.writer.model,
            checker: self.checker.as_ref().map(|checker| checker.model.as_str()),
            told_apart_by: self.told_apart_by.as_deref(),
        }
    }
}

/// Returns the named models, and warns of a weak check.
pub(super) fn models(context: &Context, args: &SynthesizeArgs) -> Result<Models> {
    let overrides = Overrides {
        base_url: args.base_url.clone(),
        paradigm: Some(Paradigm::Graded),
        ..Overrides::default()
    };
    let mut names = vec![args.model.clone()];
    if !["same", "none"].contains(&args.check.as_str()) && args.check != args.model {
        names.push(args.check.clone());
    }
    let unknown = |name: &str| format!("{name}: {MODEL_NAMES}");
    let (judges, budget) = named_models(context, names, overrides, unknown)?;
    let mut judges = judges.into_iter().map(language_model);
    let Some(writer) = judges.next().transpose()? else { refuse!("--model {}: no such model", args.model) };
    let checker = checker(context, args, &writer, judges.next().transpose()?)?;
    let cosine = args.similar_cosine.unwrap_or(SynthesisOptions::DEFAULT_SIMILAR_COSINE);
    let told_apart_by = args.encoder.as_ref().map(|encoder| format!("{encoder}, cosine below {cosine}"));
    Ok(Models { writer, checker, budget, told_apart_by })
}

fn checker(
    context: &Context,
    args: &SynthesizeArgs,
    writer: &JudgeSettings,
    other: Option<JudgeSettings>,
) -> Result<Option<JudgeSettings>> {
    if args.check == "none" {
        context.printer.warn("nobody checks whether passages answer their questions");
        return Ok(None);
    }
    let checker = other.unwrap_or_else(|| writer.clone());
    if checker.model != writer.model {
        return Ok(Some(checker));
    }
    if args.check != "same" {
        refuse!(
            "--check {}: this is the model that writes, and it may accept its own mistakes; name another one, or give \
             --check same",
            args.check
        );
    }
    context
        .printer
        .warn(format!("{} checks its own questions: it may accept its own mistakes", writer.model));
    Ok(Some(checker))
}

/// Returns a judge that is a language model, with the prompt by which questions are checked.
fn language_model(mut judge: JudgeSettings) -> Result<JudgeSettings> {
    match &mut judge.kind {
        JudgeKind::Prompted { prompt, .. } => {
            *prompt = "graded".to_owned();
            Ok(judge)
        }
        _ => refuse!(
            "{} is {}, and only language models write questions and check them",
            judge.name,
            judge.model
        ),
    }
}
