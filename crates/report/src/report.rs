//! The whole report, section by section, the decision first.

use llull_audit::Alarm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::conditions::{Incomparability, SinceSection};
use crate::cost::CostSection;
use crate::coverage::CoverageSection;
use crate::decision::DecisionSection;
use crate::differing::DifferingPair;
use crate::escalation::EscalationSection;
use crate::mix::LabelMix;
use crate::panel::PanelSection;
use crate::provenance::ProvenanceSection;
use crate::reference::ReferenceSection;
use crate::study::StudySection;
use crate::systems::MeasuredSystem;
use crate::topics::TopicDetail;
use crate::tournament::TournamentSection;
use crate::version::{TOURNAMENT_VERSION, VERSION};

/// The version that a report has with, or without, this section.
pub fn version(tournaments: Option<&TournamentSection>) -> u32 {
    if tournaments.is_some() { TOURNAMENT_VERSION } else { VERSION }
}

/// What a study found, what that rests on, and what it cost. Two equal studies have byte-identical reports:
/// no clock, no addresses, nothing in hash order.
///
/// `T` is where the queries come from: a `Vec` for a report in memory, or [`Streamed`](crate::Streamed) for one
/// whose queries are built while they are written, so that a hundred thousand documents never exist at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(
    rename = "Report",
    description = "What a study of retrieval found, what that rests on, and what it cost. Written by llull."
)]
pub struct Report<T = Vec<TopicDetail>> {
    /// The version of the format: 2 where judges compare, 1 otherwise.
    #[schemars(extend("enum" = [VERSION, TOURNAMENT_VERSION]))]
    pub version: u32,
    /// Whether the texts of queries and documents, and what judges wrote about them, are left out; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub texts_left_out: bool,
    /// Whose labels these are.
    pub study: StudySection,
    /// Which system is better, or that it cannot be told.
    pub decision: DecisionSection,
    /// What the judges' answers say about the judges, quiet alarms too.
    #[serde(default)]
    pub alarms: Vec<Alarm>,
    /// What the systems do not share, so that a difference between them may come from it; absent if they share all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<Incomparability>,
    /// An earlier report beside this one; absent unless one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<SinceSection>,
    /// Every system's figures, in the order in which `topics` lists ranks.
    pub systems: Vec<MeasuredSystem>,
    /// How the labels compare with somebody else's; null if there are none to compare with.
    pub reference: Option<ReferenceSection>,
    /// Which labels existed before, and how the judges' came to their scale; absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<LabelMix>,
    /// How much of the pool is labelled, and why the rest is not.
    pub coverage: CoverageSection,
    /// What the judges of a panel say beside each other; absent unless several judges grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelSection>,
    /// What a stronger judge saw of what the others find hard, and what that changed; absent unless the study has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<EscalationSection>,
    /// What judges that compare found; absent if every judge grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournaments: Option<TournamentSection>,
    /// What each judge consumed.
    pub cost: CostSection,
    /// Query by query.
    pub topics: T,
    /// What the figures were computed from.
    pub provenance: ProvenanceSection,
}

impl Report {
    /// The report without the texts of queries and documents, and what judges wrote about them.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.remove_texts();
        self.topics = self.topics.into_iter().map(TopicDetail::without_texts).collect();
        self
    }
}

impl<T> Report<T> {
    /// Removes the texts of queries and documents, and what judges wrote about them, from every section but the
    /// queries.
    pub fn remove_texts(&mut self) {
        self.texts_left_out = true;
        if let Some(reference) = &mut self.reference {
            reference.disagreements.remove_texts();
        }
        if let Some(panel) = &mut self.panel {
            panel.ambiguous.listed.iter_mut().for_each(DifferingPair::remove_all_texts);
        }
    }

    /// Returns what a stronger judge saw and changed, a sentence each; nothing without one.
    pub(crate) fn escalation_in_sentences(&self) -> &[String] {
        let circles = self.tournaments.as_ref().and_then(|found| found.circles.as_ref());
        match (&self.escalation, circles) {
            (Some(found), _) => &found.sentences,
            (None, Some(found)) => &found.sentences,
            (None, None) => &[],
        }
    }
}
