//! The labels of an earlier report that a run keeps, so that only new pairs are judged.
//!
//! A label is kept if the query, the document and the judges are those of the report, and the ledger has no answers
//! of its own. So a run with the ledger of the report is the same with and without it.

use std::fmt;

use llull_config::{BaseSettings, Folder, KeptLabels, PanelRule, Settings};
use llull_label::panel::PanelMethod;
use llull_report::Fingerprint;
use llull_report::text::{count, counted};

use super::error::HistoryError;
use super::saved_inputs::{self, PooledLabels, SavedTexts, qrels};
use super::saved_reports::{EarlierReport, SavedReports};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::reporting::{aggregation, fingerprint, of_fingerprints, query_hash, text_hash};

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
            write!(f, ", {} of them with another text than then", count(*changed))?;
        }
        write!(f, "; {} of the report kept", counted(*kept, "label"))?;
        if *answered > 0 {
            write!(f, ", and {} answered in the ledger", count(*answered))?;
        }
        Ok(())
    }
}

/// Finds the labels of an earlier report, by default the last, that are kept for a pool, and saves them. Returns
/// `None` if there are none to keep, because the ledger has all that are unchanged.
///
/// # Errors
/// Returns an error if there is no such report, it has other judges, or the study's labels cannot be kept.
pub(crate) fn keep(
    folder: &Folder,
    settings: &Settings,
    evidence: &StudyEvidence,
    named: Option<&str>,
) -> Result<(Option<KeptLabels>, UnchangedPairs), StudyError> {
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
    let Some((place, saved)) = saved else {
        return Err(refused(
            "its labels are not saved. Name a number of llull history, or a folder that has .llull/reports next to \
             report.json",
        )
        .into());
    };
    let (Some(labels), Some(texts)) = (&saved.labels, &saved.texts) else {
        return Err(refused(
            "an earlier llull saved it, without hashes of its texts. Run once without --changed, and name that report",
        )
        .into());
    };
    let judges: Vec<Fingerprint> = evidence.panel().map(fingerprint).collect();
    let mut differences: Vec<String> = of_fingerprints(&saved.report.provenance.judges, &judges, &[])
        .into_iter()
        .map(|(_, difference)| difference)
        .collect();
    if saved.report.study.aggregation != aggregation(settings, evidence) {
        differences.push("labels were made otherwise".to_owned());
    }
    if !differences.is_empty() {
        return Err(refused(&format!(
            "{}. Labels of other judges are not kept as theirs: leave out --changed to judge all pairs",
            differences.join("; ")
        ))
        .into());
    }
    let labels: PooledLabels = saved_inputs::read(&place, labels)?;
    let then: SavedTexts = saved_inputs::read(&place, texts)?;
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
    let mut texts = SavedTexts::default();
    texts.add(&evidence.pooled);
    let labels = saved_inputs::save(folder, &kept)?;
    let texts = saved_inputs::save(folder, &texts)?;
    Ok((Some(KeptLabels { report: named, labels, texts }), pairs))
}

/// Returns the existing labels that a run keeps.
///
/// # Errors
/// Returns [`HistoryError::Broken`] if they are not saved, or changed.
pub(crate) fn kept_base(folder: &Folder, kept: &KeptLabels) -> Result<BaseSettings, StudyError> {
    let labels: PooledLabels = saved_inputs::read(folder, &kept.labels)?;
    Ok(BaseSettings::of_report(qrels(&labels), &format!("report {}", kept.report), kept.clone()))
}
