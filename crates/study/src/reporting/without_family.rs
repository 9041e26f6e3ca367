//! The verdict without judges of the same model family as a system.

use llull_audit::{CheckKind, JudgeCheck};
use llull_config::Settings;
use llull_core::LabelSet;
use llull_report::{DecisionWithout, compare, is_comparable, unreliable_judges};
use llull_runner::JudgeEvidence;
use llull_stats::BootstrapOptions;

use super::comparing_panel::labels_without;
use super::summary::bound;
use crate::error::StudyError;
use crate::evidence::{MissingPairs, StudyEvidence, with_base};
use crate::inputs::Inputs;
use crate::measured::measured;

/// Returns the verdict of the other judges on the first measure; `None` if no judge shares a family with a system.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(super) fn without_family(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    checks: &[JudgeCheck],
    options: &BootstrapOptions,
) -> Result<Option<DecisionWithout>, StudyError> {
    let related: Vec<String> = checks
        .iter()
        .filter(|check| check.kind == CheckKind::SameFamily && check.is_raised())
        .map(|check| check.judge.clone())
        .collect();
    if related.is_empty() {
        return Ok(None);
    }
    let left: Vec<&JudgeEvidence> = evidence
        .judges
        .judges()
        .iter()
        .filter(|judge| !related.iter().any(|name| name == judge.name()))
        .collect();
    let sentences = match (left.is_empty(), evidence.compared()) {
        (true, _) => vec![format!(
            "{}, no judge is left: name one of another family, or label a sample by hand (llull sample).",
            without(&related)
        )],
        (false, Some(_)) => {
            let others: Vec<String> = left.iter().map(|judge| format!("--judge {}", judge.name())).collect();
            let mut sentences = decided_by(settings, inputs, evidence, checks, (&left, &related), options)?;
            sentences.push(format!(
                "These are the others' votes on the same questions; by themselves they would get others: llull run {} \
                 shows the decision then.",
                others.join(" ")
            ));
            sentences
        }
        (false, None) => decided_by(settings, inputs, evidence, checks, (&left, &related), options)?,
    };
    Ok(Some(DecisionWithout { judges: related, sentences }))
}

/// How sentences begin that leave these judges out.
fn without(judges: &[String]) -> String {
    let shares = if judges.len() == 1 { "shares" } else { "share" };
    format!("Without {}, which {shares} a model or family with a system", judges.join(", "))
}

/// The labels without these judges, where judges compare.
fn left_labels(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    related: &[String],
) -> Result<Option<LabelSet>, StudyError> {
    let places = evidence.judges.judges().iter().enumerate();
    let places = places.filter(|(_, judge)| related.iter().any(|name| name == judge.name()));
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    Ok(labels_without(settings, inputs, evidence, &places)?.map(|(labels, _)| labels))
}

/// The verdict by the labels of these judges, a sentence for each system.
fn decided_by(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    checks: &[JudgeCheck],
    (judges, related): (&[&JudgeEvidence], &[String]),
    options: &BootstrapOptions,
) -> Result<Vec<String>, StudyError> {
    let judged = match left_labels(settings, inputs, evidence, related)? {
        Some(labels) => labels,
        None => evidence.labels_of(judges, inputs.rubric.scale)?,
    };
    // If the stronger judge is of that family, the others decide the hard pairs.
    let judged = match evidence.escalation().filter(|found| !related.contains(&found.to)) {
        Some(_) => evidence.escalated(judged),
        None => judged,
    };
    let labels = with_base(settings, inputs, &evidence.pooled, judged)?;
    let scores = measured(&settings.measures, &labels, &inputs.runs);
    let mut comparisons = match settings.measures.first() {
        Some(measure) if is_comparable(measure) => compare(&scores, 0, &settings.compare.baseline, options)?,
        _ => Vec::new(),
    };
    bound(&MissingPairs::new(settings, inputs, evidence, &labels), inputs, &mut comparisons, options)?;
    let doubted: Vec<&str> = unreliable_judges(checks)
        .into_iter()
        .filter(|name| judges.iter().any(|judge| judge.name() == *name))
        .collect();
    if !doubted.is_empty() && !settings.ignore_checks {
        let doubted = doubted.join(", ");
        comparisons.iter_mut().for_each(|comparison| comparison.distrust(&doubted));
    }
    let begin = without(related);
    if comparisons.is_empty() {
        return Ok(vec![format!("{begin}, there is nothing to compare.")]);
    }
    Ok(comparisons.into_iter().map(|comparison| format!("{begin}: {}", comparison.sentence)).collect())
}
