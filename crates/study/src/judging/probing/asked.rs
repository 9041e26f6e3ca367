//! Runs judges on changed documents.
//!
//! It also estimates the cost, and reads the answers in the ledger.

use std::sync::Arc;

use llull_core::LabelSet;
use llull_runner::{Evidence, Exhaustive, StopReason};
use llull_store::LedgerReader;

use super::chooser::{ProbeChooser, ProbedStudy, Probing};
use crate::error::StudyError;
use crate::evidence::ProbeEvidence;
use crate::inputs::Inputs;
use crate::judging::budget_tracker::BudgetEnd;
use crate::judging::build_evidence::some_of;
use crate::judging::estimate::{Estimate, estimate_of};
use crate::judging::evidence_source::{EvidenceSource, PanelRole};
use crate::judging::panel::recorded_judges;
use crate::judging::study_context::StudyContext;
use crate::probes::JudgeProbe;
use crate::study_config::StudyConfig;

/// The outcome of judging changed documents.
#[derive(Debug, Clone)]
pub struct ProbingOutcome {
    /// The probes without a suitable document that every judge has answered.
    pub without_documents: Vec<JudgeProbe>,
    /// The reason why the run stopped early, if it did.
    pub stopped: Option<StopReason>,
    /// The limit that stopped it, if one did.
    pub budget: Option<BudgetEnd>,
}

/// A source of answers about changed documents.
pub(in crate::judging) trait ProbedSource: EvidenceSource {
    /// Returns the ledger from before any request.
    fn reader(&self) -> &dyn LedgerReader;
}

impl StudyContext<'_> {
    /// Sends the questions about changed documents that the ledger lacks. Returns the probes that had nothing to
    /// change.
    ///
    /// # Errors
    /// Returns the first error of `source`.
    pub(in crate::judging) fn probe(
        &self,
        source: &mut dyn ProbedSource,
        probes: &[JudgeProbe],
    ) -> Result<Vec<JudgeProbe>, StudyError> {
        let votes = self.votes(source.reader())?;
        let reviewers = self.reviewers(source)?;
        let probings = self.chosen((&votes, reviewers.as_ref()), probes)?;
        for probing in &probings {
            let known = self.known(&votes, probing)?;
            source.play_again(known, &probing.workload, &probing.judges)?;
        }
        let questions = || probings.iter().flat_map(|probing| &probing.questions);
        let asked = |probe: &JudgeProbe| questions().any(|question| question.probe == *probe);
        Ok(probes.iter().copied().filter(|probe| !asked(probe)).collect())
    }

    /// Returns the answers about changed documents in the ledger of the votes.
    pub(in crate::judging) fn probed(
        &self,
        votes: &Evidence,
        source: &dyn EvidenceSource,
    ) -> Result<Vec<ProbeEvidence>, StudyError> {
        if !self.asks_again || votes.judges().iter().all(|judge| judge.probed() == 0) {
            return Ok(Vec::new());
        }
        let (identities, examples) = (self.judges.identities(), self.judges.order_examples());
        let reviewers = self.reviewers(source)?;
        let study = self.probed_study(reviewers.as_ref());
        let known = ProbeChooser::new(study, votes, &identities, &examples).known()?;
        let evidence = known.into_iter().map(|probing| {
            let asked = self.known(votes, &probing)?;
            Ok(ProbeEvidence::new(asked, probing.judges, probing.questions))
        });
        evidence.collect()
    }

    fn chosen(
        &self,
        (votes, reviewers): (&Evidence, Option<&LabelSet>),
        probes: &[JudgeProbe],
    ) -> Result<Vec<Probing>, StudyError> {
        let (identities, examples) = (self.judges.identities(), self.judges.order_examples());
        ProbeChooser::new(self.probed_study(reviewers), votes, &identities, &examples).choose(probes)
    }

    /// The human labels of the study's sample, if they are the reference.
    fn reviewers(&self, source: &dyn EvidenceSource) -> Result<Option<LabelSet>, StudyError> {
        if !self.config.settings.reference_people {
            return Ok(None);
        }
        Ok(source.human_labels(&self.texts.pooled)?.map(|human_labels| human_labels.labels))
    }

    fn probed_study<'b>(&'b self, reviewers: Option<&'b LabelSet>) -> ProbedStudy<'b> {
        let rubric = &self.inputs.rubric;
        ProbedStudy {
            settings: self.config.settings,
            inputs: self.inputs,
            reviewers,
            cutoff: rubric.cutoff,
            highest: rubric.scale.high(),
            pooled: &self.texts.pooled,
        }
    }

    /// The states of the questions in the ledger of the votes.
    fn known(&self, votes: &Evidence, probing: &Probing) -> Result<Evidence, StudyError> {
        let identities = some_of(&self.judges.identities(), &probing.judges);
        let mut known = votes.without_questions(&probing.judges);
        known.play_on(&mut Exhaustive::new(Arc::clone(&probing.workload)), &identities)?;
        Ok(known)
    }

    /// Reads the judges' votes.
    fn votes(&self, ledger: &dyn LedgerReader) -> Result<Evidence, StudyError> {
        let Some(tournament) = &self.config.settings.tournament else {
            let mut all = Exhaustive::new(Arc::clone(&self.texts.pooled));
            return self.read(ledger, &mut all, PanelRole::Judges);
        };
        let identities = self.judges.identities();
        let mut tournaments = self.tournaments(tournament, &identities, false)?;
        self.read(ledger, &mut tournaments, PanelRole::Judges)
    }
}

/// Returns the cost of judging changed documents, for every judge. It sends no request.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or a prompt cannot be rendered.
pub(crate) fn probe_estimates(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    ledger: &dyn LedgerReader,
    probes: &[JudgeProbe],
) -> Result<Vec<Estimate>, StudyError> {
    let context = StudyContext::open(config, inputs)?.with_recorded(&recorded_judges(ledger)?);
    let votes = context.votes(ledger)?;
    let reviewers = match config.settings.reference_people {
        true => context.human_labels(&context.texts.pooled, ledger)?.map(|human_labels| human_labels.labels),
        false => None,
    };
    let probings = context.chosen((&votes, reviewers.as_ref()), probes)?;
    let known: Vec<Evidence> =
        probings.iter().map(|probing| context.known(&votes, probing)).collect::<Result<_, _>>()?;
    let mut estimates = Vec::new();
    for (at, (settings_of, answers)) in config.settings.judges.iter().zip(votes.judges()).enumerate() {
        let (mut open, mut asked) = (Vec::new(), false);
        for (probing, known) in probings.iter().zip(&known) {
            let Some(place) = probing.judges.iter().position(|judge| *judge == at) else { continue };
            let Some(judge) = known.judges().get(place) else { continue };
            let tasks = known.cases().zip(judge.tasks()).filter(|(_, status)| judge.is_open(status));
            open.extend(tasks.map(|(case, _)| case));
            asked = true;
        }
        if asked {
            estimates.push(estimate_of(config, inputs, settings_of, answers, &open)?);
        }
    }
    Ok(estimates)
}
