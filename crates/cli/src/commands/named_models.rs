//! Models by their typed names.

use anyhow::Result;
use llull::config::{BudgetSettings, JudgeSettings, Overrides, typed_judges};

use super::Context;
use crate::environment::exported;
use crate::exit::Usage;

/// How a language model is named.
pub(crate) const MODEL_NAMES: &str = "a language model is written provider/model, such as openai/gpt-4o-mini; in a \
    study's folder a judge of its llull.toml can be named";

/// Returns the models of these names, and when to stop paying for them: those of the study whose folder this is, or by
/// their names alone. `unknown` is the complaint about a name without a provider.
pub(crate) fn named_models(
    context: &Context,
    names: Vec<String>,
    overrides: Overrides,
    unknown: impl Fn(&str) -> String,
) -> Result<(Vec<JudgeSettings>, BudgetSettings)> {
    if context.folder().is_some() {
        let study = context.judges_to_ask(Overrides { judges: names, ..overrides })?;
        return Ok((study.settings().judges.clone(), study.settings().budget.clone()));
    }
    if let Some(name) = names.iter().find(|name| !name.contains('/')) {
        return Err(Usage(unknown(name)).into());
    }
    let concurrency = Overrides::from_environment(&exported)?.concurrency;
    let overrides = Overrides { concurrency, ..overrides };
    let judges = typed_judges(&names, &overrides).map_err(|error| Usage(error.to_string()))?;
    Ok((judges, BudgetSettings::default()))
}
