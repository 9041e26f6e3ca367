//! Tests the study's conditions on systems.

use llull_audit::JudgeCheck;
use llull_config::Settings;
use llull_core::Run;
use llull_metrics::{Measure, MeasureError};
use llull_people::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull_report::{GateResult, unreliable_judges};
use llull_stats::{Gate, GateSubject};

use super::summary::bootstrap;
use crate::error::StudyError;
use crate::evidence::{MissingPairs, StudyEvidence};
use crate::inputs::Inputs;
use crate::measured::measured;

/// The name of a system that returns nothing. It is the baseline of the only system, whose own figure is tested.
const NOTHING: &str = "";

/// Tests the gates of `[gates]` on every system but the baseline, and on the only system if there is one.
///
/// # Errors
/// Returns an error if intervals cannot be computed, or a gate on a difference has a measure that cannot be compared.
pub(super) fn gates(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    missing: &MissingPairs,
    checks: &[JudgeCheck],
) -> Result<Vec<GateResult>, StudyError> {
    let measures = measures_of(&settings.gates)?;
    let mut scores = measured(&measures, &evidence.labels, &inputs.runs);
    let mut baseline = settings.compare.baseline.as_str();
    if let [only] = scores.as_slice() {
        let mut nothing = only.clone();
        nothing.run = NOTHING.to_owned();
        baseline = NOTHING;
        scores.push(nothing);
    }
    let mut results = llull_report::gates(&settings.gates, &scores, baseline, &bootstrap(settings))?;
    let human_labels = evidence
        .human_labels
        .as_ref()
        .filter(|found| found.labels.labelled() > 0 && evidence.uncorrectable().is_none());
    let options =
        CorrectionOptions { confidence: settings.compare.confidence, ..CorrectionOptions::default() };
    // The report has the reason where human labels correct nothing.
    let corrector = human_labels.and_then(|found| {
        let how = SampledHow::Drawn(&found.sample.sample);
        Corrector::new(evidence.labels.qrels(), &inputs.runs, found.labels.qrels(), how, options).ok()
    });
    let judges = if settings.ignore_checks { Vec::new() } else { unreliable_judges(checks) };
    let place = |name: &str| inputs.runs.iter().position(|run| run.name == name);
    let nothing = Run::new(NOTHING);
    for result in &mut results {
        let Some((gate, measure)) = tested(result, &settings.gates) else { continue };
        let Some(at) = place(&result.system) else { continue };
        let against = place(baseline);
        let own = gate.subject() == GateSubject::Value;
        if !missing.is_empty()
            && let Some(system) = inputs.runs.get(at)
        {
            let other = against.filter(|_| !own).and_then(|at| inputs.runs.get(at)).unwrap_or(&nothing);
            result.bound(gate, &missing.bounds(&measure, other, system), &bootstrap(settings))?;
        }
        let corrected = corrector.as_ref().and_then(|corrector| match (own, against) {
            (true, _) => Some(corrector.figure(&measure, at)),
            (false, against) => Some(corrector.difference(&measure, against?, at)),
        });
        match corrected {
            Some(Ok(figure)) => result.correct(gate, baseline, &figure),
            Some(Err(reason)) => result.leave_uncorrected(&reason.to_string()),
            None => {}
        }
        if !judges.is_empty() {
            result.distrust(&judges.join(", "));
        }
    }
    Ok(results)
}

/// The gate of a result, and its measure.
fn tested<'a>(result: &GateResult, gates: &'a [Gate]) -> Option<(&'a Gate, Measure)> {
    let gate = gates.iter().find(|gate| gate.to_string() == result.gate)?;
    Some((gate, gate.measure().parse().ok()?))
}

/// The measures of gates, each once.
pub(crate) fn measures_of(gates: &[Gate]) -> Result<Vec<Measure>, MeasureError> {
    let mut measures: Vec<Measure> = Vec::new();
    for gate in gates {
        let measure = gate.measure().parse()?;
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    Ok(measures)
}
