//! Where a study's evidence comes from: judges who are asked, or a ledger that is read.

use std::sync::Arc;

use llull_runner::{Evidence, Plan, Workload};

use crate::error::StudyError;
use crate::people::PeopleLabels;

/// Where evidence comes from.
pub(crate) trait Gathering {
    /// Plays a plan with a panel.
    fn gather(&mut self, plan: &mut dyn Plan, panel: PanelRole) -> Result<Evidence, StudyError>;

    /// Asks what is to be known before a plan goes on, a part of what is gathered later.
    fn gather_part(
        &mut self,
        questions: &Arc<Workload>,
        panelists: PanelRole,
    ) -> Result<Evidence, StudyError>;

    /// Asks some of the study's judges what `known` lacks of these questions, which were asked before, after everything
    /// else.
    fn gather_again(
        &mut self,
        known: Evidence,
        questions: &Arc<Workload>,
        judges: &[usize],
    ) -> Result<Evidence, StudyError>;

    /// Reads what people say of the study's sample; `None` if none was drawn.
    fn people(&self, pooled: &Workload) -> Result<Option<PeopleLabels>, StudyError>;

    /// Whether judges are asked, so that what was begun has to be remembered.
    fn asks(&self) -> bool;
}

/// Which judges answer a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelRole {
    /// The study's judges.
    Judges,
    /// Those who grade a few documents of each tier, or what the others find hard.
    Graders,
    /// Those at this place who are asked about one of the rubric's attributes.
    Attribute(usize),
}
