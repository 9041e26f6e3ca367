//! The section on existing labels, judges' labels and both.

use llull_config::{BaseScope, Settings};
use llull_metrics::evaluate_all;
use llull_report::{LabelMix, SingleSourceDecision};
use llull_stats::BootstrapOptions;

use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;

/// Returns the section on existing labels, with the verdict by these alone, and by the judges' alone if they judged
/// every pair; `None` without existing labels. Labels of an earlier report are some of the judges' own: no verdict.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(super) fn mix(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    options: &BootstrapOptions,
) -> Result<Option<LabelMix>, StudyError> {
    let (Some(mixed), Some(base)) = (evidence.mixed(), &settings.base) else { return Ok(None) };
    let measures = settings.measures.get(..1).unwrap_or_default();
    let mut mix = mixed.mix.clone();
    if base.kept.is_some() {
        return Ok(Some(mix));
    }
    let judged = mixed.judged.qrels();
    let judges = (base.judge == BaseScope::All && !judged.is_empty()).then_some((&mixed.mix.judge, judged));
    for (source, labels) in [(&mixed.mix.base, &mixed.base)].into_iter().chain(judges) {
        let scores = evaluate_all(measures, labels, &inputs.runs);
        let baseline = &settings.compare.baseline;
        mix.alone.push(SingleSourceDecision::new(source, labels.pairs(), &scores, baseline, options)?);
    }
    Ok(Some(mix))
}
