//! The labels of an earlier report that a run keeps, so that only new pairs are judged.
//!
//! A label is kept if the query, the document and the judges are those of the report, and the ledger has no answers
//! of its own. So a run with the ledger of the report is the same with and without it.

use std::fmt;

use llull_config::{BaseSettings, Folder, KeptLabels, PanelRule, Settings};
use llull_label::panel::PanelMethod;
use llull_report::text::{count, counted};

use super::error::HistoryError;
use super::label_inputs::LabelInputs;
use super::saved_inputs::{self, PooledLabels, qrels};
use super::saved_report::SavedReport;
use super::saved_reports::{EarlierReport, SavedReports};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::people;
use crate::reporting::{query_hash, text_hash};
use crate::study_config::StudyConfig;

/// The pairs of a pool, compared with those of an earlier report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnchangedPairs {
    /// The report.
    pub report: String,
    /// Pairs whose label is kept.
    pub kept: usize,
    /// Pairs that the ledger has a label of.
    pub answered: usize,
    /// Pairs without a label, which are judged.
    pub open: usize,
    /// Those among them that the report has a label of, for another text.
    pub changed: usize,
}

impl fmt::Display for UnchangedPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, kept, answered, open, changed } = self;
        write!(f, "since {report}: {} to judge", counted(*open, "pair"))?;
        if *changed > 0 {
            write!(f, ", {} of them because its text changed", count(*changed))?;
        }
        write!(f, "; {} of the report kept", counted(*kept, "label"))?;
        if *answered > 0 {
            write!(f, ", and {} answered in the ledger", count(*answered))?;
        }
        Ok(())
    }
}

/// Finds the labels of an earlier report, by default the last, that are kept for a pool, and `saves` them for later
/// commands. Returns `None` if there are none to keep, because the ledger has all that are unchanged.
///
/// # Errors
/// Returns an error if there is no such report, its judges are others or failed a check, or the study's labels cannot
/// be kept.
pub(crate) fn keep(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    evidence: &StudyEvidence,
    named: Option<&str>,
    saves: bool,
) -> Result<(Option<BaseSettings>, UnchangedPairs), StudyError> {
    let reports = SavedReports::of(folder);
    let last = || Ok::<_, StudyError>(reports.numbers()?.pop().unwrap_or(1).to_string());
    let named = named.map_or_else(last, |named| Ok(named.to_owned()))?;
    let EarlierReport { name, saved, .. } = reports.find(&named)?;
    let refused = |problem: &str| HistoryError::Problem(format!("--changed {named}: {problem}"));
    if let Some(problem) = other_labels(settings, people::kept(folder)?.is_some()) {
        return Err(refused(problem).into());
    }
    let now = LabelInputs::of(settings, evidence);
    let (then, labels) = labels_of(saved.as_ref()).map_err(|problem| refused(&problem))?;
    if let Some(problem) = doubt(&then, &now) {
        return Err(refused(&problem).into());
    }
    let (kept, pairs) = unchanged(evidence, name, &then, &labels);
    if kept.is_empty() {
        return Ok((None, pairs));
    }
    let mut saved = KeptLabels { report: named.clone(), is_new: true, ..KeptLabels::default() };
    if saves {
        saved.labels = saved_inputs::save(folder, &kept)?;
        saved.texts = saved_inputs::save(folder, &now)?;
    }
    Ok((Some(base_of(&kept, saved)), pairs))
}

/// Says why no label of this study can be kept alone: it is not the judges', or it depends on other pairs.
fn other_labels(settings: &Settings, has_sample: bool) -> Option<&'static str> {
    let is_by_pair = |rule| {
        matches!(rule, PanelRule::By(PanelMethod::Fractional | PanelMethod::Median | PanelMethod::Majority))
    };
    if settings.base.is_some() {
        return Some(
            "the study has existing labels (base), which its report mixes with the judges'. Leave out --changed: a \
             run judges only pairs that neither base nor ledger has",
        );
    }
    if settings.tournament.is_some() || !settings.method.is_none_or(is_by_pair) {
        return Some(
            "a label here depends on other pairs too, so none can be kept alone. Leave out --changed: a run judges \
             only what the ledger lacks, and llull ledger import restores a ledger",
        );
    }
    if has_sample {
        return Some(
            "human labels of the study's sample correct only labels whose judges' answers are in the ledger. Leave out \
             --changed: a run judges only what the ledger lacks, and llull ledger import restores a ledger",
        );
    }
    if settings.escalate.as_ref().is_some_and(|escalate| escalate.disagreement.is_some()) {
        return Some(
            "escalate.disagreement chooses the pairs for the stronger judge by human labels, so labels depend on them. \
             Leave out --changed, or write when = \"margin < 0.2\" with a number of your choice",
        );
    }
    None
}

/// Reads the labels of a saved report, with what they depend on.
///
/// # Errors
/// Returns a sentence if they are not saved, or lost.
fn labels_of(saved: Option<&(Folder, SavedReport)>) -> Result<(LabelInputs, PooledLabels), String> {
    let Some((place, saved)) = saved else {
        return Err(
            "its labels are not saved. Name a number of llull history, or a folder that has .llull/reports next to \
             report.json"
                .to_owned(),
        );
    };
    let lost = |error: HistoryError| {
        format!(
            "{error}, name another report of llull history, or leave out --changed to judge every pair that the \
             ledger lacks"
        )
    };
    let then = match &saved.texts {
        Some(texts) => saved_inputs::read::<LabelInputs>(place, texts).map_err(lost)?,
        None => LabelInputs::default(),
    };
    let Some(labels) = saved.labels.as_ref().filter(|_| !then.judges.is_empty()) else {
        return Err(
            "an earlier llull saved it, without what its labels depend on. Run once without --changed, and name that \
             report"
                .to_owned(),
        );
    };
    Ok((then, saved_inputs::read(place, labels).map_err(lost)?))
}

/// Says why the labels of a report count no longer, or never did.
fn doubt(then: &LabelInputs, now: &LabelInputs) -> Option<String> {
    let all = "leave out --changed to judge all pairs";
    let differences = then.other_judges(now);
    if !differences.is_empty() {
        return Some(format!("{}. Its labels do not count then: {all}", differences.join("; ")));
    }
    if !then.unreliable_judges.is_empty() {
        let judges = then.unreliable_judges.join(", ");
        return Some(format!(
            "{judges} failed a check there, and the few new answers of this run would not show it again. Name a report \
             whose judges passed, or {all}"
        ));
    }
    (then.is_open && then.judges.len() > 1).then(|| {
        format!(
            "it is incomplete, so some of its labels lack a judge's answer. Name a complete report, or {all}"
        )
    })
}

/// Returns the labels whose query and document are the same now, among the pairs that the ledger has no label of.
fn unchanged(
    evidence: &StudyEvidence,
    report: String,
    then: &LabelInputs,
    labels: &PooledLabels,
) -> (PooledLabels, UnchangedPairs) {
    let mut kept = PooledLabels::new();
    let mut pairs = UnchangedPairs { report, kept: 0, answered: 0, open: 0, changed: 0 };
    for case in evidence.pooled.cases() {
        let (query, document) = (case.topic.id.as_str(), case.document_id());
        if evidence.labels.get(query, document).is_some() {
            pairs.answered += 1;
            continue;
        }
        let label = labels.get(query).and_then(|documents| *documents.get(document)?);
        let is_same = then.queries.get(query) == Some(&query_hash(case.topic))
            && then.documents.get(document) == case.document().map(text_hash).as_ref();
        match label {
            Some(label) if is_same => {
                kept.entry(query.to_owned()).or_default().insert(document.to_owned(), Some(label));
                pairs.kept += 1;
            }
            _ => {
                pairs.open += 1;
                pairs.changed += usize::from(label.is_some());
            }
        }
    }
    (kept, pairs)
}

/// Returns the existing labels that a run keeps.
///
/// # Errors
/// Returns an error that says what to do if they are lost.
pub(crate) fn kept_base(folder: &Folder, kept: &KeptLabels) -> Result<BaseSettings, StudyError> {
    let labels: PooledLabels = saved_inputs::read_kept(folder, kept, &kept.labels)?;
    Ok(base_of(&labels, kept.clone()))
}

fn base_of(labels: &PooledLabels, kept: KeptLabels) -> BaseSettings {
    let name = format!("report {}", kept.report);
    BaseSettings::of_report(qrels(labels), &name, kept)
}
