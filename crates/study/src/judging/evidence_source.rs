//! The sources of a study's evidence: running judges, or a ledger.

use std::sync::Arc;

use llull_runner::{Evidence, Plan, Workload};

use crate::error::StudyError;
use crate::people::HumanLabels;

/// A source of evidence.
pub(crate) trait EvidenceSource {
    /// Plays a plan with a panel.
    fn play(&mut self, plan: &mut dyn Plan, panel: PanelRole) -> Result<Evidence, StudyError>;

    /// Runs questions whose answers a plan needs before it continues; they are a part of the later evidence.
    fn play_part(&mut self, questions: &Arc<Workload>, panelists: PanelRole) -> Result<Evidence, StudyError>;

    /// Sends the questions that `known` lacks to some of the study's judges, after everything else. They repeat earlier
    /// ones.
    fn play_again(
        &mut self,
        known: Evidence,
        questions: &Arc<Workload>,
        judges: &[usize],
    ) -> Result<Evidence, StudyError>;

    /// Reads the human labels of the study's sample; `None` if none was drawn.
    fn human_labels(&self, pooled: &Workload) -> Result<Option<HumanLabels>, StudyError>;

    /// Whether judges run, so that the beginning of tournaments has to be saved.
    fn asks(&self) -> bool;
}

/// The judges that answer a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelRole {
    /// The study's judges.
    Judges,
    /// The graders of a few documents of each tier, or of the pairs that are hard for the others.
    Graders,
    /// The judges at this place of one of the rubric's attributes.
    Attribute(usize),
}
