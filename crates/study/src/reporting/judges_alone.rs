//! What each judge of a panel decides by its own labels.

use std::collections::{BTreeMap, BTreeSet};

use llull_audit::model_family;
use llull_config::{JudgeKind, JudgeSettings, Settings};
use llull_core::LabelSet;
use llull_metrics::{Scores, evaluate_all};
use llull_report::{
    BaselineComparison, ComparisonByJudges, ComparisonFinding, JudgeAlone, OwnVerdict, PanelMember, compare,
    is_comparable,
};
use llull_runner::JudgeEvidence;
use llull_stats::BootstrapOptions;

use super::comparing_panel::labels_without;
use super::summary::bound;
use super::track_records::has_record;
use crate::error::StudyError;
use crate::evidence::{MissingPairs, StudyEvidence};
use crate::inputs::Inputs;

/// Adds the verdicts of single judges to the comparisons by the measure that decides, if there are several judges that
/// have a track record, and no human labels that correct anything or are the base.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(crate) fn add_by_judges(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    comparisons: &mut [&mut BaselineComparison],
    options: &BootstrapOptions,
) -> Result<(), StudyError> {
    let Some(measure) = settings.measures.first().filter(|measure| is_comparable(measure)) else {
        return Ok(());
    };
    let name = measure.to_string();
    let decisive = |found: &BaselineComparison| {
        found.measure == name && found.ppi.is_none() && found.decision != ComparisonFinding::NotTrusted
    };
    let judges: Vec<(usize, (&JudgeSettings, &JudgeEvidence))> = settings
        .judges
        .iter()
        .zip(evidence.judges.judges())
        .enumerate()
        .filter(|(_, (judge, _))| has_record(&judge.kind))
        .collect();
    // All comparisons have one baseline.
    let baseline = comparisons.iter().find(|found| decisive(found)).map(|found| found.baseline.clone());
    let Some(baseline) = baseline.filter(|_| judges.len() > 1 && settings.base.is_none()) else {
        return Ok(());
    };
    let mut alone = Vec::new();
    for &(at, (_, judge)) in &judges {
        let Some(labels) = own_labels(settings, inputs, evidence, (at, judge))? else { return Ok(()) };
        let scores = evaluate_all(std::slice::from_ref(measure), labels.qrels(), &inputs.runs);
        let mut found = compare(&scores, 0, &baseline, options)?;
        bound(&MissingPairs::new(settings, inputs, evidence, &labels), inputs, &mut found, options)?;
        alone.push((scores, found));
    }
    for comparison in comparisons.iter_mut().filter(|found| decisive(found)) {
        let differences = differences(&alone, comparison);
        let own = |found: &'_ [BaselineComparison]| -> Option<BaselineComparison> {
            found.iter().find(|found| found.system == comparison.system).cloned()
        };
        // The differences of a judge that lacks labels depend on what it lacks.
        let is_whole = |own: BaselineComparison| {
            !own.decision.is_incomplete() && own.decision != ComparisonFinding::Unmeasured
        };
        let whole = alone.iter().all(|(_, found)| own(found).is_some_and(is_whole));
        let members = judges.iter().zip(&alone).zip(differences);
        let members = members.map(|((&(_, (judge, answers)), (_, found)), differences)| {
            let own = own(found);
            PanelMember {
                alone: JudgeAlone {
                    judge: judge.name.clone(),
                    family: family(judge, answers).map(str::to_owned),
                    verdict: own.as_ref().and_then(|own| verdict(own.decision, comparison.decision)),
                    mean_difference: own.and_then(|own| own.mean_difference),
                },
                identity: identity(judge, answers),
                differences,
            }
        });
        let with_interval = whole && measure.family() == "nDCG";
        let record = comparison.track_record.as_ref();
        comparison.by_judges = ComparisonByJudges::new(members.collect(), with_interval, record);
    }
    Ok(())
}

/// The labels of a judge alone; `None` if the study's method cannot make any.
fn own_labels(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    (at, judge): (usize, &JudgeEvidence),
) -> Result<Option<LabelSet>, StudyError> {
    if evidence.compared().is_some() {
        let others: Vec<usize> = (0..settings.judges.len()).filter(|other| *other != at).collect();
        return Ok(labels_without(settings, inputs, evidence, &others)?.map(|(labels, _)| labels));
    }
    Ok(evidence.labels_of(&[judge], inputs.rubric.scale).ok())
}

/// Each judge's differences on the queries that all judges labelled.
fn differences(
    alone: &[(Vec<Scores>, Vec<BaselineComparison>)],
    comparison: &BaselineComparison,
) -> Vec<Vec<f64>> {
    let by_query = |scores: &[Scores]| -> BTreeMap<String, f64> {
        let of = |name: &str| scores.iter().find(|scores| scores.run == name);
        let Some((system, baseline)) = of(&comparison.system).zip(of(&comparison.baseline)) else {
            return BTreeMap::new();
        };
        let queries = system.topics.iter().map(|topic| topic.topic.clone());
        queries.zip(system.values(0).zip(baseline.values(0)).map(|(own, theirs)| own - theirs)).collect()
    };
    let judges: Vec<BTreeMap<String, f64>> = alone.iter().map(|(scores, _)| by_query(scores)).collect();
    let shared: BTreeSet<&String> = judges
        .first()
        .into_iter()
        .flat_map(BTreeMap::keys)
        .filter(|query| judges.iter().all(|judge| judge.contains_key(*query)))
        .collect();
    judges
        .iter()
        .map(|judge| shared.iter().filter_map(|query| judge.get(*query).copied()).collect())
        .collect()
}

/// The family of the judge's model, or, if the model's name shows none, of the judge's own name.
fn family(judge: &JudgeSettings, answers: &JudgeEvidence) -> Option<&'static str> {
    model_family(&answers.spec().model)
        .or_else(|| model_family(&judge.model))
        .or_else(|| model_family(&judge.name))
}

/// Equal for repeats: the model with its prompt. Other kinds of judges are told apart by their names.
fn identity(judge: &JudgeSettings, answers: &JudgeEvidence) -> String {
    let spec = answers.spec();
    match judge.kind {
        JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } => format!("{}\n{}", spec.model, spec.prompt),
        _ => judge.name.clone(),
    }
}

/// A judge's finding against the panel's; `None` if either is no verdict.
fn verdict(own: ComparisonFinding, panel: ComparisonFinding) -> Option<OwnVerdict> {
    use ComparisonFinding::{Better, Identical, Inconclusive, Worse};
    match (own, panel) {
        (Better, Better) | (Worse, Worse) => Some(OwnVerdict::Alike),
        (Better, Worse) | (Worse, Better) => Some(OwnVerdict::Opposite),
        (Inconclusive | Identical, Better | Worse) => Some(OwnVerdict::Undecided),
        _ => None,
    }
}
