//! Adds the human labels of a study's sample to its evidence.

use llull_config::Folder;
use llull_runner::Workload;
use llull_store::LedgerReader;

use crate::error::StudyError;
use crate::evidence::{StudyAnswers, StudyEvidence};
use crate::inputs::Inputs;
use crate::part::{Note, Part};
use crate::people::{HumanLabels, human_comparisons, human_labels, kept};

/// Returns a note about a sample that existing labels make useless; `None` unless the study has both.
pub(super) fn sample_beside_base(folder: &Folder, inputs: &Inputs) -> Result<Option<Note>, StudyError> {
    let there = inputs.base.is_some() && kept(folder)?.is_some();
    let text = "the study's sample corrects nothing while labels that exist (base) stand among the judges'";
    Ok(there.then(|| Note::new(Part::Base, text)))
}

/// Reads the human labels of the study's sample; `None` if none was drawn, or the study has existing labels.
///
/// # Errors
/// Returns an error if the sample or the ledger cannot be read.
pub(super) fn human_labels_of(
    folder: &Folder,
    inputs: &Inputs,
    pooled: &Workload,
    ledger: &dyn LedgerReader,
) -> Result<Option<HumanLabels>, StudyError> {
    let Some(sample) = kept(folder)?.filter(|_| inputs.base.is_none()) else { return Ok(None) };
    human_labels(&sample, &inputs.rubric, pooled, ledger).map(Some)
}

/// Adds annotators' answers to the evidence: their labels of the study's sample and, if judges compare, their
/// comparisons.
///
/// # Errors
/// Returns an error if the sample or the ledger cannot be read.
pub(super) fn add_annotators(
    evidence: &mut StudyEvidence,
    folder: &Folder,
    inputs: &Inputs,
    ledger: &dyn LedgerReader,
) -> Result<(), StudyError> {
    evidence.human_labels = human_labels_of(folder, inputs, &evidence.pooled, ledger)?;
    if let StudyAnswers::Compared(compared) = &mut evidence.answers {
        compared.comparisons = Some(human_comparisons(&inputs.rubric, &evidence.pooled, ledger)?);
    }
    Ok(())
}
