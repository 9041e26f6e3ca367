//! Runs the checks of `llull doctor`.

use llull_config::Environment;
use llull_core::Hash;

use super::findings::{DoctorFinding, Findings};
use crate::inputs::{read_inputs, topics};
use crate::ledger::StudyLedger;
use crate::part::{InPart, Part};
use crate::reach::StudyReach;
use crate::study_config::StudyConfig;

/// The checked study.
pub(crate) struct Checked<'a> {
    pub(crate) config: StudyConfig<'a>,
    pub(crate) ledger: &'a StudyLedger,
    pub(crate) config_hash: Option<Hash>,
    pub(crate) reach: &'a StudyReach,
}

/// Checks a study: files, identifiers, texts, prompts and keys.
///
/// With `online` it also checks whether each language model answers (one request of about a hundred tokens each) and
/// each server that retrieves (no query). A failed check prevents only those that depend on it.
pub(crate) fn examine(study: &Checked<'_>, environment: Environment<'_>, online: bool) -> Vec<DoctorFinding> {
    let mut findings = Findings::default();
    let mut inputs = None;
    if findings.files(study.config) {
        let read = read_inputs(study.config, study.config_hash);
        // The rubric is read first; the topics may be wrong, too.
        let only_rubric = read.as_ref().is_err_and(|fault| fault.part == Part::Rubric);
        inputs = findings.take(read);
        if only_rubric {
            findings.take(topics(study.config).in_part(|| Part::Topics));
        }
    }
    if let Some(inputs) = &inputs {
        findings.inputs(inputs);
    }
    findings.servers(study, environment, online);
    findings.judges(study, inputs.as_ref(), environment, online);
    findings.0
}
