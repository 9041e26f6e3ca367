//! Splits the change of figures into those of labels, pool, runs and judge.
//!
//! Inputs are swapped one at a time, in a fixed order, and the systems are measured after each swap. So the parts add
//! up to the whole change. Another order would give other parts: what two inputs change together goes to the later one.

use std::collections::BTreeMap;

use llull_config::Folder;
use llull_core::{Qrels, Run};
use llull_metrics::{Measure, evaluate};
use llull_report::{ChangeSplit, ChangeStep, SplitFigure, Steps};

use super::error::HistoryError;
use super::saved_inputs::{self, PooledLabels, pooled_labels, qrels};
use super::saved_report::SavedReport;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::reporting::ReportRecord;

/// A figure that differs by more was measured otherwise.
const EQUAL: f64 = 1e-9;

/// The present state of a study.
pub(crate) struct Present<'a> {
    pub(crate) inputs: &'a Inputs,
    pub(crate) evidence: &'a StudyEvidence,
    pub(crate) record: &'a ReportRecord,
    pub(crate) measures: &'a [Measure],
    pub(crate) baseline: &'a str,
}

/// The inputs of an earlier report, and the labels after each swap.
struct Earlier {
    runs: BTreeMap<String, Result<(Run, Option<usize>), String>>,
    old: Qrels,
    /// The old labels of queries that are still there; `None` if no query changed.
    old_common: Option<Qrels>,
    /// The same with the new grades of pairs that both pools have.
    regraded: Qrels,
    /// The new labels of these queries.
    new_common: Qrels,
    /// The new labels.
    new: Option<Qrels>,
}

/// Splits the changes since a report. Without a saved report the changes are known, and not their parts.
///
/// # Errors
/// Returns an error if a file of the saved report is broken.
pub(crate) fn split(
    folder: &Folder,
    name: String,
    before: &ReportRecord,
    saved: Option<&SavedReport>,
    now: &Present<'_>,
) -> Result<ChangeSplit, HistoryError> {
    let earlier = match saved {
        Some(saved) => earlier(folder, saved, now)?,
        None => None,
    };
    let mut figures = Vec::new();
    for measure in now.measures {
        let steps: BTreeMap<&str, Result<Steps, String>> = (now.record.systems.iter())
            .map(|system| {
                let name = system.system.as_str();
                (name, steps(before, earlier.as_ref(), now, name, measure))
            })
            .collect();
        for system in &now.record.systems {
            let Some(of_system) = steps.get(system.system.as_str()) else { continue };
            let of = |report: &ReportRecord| correction(report, &system.system, measure);
            let of_system = of_system.clone().map(|steps| corrected(steps, of(before), of(now.record)));
            figures.push(figure(system.system.clone(), &system.system, false, measure, of_system));
        }
        for system in now.record.systems.iter().filter(|system| system.system != now.baseline) {
            let pair = steps.get(system.system.as_str()).zip(steps.get(now.baseline));
            let Some((of_system, of_baseline)) = pair else { continue };
            let of = |report: &ReportRecord| {
                correction_of_difference(report, &system.system, now.baseline, measure)
            };
            let difference = match (of_system, of_baseline) {
                (Ok(system), Ok(baseline)) => {
                    Ok(corrected(system.less(baseline), of(before), of(now.record)))
                }
                (Err(why), _) | (_, Err(why)) => Err(why.clone()),
            };
            figures.push(figure(
                format!("{} - {}", system.system, now.baseline),
                &system.system,
                true,
                measure,
                difference,
            ));
        }
    }
    Ok(ChangeSplit { since: name, figures })
}

/// How far human labels correct a system's figure; `None` if they do not.
fn correction(report: &ReportRecord, system: &str, measure: &Measure) -> Option<f64> {
    let system = report.systems.iter().find(|known| known.system == system)?;
    let figure = system.figures.iter().find(|figure| figure.measure == measure.to_string())?;
    Some(figure.ppi.as_ref()?.value - figure.mean?)
}

/// The same for a difference.
fn correction_of_difference(
    report: &ReportRecord,
    system: &str,
    baseline: &str,
    measure: &Measure,
) -> Option<f64> {
    let found = report.decision.comparisons.iter().find(|found| {
        found.system == system && found.baseline == baseline && found.measure == measure.to_string()
    })?;
    Some(found.ppi.as_ref()?.value - found.mean_difference?)
}

/// The steps with the corrections before and now, if there are any.
fn corrected(steps: Steps, before: Option<f64>, now: Option<f64>) -> Steps {
    match (before, now) {
        (None, None) => steps,
        (before, now) => steps.corrected(before.unwrap_or(0.0), now.unwrap_or(0.0)),
    }
}

fn figure(
    of: String,
    system: &str,
    is_difference: bool,
    measure: &Measure,
    steps: Result<Steps, String>,
) -> SplitFigure {
    let (steps, not_separable) = match steps {
        Ok(steps) => (Some(steps), None),
        Err(why) => (None, Some(why)),
    };
    SplitFigure {
        of,
        system: system.to_owned(),
        is_difference,
        measure: measure.to_string(),
        steps,
        not_separable,
    }
}

/// Reads the inputs of a saved report; `None` if its labels are not saved.
fn earlier(folder: &Folder, saved: &SavedReport, now: &Present<'_>) -> Result<Option<Earlier>, HistoryError> {
    let Some(labels) = &saved.labels else { return Ok(None) };
    let old: PooledLabels = saved_inputs::read(folder, labels)?;
    let new = pooled_labels(now.evidence);
    let mut runs = BTreeMap::new();
    for run in &saved.runs {
        let lists = match &run.lists {
            Some(hash) => {
                let lists = saved_inputs::read(folder, hash)?;
                Ok((saved_inputs::run(&run.system, &lists), run.depth))
            }
            None => Err("its old lists are too many to be saved".to_owned()),
        };
        runs.insert(run.system.clone(), lists);
    }
    // A choice among the same queries changes them, too.
    let has_other_queries =
        hash_of(&saved.report, "topics") != hash_of(now.record, "topics") || !old.keys().eq(new.keys());
    let (mut old_common, mut new_common) = (old.clone(), new.clone());
    if has_other_queries {
        old_common.retain(|query, _| new.contains_key(query));
        new_common.retain(|query, _| old.contains_key(query));
    }
    Ok(Some(Earlier {
        runs,
        old: qrels(&old),
        regraded: qrels(&regraded(&old_common, &new_common)),
        old_common: has_other_queries.then(|| qrels(&old_common)),
        new_common: qrels(&new_common),
        new: has_other_queries.then(|| qrels(&new)),
    }))
}

/// Measures a system after each swap.
fn steps(
    before: &ReportRecord,
    earlier: Option<&Earlier>,
    now: &Present<'_>,
    system: &str,
    measure: &Measure,
) -> Result<Steps, String> {
    if !before.systems.iter().any(|known| known.system == system) {
        return Err("the system is new".to_owned());
    }
    let earlier = earlier.ok_or("the labels and lists of that report are not saved here")?;
    let (old_run, depth) = match earlier.runs.get(system) {
        Some(Ok((run, depth))) => (run, *depth),
        Some(Err(why)) => return Err(why.clone()),
        None => return Err("its old lists are not saved".to_owned()),
    };
    if let Some(depth) = depth
        && measure.reads().is_none_or(|reads| reads > depth)
    {
        return Err(format!("its old lists are saved down to rank {depth}, and {measure} looks further"));
    }
    let new_run = now.inputs.runs.iter().find(|run| run.name == system).ok_or("it has no lists now")?;
    let (judges, base) = (changed_judges(before, now.record), changed_base(before, now.record));
    if judges && base {
        return Err("judges and existing labels both changed".to_owned());
    }
    let value = |labels: &Qrels, run: &Run| evaluate(std::slice::from_ref(measure), labels, run).mean(0);
    let start = value(&earlier.old, old_run);
    let recorded = before
        .systems
        .iter()
        .find(|known| known.system == system)
        .and_then(|known| known.figures.iter().find(|figure| figure.measure == measure.to_string()));
    if let (Some(recorded), Some(start)) = (recorded.and_then(|figure| figure.mean), start)
        && (recorded - start).abs() > EQUAL
    {
        return Err("this llull computes another figure from the old labels and lists".to_owned());
    }
    let common = earlier.old_common.as_ref().unwrap_or(&earlier.old);
    let mut after = Vec::new();
    if earlier.old_common.is_some() {
        after.push((ChangeStep::QueriesGone, value(common, old_run)));
    }
    // All new grades are a changed judge's, or else none is.
    after.push((ChangeStep::Judge, value(if judges { &earlier.regraded } else { common }, old_run)));
    after.push((ChangeStep::Labels, value(&earlier.regraded, old_run)));
    after.push((ChangeStep::Pool, value(&earlier.new_common, old_run)));
    after.push((ChangeStep::Runs, value(&earlier.new_common, new_run)));
    if let Some(new) = &earlier.new {
        after.push((ChangeStep::QueriesNew, value(new, new_run)));
    }
    Steps::new(start, after).ok_or_else(|| "one of the two reports has no figure".to_owned())
}

/// The old labels with the new grades of pairs that both pools have.
fn regraded(old: &PooledLabels, new: &PooledLabels) -> PooledLabels {
    let mut all = old.clone();
    for (query, documents) in &mut all {
        let Some(later) = new.get(query) else { continue };
        for (document, grade) in documents {
            if let Some(later) = later.get(document) {
                *grade = *later;
            }
        }
    }
    all
}

/// Whether a judge, its rubric or prompt, or the derivation of labels differs.
fn changed_judges(before: &ReportRecord, now: &ReportRecord) -> bool {
    before.provenance.judges != now.provenance.judges || before.study.aggregation != now.study.aggregation
}

fn changed_base(before: &ReportRecord, now: &ReportRecord) -> bool {
    hash_of(before, "base") != hash_of(now, "base")
}

fn hash_of<'a>(report: &'a ReportRecord, role: &str) -> Option<&'a str> {
    let input = report.provenance.inputs.iter().find(|input| input.role == role)?;
    Some(&input.hash)
}
