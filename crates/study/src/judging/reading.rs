//! Reads a study's evidence from its ledger, without any request.

use std::sync::Arc;

use llull_runner::{Evidence, Exhaustive, Plan, Workload};
use llull_store::LedgerReader;

use super::annotators::{add_annotators, sample_beside_base, sample_of_other_queries};
use super::evidence_source::{EvidenceSource, PanelRole};
use super::panel::recorded_judges;
use super::study_context::{Excerpt, StudyContext, texts};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::{Inputs, PooledTexts, StudyTexts};
use crate::part::{InPart, Note, Part, PartError};
use crate::people::HumanLabels;
use crate::study_config::StudyConfig;

/// Reads a ledger, without any request.
struct Reading<'a> {
    context: &'a StudyContext<'a>,
    ledger: &'a dyn LedgerReader,
}

impl EvidenceSource for Reading<'_> {
    fn play(&mut self, plan: &mut dyn Plan, panelists: PanelRole) -> Result<Evidence, StudyError> {
        self.context.read(self.ledger, plan, panelists)
    }

    fn play_part(&mut self, questions: &Arc<Workload>, panelists: PanelRole) -> Result<Evidence, StudyError> {
        self.context.read(self.ledger, &mut Exhaustive::new(Arc::clone(questions)), panelists)
    }

    fn play_again(
        &mut self,
        known: Evidence,
        _: &Arc<Workload>,
        _: &[usize],
    ) -> Result<Evidence, StudyError> {
        Ok(known)
    }

    fn human_labels(&self, pooled: &Workload) -> Result<Option<HumanLabels>, StudyError> {
        self.context.human_labels(pooled, self.ledger)
    }

    fn asks(&self) -> bool {
        false
    }
}

/// Reads a study's evidence from its ledger. It sends no request, and needs no key.
///
/// # Errors
/// Returns an error if the corpus lacks a document, a judge is invalid, or the ledger cannot be read.
pub(crate) fn read_evidence(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    ledger: &dyn LedgerReader,
) -> Result<StudyEvidence, PartError> {
    read_evidence_with(config, (inputs, texts(config, inputs)?), ledger)
}

/// Does the same, with texts that were read before.
///
/// # Errors
/// Returns an error if a judge is invalid, or the ledger cannot be read.
pub(crate) fn read_evidence_with(
    config: StudyConfig<'_>,
    (inputs, texts): (&Inputs, PooledTexts),
    ledger: &dyn LedgerReader,
) -> Result<StudyEvidence, PartError> {
    let recorded = recorded_judges(ledger).in_part(|| Part::Ledger)?;
    let context = StudyContext::with_texts(config, inputs, texts)?.with_recorded(&recorded);
    let mut evidence =
        context.build_evidence(&mut Reading { context: &context, ledger }).in_part(|| Part::Ledger)?;
    add_annotators(&mut evidence, config.folder, inputs, ledger).in_part(|| Part::Labels)?;
    evidence.notes.extend(sample_beside_base(config.folder, inputs).in_part(|| Part::Labels)?);
    evidence.notes.extend(sample_of_other_queries(config.folder, inputs).in_part(|| Part::Labels)?);
    evidence.notes.extend(ledger.loss().map(|loss| {
        let text = format!("{loss}, and nothing here counts them; llull ledger check shows the remedy");
        Note::new(Part::Ledger, text)
    }));
    Ok(evidence)
}

/// Reads the evidence of an excerpt of a study.
///
/// # Errors
/// Returns those of [`read_evidence`], and an error if judges compare and pairs are selected.
pub(crate) fn read_excerpt(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    excerpt: Excerpt<'_>,
    ledger: &dyn LedgerReader,
) -> Result<StudyEvidence, PartError> {
    let recorded = recorded_judges(ledger).in_part(|| Part::Ledger)?;
    let context = StudyContext::open(config, inputs)?.with_recorded(&recorded);
    let context = context.excerpt(excerpt).in_part(|| Part::Judges)?;
    context.build_evidence(&mut Reading { context: &context, ledger }).in_part(|| Part::Ledger)
}

/// Reads the texts of a study's pool.
///
/// # Errors
/// Returns an error if there is no judge, or the corpus lacks a document that one reads.
pub(crate) fn read_texts(config: StudyConfig<'_>, inputs: &Inputs) -> Result<StudyTexts, PartError> {
    texts(config, inputs).map(StudyTexts)
}
