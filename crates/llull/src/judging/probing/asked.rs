//! Asking about changed documents, what that would cost, and what the ledger has of it.

use std::sync::Arc;

use llull_runner::{Evidence, Exhaustive, Spent, StopReason};
use llull_store::LedgerReader;

use super::chooser::{ProbeChooser, ProbedStudy, Probing};
use crate::config::Settings;
use crate::error::StudyError;
use crate::evidence::ProbeEvidence;
use crate::folder::Folder;
use crate::inputs::Inputs;
use crate::judging::budget::BudgetEnd;
use crate::judging::estimate::{Estimate, estimate_of};
use crate::judging::gather::{Gathering, Panelists, Room, some_of};
use crate::judging::outcome::JudgeTally;
use crate::probes::JudgeProbe;

/// What asking judges about changed documents has come to.
#[derive(Debug, Clone)]
pub struct ProbingOutcome {
    /// The probes that had nothing to change: no document that they suit has an answer of every judge.
    pub without_documents: Vec<JudgeProbe>,
    /// Each judge's tasks.
    pub tallies: Vec<JudgeTally>,
    /// Why the run stopped before its end, if it did.
    pub stopped: Option<StopReason>,
    /// The limit that stopped it, if one did.
    pub budget: Option<BudgetEnd>,
    /// What it used.
    pub spent: Spent,
}

/// Where answers about changed documents come from.
pub(in crate::judging) trait ProbedSource: Gathering {
    /// Returns the ledger, as it was before anything was asked.
    fn reader(&self) -> &dyn LedgerReader;
}

impl Room<'_> {
    /// Asks about changed documents what the ledger does not know. Returns the probes that had nothing to change.
    ///
    /// # Errors
    /// Returns the first error of `source`.
    pub(in crate::judging) fn probe(
        &self,
        source: &mut dyn ProbedSource,
        probes: &[JudgeProbe],
    ) -> Result<Vec<JudgeProbe>, StudyError> {
        let votes = self.votes(source.reader())?;
        let probing = self.chosen(&votes, probes)?;
        let known = self.known(&votes, &probing)?;
        source.gather_again(known, &probing.workload, &probing.judges)?;
        let asked = |probe: &JudgeProbe| probing.questions.iter().any(|question| question.probe == *probe);
        Ok(probes.iter().copied().filter(|probe| !asked(probe)).collect())
    }

    /// Returns what the ledger that the votes were read from has of changed documents; `None` if that is nothing.
    pub(in crate::judging) fn probed(&self, votes: &Evidence) -> Result<Option<ProbeEvidence>, StudyError> {
        if !self.asks_again || votes.judges().iter().all(|judge| judge.probed() == 0) {
            return Ok(None);
        }
        let identities = self.judges.identities();
        let Some(probing) = ProbeChooser::new(self.probed_study(), votes, &identities).known()? else {
            return Ok(None);
        };
        let asked = self.known(votes, &probing)?;
        Ok(Some(ProbeEvidence::new(asked, probing.judges, probing.questions)))
    }

    fn chosen(&self, votes: &Evidence, probes: &[JudgeProbe]) -> Result<Probing, StudyError> {
        ProbeChooser::new(self.probed_study(), votes, &self.judges.identities()).choose(probes)
    }

    fn probed_study(&self) -> ProbedStudy<'_> {
        let rubric = &self.inputs.rubric;
        ProbedStudy {
            settings: self.settings,
            cutoff: rubric.cutoff,
            highest: rubric.scale.high(),
            pooled: &self.texts.pooled,
        }
    }

    /// How the questions stand in the ledger that the votes were read from.
    fn known(&self, votes: &Evidence, probing: &Probing) -> Result<Evidence, StudyError> {
        let identities = some_of(&self.judges.identities(), &probing.judges);
        let mut known = votes.without_questions(&probing.judges);
        known.play_on(&mut Exhaustive::new(Arc::clone(&probing.workload)), &identities)?;
        Ok(known)
    }

    /// Reads the judges' votes.
    fn votes(&self, ledger: &dyn LedgerReader) -> Result<Evidence, StudyError> {
        let Some(tournament) = &self.settings.tournament else {
            let mut all = Exhaustive::new(Arc::clone(&self.texts.pooled));
            return self.read(ledger, &mut all, Panelists::Judges);
        };
        let identities = self.judges.identities();
        let mut tournaments = self.tournaments(tournament, &identities, false)?;
        self.read(ledger, &mut tournaments, Panelists::Judges)
    }
}

/// Returns what asking every judge about changed documents would cost. Nothing is asked.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or a prompt cannot be rendered.
pub(crate) fn probe_estimates(
    settings: &Settings,
    folder: &Folder,
    inputs: &Inputs,
    ledger: &dyn LedgerReader,
    probes: &[JudgeProbe],
) -> Result<Vec<Estimate>, StudyError> {
    let room = Room::open(settings, folder, inputs)?;
    let votes = room.votes(ledger)?;
    let probing = room.chosen(&votes, probes)?;
    let known = room.known(&votes, &probing)?;
    let mut estimates = Vec::new();
    for (at, judge) in probing.judges.iter().zip(known.judges()) {
        let open = known.cases().zip(judge.tasks()).filter(|(_, status)| judge.is_open(status));
        let open: Vec<_> = open.map(|(case, _)| case).collect();
        if let Some(settings_of) = settings.judges.get(*at) {
            estimates.push(estimate_of(settings, folder, inputs, settings_of, judge, &open)?);
        }
    }
    Ok(estimates)
}
