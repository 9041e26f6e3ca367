//! The labels of an earlier report that a run keeps, so that only new pairs are judged.
//!
//! A label is kept if the query, the document and the judges are those of the report, and the ledger has no answers
//! of its own. So a run with the ledger of the report is the same with and without it.

use std::fmt;

use llull_config::{BaseSettings, Folder, KeptLabels, PanelRule};
use llull_label::panel::PanelMethod;
use llull_report::text::{count, counted};

use super::error::HistoryError;
use super::label_inputs::LabelInputs;
use super::saved_inputs::{self, PooledLabels, qrels};
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
    if settings.base.is_some() {
        return Err(refused(
            "the study has existing labels (base), which its report mixes with the judges'. Leave out --changed: a \
             run judges only pairs that neither base nor ledger has",
        )
        .into());
    }
    let is_by_pair = |rule| matches!(rule, PanelRule::By(PanelMethod::Median | PanelMethod::Majority));
    if settings.tournament.is_some() || !settings.method.is_none_or(is_by_pair) {
        return Err(refused(
            "a label here depends on other pairs too, so none can be kept alone. Leave out --changed: a run judges \
             only what the ledger lacks, and llull ledger import restores a ledger",
        )
        .into());
    }
    if people::kept(folder)?.is_some() {
        return Err(refused(
            "human labels of the study's sample correct only labels whose judges' answers are in the ledger. Leave out \
             --changed: a run judges only what the ledger lacks, and llull ledger import restores a ledger",
        )
        .into());
    }
    if settings.escalate.as_ref().is_some_and(|escalate| escalate.disagreement.is_some()) {
        return Err(refused(
            "escalate.disagreement chooses the pairs for the stronger judge by human labels, so labels depend on them. \
             Leave out --changed, or write when = \"margin < 0.2\" with a number of your choice",
        )
        .into());
    }
    let Some((place, saved)) = saved else {
        return Err(refused(
            "its labels are not saved. Name a number of llull history, or a folder that has .llull/reports next to \
             report.json",
        )
        .into());
    };
    let then = match &saved.texts {
        Some(texts) => saved_inputs::read::<LabelInputs>(&place, texts)?,
        None => LabelInputs::default(),
    };
    let Some(labels) = saved.labels.as_ref().filter(|_| !then.judges.is_empty()) else {
        return Err(refused(
            "an earlier llull saved it, without what its labels depend on. Run once without --changed, and name that \
             report",
        )
        .into());
    };
    let all = "leave out --changed to judge all pairs";
    let differences = then.other_judges(&LabelInputs::of(settings, evidence));
    if !differences.is_empty() {
        return Err(
            refused(&format!("{}. Its labels do not count then: {all}", differences.join("; "))).into()
        );
    }
    if !then.unreliable_judges.is_empty() {
        let judges = then.unreliable_judges.join(", ");
        return Err(refused(&format!(
            "{judges} failed a check there, and the few new answers of this run would not show it again. Name a report \
             whose judges passed, or {all}"
        ))
        .into());
    }
    if then.is_open && then.judges.len() > 1 {
        return Err(refused(&format!(
            "it is incomplete, so some of its labels lack a judge's answer. Name a complete report, or {all}"
        ))
        .into());
    }
    let labels: PooledLabels = saved_inputs::read(&place, labels)?;
    let mut kept = PooledLabels::new();
    let mut pairs = UnchangedPairs { report: name, kept: 0, answered: 0, open: 0, changed: 0 };
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
    if kept.is_empty() {
        return Ok((None, pairs));
    }
    let mut saved = KeptLabels { report: named.clone(), is_new: true, ..KeptLabels::default() };
    if saves {
        saved.labels = saved_inputs::save(folder, &kept)?;
        saved.texts = saved_inputs::save(folder, &LabelInputs::of(settings, evidence))?;
    }
    Ok((Some(base_of(&kept, saved)), pairs))
}

/// Returns the existing labels that a run keeps.
///
/// # Errors
/// Returns [`HistoryError::Broken`] if they are not saved, or changed.
pub(crate) fn kept_base(folder: &Folder, kept: &KeptLabels) -> Result<BaseSettings, StudyError> {
    let labels: PooledLabels = saved_inputs::read(folder, &kept.labels)?;
    Ok(base_of(&labels, kept.clone()))
}

fn base_of(labels: &PooledLabels, kept: KeptLabels) -> BaseSettings {
    let name = format!("report {}", kept.report);
    BaseSettings::of_report(qrels(labels), &name, kept)
}
