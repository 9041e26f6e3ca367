//! Adds the human labels of a study's sample to its evidence.

use llull_config::Folder;
use llull_runner::Workload;
use llull_store::LedgerReader;

use crate::error::StudyError;
use crate::evidence::{StudyAnswers, StudyEvidence};
use crate::inputs::Inputs;
use crate::part::{Note, Part};
use crate::people::{HumanLabels, StudySample, human_comparisons, human_labels, kept};

/// Returns a note about a sample that existing labels make useless; `None` unless the study has both.
pub(super) fn sample_beside_base(folder: &Folder, inputs: &Inputs) -> Result<Option<Note>, StudyError> {
    let there = inputs.base.is_some() && kept(folder)?.is_some();
    let text = "the study's sample corrects nothing while labels that exist (base) stand among the judges'";
    Ok(there.then(|| Note::new(Part::Base, text)))
}

/// Returns a note about a sample that was drawn among other queries than the chosen ones.
pub(super) fn sample_of_other_queries(folder: &Folder, inputs: &Inputs) -> Result<Option<Note>, StudyError> {
    let Some(chosen) = &inputs.chosen else { return Ok(None) };
    let others = kept(folder)?.is_some_and(|sample| !is_among(&sample, inputs));
    let text = format!(
        "the study's sample was drawn among other queries than these {chosen}, so its human labels are left out"
    );
    Ok(others.then(|| Note::new(Part::Reference, text)))
}

/// Whether every pair of a sample's frame is of a query of the study. Its probabilities hold for the whole frame only.
fn is_among(sample: &StudySample, inputs: &Inputs) -> bool {
    inputs.chosen.is_none() || sample.sample.units.iter().all(|unit| inputs.topics.get(&unit.topic).is_some())
}

/// Reads the human labels of the study's sample; `None` if none was drawn, the study has existing labels, or some of
/// its queries are not chosen.
///
/// # Errors
/// Returns an error if the sample or the ledger cannot be read.
pub(super) fn human_labels_of(
    folder: &Folder,
    inputs: &Inputs,
    pooled: &Workload,
    ledger: &dyn LedgerReader,
) -> Result<Option<HumanLabels>, StudyError> {
    let kept = kept(folder)?.filter(|sample| inputs.base.is_none() && is_among(sample, inputs));
    let Some(sample) = kept else { return Ok(None) };
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
