//! The section of the report on comparisons.

use std::collections::BTreeMap;

use llull_core::Paradigm;
use llull_label::Contradiction;
use llull_rank::ratings::flip_rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::panel::{ComparedByAnnotators, PanelTriangles};
use super::topic::{AnchorFigures, DistanceCount, TopicTournament, is_zero};
use crate::escalation::CyclesSection;
use crate::study::paradigm_schema;
use crate::text::{count, percent};

/// The tournaments of a study, one for each query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSection {
    /// How documents were compared, and how tiers became labels.
    pub setup: TournamentSetup,
    /// The sums over all queries.
    pub totals: TournamentTotals,
    /// A stronger judge's answers about cycles of documents; absent without such a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<CyclesSection>,
    /// The agreement of judges and tiers with human preferences; absent if no annotator compared documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<ComparedByAnnotators>,
}

/// How documents were compared, and how tiers became labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSetup {
    /// The form of the judges' requests: `pairwise` or `listwise`.
    #[schemars(schema_with = "paradigm_schema")]
    pub paradigm: Paradigm,
    /// How many documents a question shows at most.
    pub window: usize,
    /// How many of a query's best documents were to be found; null if all were to be put in order.
    pub top: Option<usize>,
    /// How questions were spread over waves, such as `balanced`.
    pub schedule: String,
    /// How tiers became labels: `ordinal`, `geometric`, `binary(2)`, `anchored`.
    pub labels: String,
    /// The meaning of these labels, and their limits, in plain sentences.
    pub meaning: String,
    /// The lowest grade that counts as relevant; null if none does, as grades are places in an order.
    pub relevant_from: Option<i32>,
    /// The lowest grade that P, RR, R and AP count as relevant if their names have none; a convention if
    /// `relevant_from` is null. Null in earlier reports.
    #[serde(default)]
    pub measured_from: Option<i32>,
}

/// The tournaments of all queries, added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentTotals {
    /// Queries whose tiers are final, as far down as requested.
    pub topics_final: usize,
    /// Queries that were not finished: out of budget, interrupted, or with questions without an answer.
    pub topics_provisional: usize,
    /// Sets of documents that judges had to compare, repetitions included.
    pub calls: u64,
    /// Rounds of questions that did not wait for each other, all queries together.
    pub waves: u64,
    /// Calls without a usable answer of any judge.
    pub unanswered: u64,
    /// Calls with answers of some judges of the panel, but not of all, after failures or unusable answers. The results
    /// depend on the others' votes. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial: u64,
    /// Queries with such a call. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub topics_partial: u64,
    /// Triples of documents of which all three pairs were compared.
    pub triangles: u64,
    /// How many of these are cyclic: a better than b, b better than c, c better than a.
    pub cyclic_triangles: u64,
    /// Cyclic triangles of all triangles, from 0 to 1; null without a triangle.
    pub cyclic_share: Option<f64>,
    /// Queries with a cycle of documents. It may be longer than a triangle, with pairs that were never compared, so
    /// that no triangle shows it.
    pub topics_cyclic: usize,
    /// Other queries whose answers contradict each other: a pair has equal votes for both sides, or ties lead from a
    /// document back to one that was put before it.
    #[serde(default)]
    pub topics_contradictory: usize,
    /// The cycles by the number of their documents, smallest first.
    pub components: Vec<ComponentCount>,
    /// Answers against the final order, by the distance of the two documents in it. Absent if no pair was compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_distance: Vec<DistanceCount>,
    /// The cyclic triples of each judge of a panel and of their majority; absent for a single judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelTriangles>,
    /// Queries with credible tiers, because answers contradict each other. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub topics_credible: u64,
    /// How often two answers of the judges put two documents in different orders, from 0 to 0.5: an estimate from the
    /// answers about each query with credible tiers, averaged. Absent if there are none, or if questions show two
    /// documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip_rate: Option<f64>,
    /// Contradictions between a graded judge and the tiers; null without a graded judge.
    pub anchors: Option<AnchorFigures>,
}

/// How many cycles have one size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComponentCount {
    /// How many documents such a cycle holds.
    pub documents: usize,
    /// How many cycles of this size there are.
    pub components: u64,
}

impl TournamentTotals {
    /// Describes the noise of the judges, by their own contradictions; `None` if it is unknown.
    pub fn noise(&self) -> Option<String> {
        let flips = self.flip_rate?;
        let queries = match self.topics_credible {
            1 => "1 query has contradictions, so its tiers are credible ones".to_owned(),
            queries => {
                format!("{} queries have contradictions, so their tiers are credible ones", count(queries))
            }
        };
        Some(format!(
            "{queries}. Noise there: two answers would order two documents differently in about {} of cases.",
            percent(flips)
        ))
    }

    /// Adds up the tournaments of all queries. `waves` are the study's: queries share them, so they do not add up.
    /// `anchors` is the sum of the queries' contradictions, `None` without a graded judge.
    ///
    /// ```
    /// use llull_report::{TopicTournament, TournamentTotals};
    ///
    /// let components = vec![3];
    /// let topic =
    ///     TopicTournament { calls: 3, triangles: 4, cyclic_triangles: 1, components, ..Default::default() };
    /// let totals = TournamentTotals::of([&topic, &topic], 5, None);
    /// assert_eq!((totals.calls, totals.waves, totals.cyclic_share), (6, 5, Some(0.25)));
    /// assert_eq!((totals.components[0].documents, totals.components[0].components), (3, 2));
    /// ```
    pub fn of<'a>(
        topics: impl IntoIterator<Item = &'a TopicTournament>,
        waves: u64,
        anchors: Option<Contradiction>,
    ) -> Self {
        let mut totals = Self { waves, anchors: anchors.map(AnchorFigures::from), ..Self::default() };
        let mut components: BTreeMap<usize, u64> = BTreeMap::new();
        let mut flips = Vec::new();
        for topic in topics {
            let finished =
                if topic.is_final { &mut totals.topics_final } else { &mut totals.topics_provisional };
            *finished += 1;
            totals.calls += topic.calls;
            totals.unanswered += topic.unanswered;
            totals.partial += topic.partial;
            totals.topics_partial += u64::from(topic.partial > 0);
            totals.triangles += topic.triangles;
            totals.cyclic_triangles += topic.cyclic_triangles;
            totals.topics_cyclic += usize::from(topic.is_cyclic());
            totals.topics_contradictory += usize::from(topic.is_contradictory() && !topic.is_cyclic());
            totals.topics_credible += u64::from(topic.credible);
            // Elsewhere hardly a pair was compared twice, so that the spread shows nothing.
            flips.extend(topic.spread.filter(|_| topic.credible).map(flip_rate));
            if let Some(panel) = &topic.panel {
                totals.panel.get_or_insert_default().add(panel);
            }
            DistanceCount::add(&mut totals.by_distance, &topic.by_distance);
            for documents in &topic.components {
                *components.entry(*documents).or_default() += 1;
            }
        }
        totals.components = components
            .into_iter()
            .map(|(documents, components)| ComponentCount { documents, components })
            .collect();
        totals.flip_rate = (!flips.is_empty()).then(|| flips.iter().sum::<f64>() / flips.len() as f64);
        totals.cyclic_share =
            (totals.triangles > 0).then(|| totals.cyclic_triangles as f64 / totals.triangles as f64);
        totals
    }
}
