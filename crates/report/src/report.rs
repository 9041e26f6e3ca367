//! The whole report, section by section, the decision first.

use llull_audit::JudgeCheck;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::conditions::{Incomparability, SinceSection};
use crate::cost::CostSection;
use crate::coverage::CoverageSection;
use crate::differing::DifferingPair;
use crate::escalation::EscalationSection;
use crate::mix::LabelMix;
use crate::panel::PanelSection;
use crate::provenance::ProvenanceSection;
use crate::reference::ReferenceSection;
use crate::slices::SliceSection;
use crate::study::StudySection;
use crate::study_verdict::DecisionSection;
use crate::systems::MeasuredSystem;
use crate::topics::TopicDetail;
use crate::tournament::TournamentSection;

/// The version that a report has with, or without, this section.
pub fn version(tournaments: Option<&TournamentSection>) -> u32 {
    if tournaments.is_some() { TOURNAMENT_VERSION } else { VERSION }
}

/// The result of a study, its evidence and its cost. Two equal studies have byte-identical reports: no clock, no
/// addresses, nothing in hash order.
///
/// `T` is the source of the queries: a `Vec` for a report in memory, or [`Streamed`](crate::Streamed). The latter
/// builds queries while they are written, so that a hundred thousand documents never exist at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(
    rename = "Report",
    description = "The results of a study of retrieval, with their evidence and cost. Written by llull."
)]
pub struct Report<T = Vec<TopicDetail>> {
    /// The version of the format: 2 where judges compare, 1 otherwise.
    #[schemars(extend("enum" = [VERSION, TOURNAMENT_VERSION]))]
    pub version: u32,
    /// Whether texts of queries and documents, and judges' reasons, are left out; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub texts_left_out: bool,
    /// Whose labels these are.
    pub study: StudySection,
    /// The better system, or no clear difference.
    pub decision: DecisionSection,
    /// The checks of all judges, passed ones too.
    #[serde(default)]
    pub checks: Vec<JudgeCheck>,
    /// Conditions that differ between systems and may explain a difference between them; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<Incomparability>,
    /// The comparison with an earlier report; absent unless one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<SinceSection>,
    /// The systems on slices of the queries, by the measure that decides, field by field; absent without slices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<SliceSection>,
    /// Every system's figures, in the order in which `topics` lists ranks.
    pub systems: Vec<MeasuredSystem>,
    /// The comparison with reference labels; null without a reference.
    pub reference: Option<ReferenceSection>,
    /// Which labels existed before, and how the judges' came to their scale; absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<LabelMix>,
    /// The labelled share of the pool, and the reasons for missing labels.
    pub coverage: CoverageSection,
    /// A comparison of the judges of a panel; absent unless several judges grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelSection>,
    /// A stronger judge's answers about hard pairs, and the changed labels; absent unless the study has such a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<EscalationSection>,
    /// The result of the comparisons; absent if every judge grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournaments: Option<TournamentSection>,
    /// The cost of each judge.
    pub cost: CostSection,
    /// Query by query.
    pub topics: T,
    /// The inputs of the figures.
    pub provenance: ProvenanceSection,
}

impl Report {
    /// The report without the texts of queries and documents, and the judges' words about them.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.remove_texts();
        self.topics = self.topics.into_iter().map(TopicDetail::without_texts).collect();
        self
    }
}

impl<T> Report<T> {
    /// The report with other queries, or another source of them.
    pub fn with_topics<U>(self, topics: U) -> Report<U> {
        Report {
            version: self.version,
            texts_left_out: self.texts_left_out,
            study: self.study,
            decision: self.decision,
            checks: self.checks,
            unlike: self.unlike,
            since: self.since,
            slices: self.slices,
            systems: self.systems,
            reference: self.reference,
            mix: self.mix,
            coverage: self.coverage,
            panel: self.panel,
            escalation: self.escalation,
            tournaments: self.tournaments,
            cost: self.cost,
            topics,
            provenance: self.provenance,
        }
    }

    /// Removes the texts of queries and documents, and the judges' words about them, from every section but the
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

    /// Returns the sentences about the stronger judge; none without one.
    pub(crate) fn escalation_in_sentences(&self) -> &[String] {
        let cycles = self.tournaments.as_ref().and_then(|found| found.cycles.as_ref());
        match (&self.escalation, cycles) {
            (Some(found), _) => &found.sentences,
            (None, Some(found)) => &found.sentences,
            (None, None) => &[],
        }
    }
}

/// The version of the report's format. It rises when a reader of the old format would misread the new one.
pub const VERSION: u32 = 1;

/// The version of a report on judges that compare. A reader of version 1 would take places in an order for grades on
/// the rubric's scale, so it has to refuse such a report; a report on graded judges alone keeps version 1.
pub const TOURNAMENT_VERSION: u32 = 2;
