//! Mixes the judges' labels with existing labels.

use llull_config::Settings;
use llull_core::LabelSet;
use llull_files::{MixNames, MixedLabels};
use llull_runner::Workload;

use crate::error::StudyError;
use crate::inputs::Inputs;

/// Mixes labels of the judges with existing ones; `None` without existing ones.
///
/// # Errors
/// Returns an error if the two use more than 256 different grades.
pub(crate) fn beside_base(
    settings: &Settings,
    inputs: &Inputs,
    pooled: &Workload,
    judged: &LabelSet,
) -> Result<Option<MixedLabels>, StudyError> {
    let Some((base, settings_of)) = inputs.base.as_ref().zip(settings.base.as_ref()) else { return Ok(None) };
    let judge = match settings.judges.as_slice() {
        [judge] => judge.name.clone(),
        judges => format!("panel-of-{}", judges.len()),
    };
    let asked = pooled.cases().map(|case| {
        let (query, document) = (case.topic.id.as_str(), case.document_id());
        (query, document, judged.get(query, document))
    });
    let names = MixNames::distinct(&base.name, &judge);
    let mut mixed = MixedLabels::new(base.labels.clone(), asked, names, settings_of.calibrate)?;
    mixed.mix.same_judges = settings_of.kept.is_some();
    Ok(Some(mixed))
}

/// Returns the labels of figures, given those of the judges: mixed with existing ones, if there are any.
///
/// # Errors
/// Returns those of [`beside_base`].
pub(crate) fn with_base(
    settings: &Settings,
    inputs: &Inputs,
    pooled: &Workload,
    judged: LabelSet,
) -> Result<LabelSet, StudyError> {
    let mixed = beside_base(settings, inputs, pooled, &judged)?;
    Ok(mixed.map_or(judged, |mixed| mixed.labels))
}
