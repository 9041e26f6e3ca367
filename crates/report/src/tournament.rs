//! What judges that compare found: tiers, and how far the comparisons contradict each other.

use std::collections::BTreeMap;

use llull_core::{Item, Label, Paradigm};
use llull_label::{Anchored, Contradiction};
use llull_rank::TournamentOutcome;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::numbers::finite;

/// The tournaments of a study, one for each topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tournaments {
    /// How documents were compared, and how tiers became labels.
    pub setup: TournamentSetup,
    /// What came of it over all topics.
    pub totals: TournamentTotals,
}

/// How documents were compared, and how tiers became labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSetup {
    /// How the judges were asked: `pairwise` or `listwise`.
    #[schemars(schema_with = "paradigm_schema")]
    pub paradigm: Paradigm,
    /// How many documents a question shows at most.
    pub window: usize,
    /// How many of a topic's best documents were to be found; null when all were to be put in order.
    pub top: Option<usize>,
    /// How questions were spread over waves, such as `balanced`.
    pub schedule: String,
    /// How tiers became labels: `ordinal`, `geometric`, `binary(2)`, `anchored`.
    pub labels: String,
    /// What these labels say and what they do not, in plain sentences.
    pub meaning: String,
    /// The lowest grade that says "relevant"; null where no grade says so, as grades are places in an order.
    pub relevant_from: Option<i32>,
}

/// The tournaments of all topics, added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentTotals {
    /// Topics whose tiers are final, as far down as was asked for.
    pub topics_final: usize,
    /// Topics that were not finished: out of budget, interrupted, or questions that nobody answered.
    pub topics_provisional: usize,
    /// Sets of documents that judges were asked to compare, each time counted.
    pub calls: u64,
    /// Rounds of questions that did not wait for each other, over all topics together.
    pub waves: u64,
    /// Calls without a usable answer of any judge.
    pub unanswered: u64,
    /// Calls that some judges of the panel have answered and some have not, since they failed or their answer cannot be used: what
    /// follows rests on the others' votes. Absent where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial: u64,
    /// Topics with such a call. Absent where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub topics_partial: u64,
    /// Triples of documents of which all three pairs were compared.
    pub triangles: u64,
    /// How many of these are cyclic: a better than b, b better than c, c better than a.
    pub cyclic_triangles: u64,
    /// Cyclic triangles of all triangles, from 0 to 1; null without a triangle.
    pub cyclic_share: Option<f64>,
    /// Topics with a cycle.
    pub topics_cyclic: usize,
    /// The strongly connected components of several documents by their size, smallest first.
    pub components: Vec<ComponentCount>,
    /// How far a graded judge contradicts the tiers; null where none was asked.
    pub anchors: Option<AnchorFigures>,
}

/// How many components have one size. A component is documents that answers hold together: contradictory ones in a cycle, or
/// ties.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComponentCount {
    /// How many documents such a component holds; at least 2.
    pub documents: usize,
    /// How many components of this size there are.
    pub components: u64,
}

/// How far the grades of some members contradict the order of the tiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorFigures {
    /// Documents that the graded judge gave a usable grade.
    pub graded: u64,
    /// Pairs of these in different tiers of one topic.
    pub pairs: u64,
    /// How many of the pairs have the higher grade in the worse tier.
    pub wrong: u64,
    /// `wrong` of `pairs`, from 0 to 1; null without a pair.
    pub wrong_share: Option<f64>,
    /// How far the tiers' mean grades lie from grades that never rise down the tiers, in grades (root mean square,
    /// weighted by documents graded); null without a grade.
    pub distance: Option<f64>,
}

impl From<Contradiction> for AnchorFigures {
    fn from(found: Contradiction) -> Self {
        Self {
            graded: found.graded,
            pairs: found.pairs,
            wrong: found.wrong,
            wrong_share: found.share(),
            distance: found.distance(),
        }
    }
}

/// The tournament of one topic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicTournament {
    /// Whether its tiers are final, as far down as was asked for.
    pub is_final: bool,
    /// Sets of documents that judges were asked to compare, each time counted.
    pub calls: u64,
    /// Waves in which there was a question about this topic.
    pub waves: u64,
    /// Calls without a usable answer of any judge.
    pub unanswered: u64,
    /// Calls that some judges of the panel have answered and some have not: the tiers, final ones too, rest on the others' votes.
    /// Absent where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial: u64,
    /// Triples of documents of which all three pairs were compared.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
    /// The sizes of the strongly connected components of several documents, largest first. Answers hold such documents
    /// together: contradictory ones in a cycle, or ties.
    pub components: Vec<usize>,
    /// How far the graded judge contradicts the tiers; null where none was asked.
    pub anchors: Option<AnchorFigures>,
    /// The tiers, best first. The documents' `tier` counts them from 1.
    pub tiers: Vec<TierDetail>,
}

/// One tier: documents that the comparisons do not tell apart, or not yet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierDetail {
    /// Its documents' identifiers.
    pub documents: Vec<String>,
    /// Whether its place is settled. If not, it is the best guess from what was asked.
    pub is_final: bool,
    /// Whether answers that contradict each other, and not ties alone, hold documents of it together. A final tier is then
    /// one cycle; a provisional one may hold other documents too, whose order is not known.
    pub cyclic: bool,
    /// How much of the votes between its documents and those of other tiers agrees with the order of the tiers, from 0 to
    /// 1; a tie counts half. 0 where there is no such vote; null where the tournament does not say.
    pub support: Option<f64>,
    /// The label of its documents; null where they have none.
    pub grade: Option<i32>,
    /// The fit of an anchored label before it was rounded; null where there is none.
    pub fitted: Option<f64>,
}

impl TopicTournament {
    /// What this outcome says in a report: `id` names an item, `labels` are the items' labels by position, and `found` is
    /// the fit of anchored ones. An outcome does not know how many judges there are, so `partial` is 0.
    pub fn new(
        outcome: &TournamentOutcome,
        id: impl Fn(Item) -> String,
        labels: &[Option<Label>],
        found: Option<&Anchored>,
    ) -> Self {
        let fits = found.into_iter().flat_map(|found| &found.levels);
        let mut fits = fits.flat_map(|level| std::iter::repeat_n(level.fitted, level.tiers));
        let label = |item: &Item| labels.get(item.index()).copied().flatten();
        let tiers = outcome.tiers.iter().map(|tier| TierDetail {
            documents: tier.items.iter().map(|item| id(*item)).collect(),
            is_final: tier.is_final,
            cyclic: tier.cyclic,
            support: finite(tier.support),
            grade: tier.items.first().and_then(label).map(|label| label.grade),
            fitted: fits.next().flatten().and_then(finite),
        });
        Self {
            is_final: outcome.complete,
            calls: outcome.calls,
            waves: outcome.waves,
            unanswered: outcome.unanswered,
            partial: 0,
            triangles: outcome.cycles.triangles,
            cyclic_triangles: outcome.cycles.cyclic,
            components: outcome.cycles.component_sizes.clone(),
            anchors: found.map(|found| found.contradiction.into()),
            tiers: tiers.collect(),
        }
    }

    /// Whether answers run in a circle somewhere, also one that no triangle shows.
    pub fn is_cyclic(&self) -> bool {
        self.tiers.iter().any(|tier| tier.cyclic)
    }
}

impl TournamentTotals {
    /// Adds up the tournaments of all topics. `waves` are the study's: topics share them, so they do not add up.
    /// `anchors` is the sum of the topics' contradictions, `None` where no graded judge was asked.
    ///
    /// ```
    /// use llull_report::{TopicTournament, TournamentTotals};
    ///
    /// let topic = TopicTournament { calls: 3, triangles: 4, cyclic_triangles: 1, components: vec![3], ..Default::default() };
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
            for documents in &topic.components {
                *components.entry(*documents).or_default() += 1;
            }
        }
        totals.components = components
            .into_iter()
            .map(|(documents, components)| ComponentCount { documents, components })
            .collect();
        totals.cyclic_share =
            (totals.triangles > 0).then(|| totals.cyclic_triangles as f64 / totals.triangles as f64);
        totals
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The paradigm of a judge whose report does not name one: the first llull had no other.
pub(crate) fn graded() -> Paradigm {
    Paradigm::Graded
}

pub(crate) fn is_graded(paradigm: &Paradigm) -> bool {
    *paradigm == Paradigm::Graded
}

pub(crate) fn paradigm_schema(_: &mut SchemaGenerator) -> Schema {
    let names = Paradigm::ALL.map(Paradigm::name);
    json_schema!({ "type": "string", "enum": names })
}
