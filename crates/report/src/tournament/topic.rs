//! The tournament of one query.

use llull_core::{Item, Label};
use llull_label::{Anchored, Contradiction};
use llull_rank::{PairsAtDistance, TournamentOutcome, VotesBetween};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::panel::PanelTriangles;
use crate::charts::columns_chart;
use crate::json_number::finite;
use crate::text::{count, percent};

/// The tournament of one query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicTournament {
    /// Whether its tiers are final, as far down as requested.
    pub is_final: bool,
    /// Sets of documents that judges had to compare, repetitions included.
    pub calls: u64,
    /// Waves in which there was a question about this query.
    pub waves: u64,
    /// Calls without a usable answer of any judge.
    pub unanswered: u64,
    /// Calls with answers of some judges of the panel, but not of all: the tiers, final ones too, depend on the
    /// others' votes. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial: u64,
    /// Triples of documents of which all three pairs were compared.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
    /// The sizes of its cycles, largest first: the strongly connected components of several documents. In each,
    /// documents were put before each other in a cycle. Ties make none.
    pub components: Vec<usize>,
    /// Answers against the final order, by the distance of the two documents in it. Absent if no pair was compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_distance: Vec<DistanceCount>,
    /// The cyclic triples of each judge of a panel and of their majority; absent for a single judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelTriangles>,
    /// Whether the tiers are credible ones: answers contradict each other, and a tier ends before a document that is
    /// worse than its first with a probability above 0.8. Otherwise documents that form a cycle share a tier.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub credible: bool,
    /// The spread of the documents' scores in units of the judge's noise, by its own contradictions: 8 at most, for a
    /// judge that hardly contradicts itself. Absent if questions show two documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Contradictions between the graded judge and the tiers; null without a graded judge.
    pub anchors: Option<AnchorFigures>,
    /// The tiers, best first. The documents' `tier` counts them from 1.
    pub tiers: Vec<TierDetail>,
}

/// One tier: documents that the comparisons do not tell apart, or not yet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierDetail {
    /// Its documents' identifiers.
    pub documents: Vec<String>,
    /// Whether its place is final. If not, it is the best guess from the answers so far.
    pub is_final: bool,
    /// Whether its documents form a cycle.
    pub cyclic: bool,
    /// Whether contradictions, and not only ties, hold its documents together. A contradiction is a cycle, a pair with
    /// equal votes for both sides, or a document put before another that ties lead back to.
    #[serde(default)]
    pub contradictory: bool,
    /// How much of the votes between its documents and those of other tiers agrees with the order of the tiers,
    /// from 0 to 1; a tie counts half. Null if there is no such vote.
    pub support: Option<f64>,
    /// The label of its documents; null if they have none.
    pub grade: Option<i32>,
    /// The fit of an anchored label before rounding; null without a label.
    pub fitted: Option<f64>,
    /// The votes on pairs of its first 12 documents, if they form a cycle; absent otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<TierVote>,
}

/// The votes on two documents of a tier; weights of judges count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierVote {
    /// The document that leads, by its place among the tier's documents, from 0; either, if votes cancel out.
    pub better: u32,
    /// The other.
    pub worse: u32,
    /// Votes that put `better` first.
    pub votes: f64,
    /// Votes that put `worse` first.
    pub against: f64,
    /// Votes that found them equal.
    pub tied: f64,
}

impl TierVote {
    /// Whether one document leads the other.
    pub fn decides(&self) -> bool {
        self.votes > self.against
    }
}

impl TopicTournament {
    /// The same with the votes inside its cycles. Votes on documents of different tiers are left out: other answers
    /// have settled them.
    #[must_use]
    pub fn with_votes(mut self, outcome: &TournamentOutcome, votes: &[VotesBetween]) -> Self {
        for (tier, detail) in outcome.tiers.iter().zip(&mut self.tiers).filter(|(tier, _)| tier.cyclic) {
            let place = |item: Item| tier.items.iter().position(|own| *own == item).map(|at| at as u32);
            let vote = |found: &VotesBetween| {
                let (better, worse) = (place(found.better)?, place(found.worse)?);
                let VotesBetween { votes, against, tied, .. } = *found;
                Some(TierVote { better, worse, votes, against, tied })
            };
            detail.votes = votes.iter().filter_map(vote).collect();
        }
        self
    }

    /// The section of this outcome: `id` names an item, `labels` are the items' labels by position, and `found` is the
    /// fit of anchored ones. An outcome has no number of judges, so `partial` is 0 and `panel` is `None`.
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
            contradictory: tier.contradictory,
            support: tier.support.and_then(finite),
            grade: tier.items.first().and_then(label).map(|label| label.grade),
            fitted: fits.next().flatten().and_then(finite),
            votes: Vec::new(),
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
            by_distance: outcome.by_distance.iter().map(DistanceCount::from).collect(),
            panel: None,
            credible: outcome.credible,
            spread: outcome.spread.and_then(finite),
            anchors: found.map(|found| found.contradiction.into()),
            tiers: tiers.collect(),
        }
    }

    /// Whether answers form a cycle somewhere, even one without a cyclic triangle.
    pub fn is_cyclic(&self) -> bool {
        self.tiers.iter().any(|tier| tier.cyclic)
    }

    /// Whether answers contradict each other somewhere, in a cycle or not.
    pub fn is_contradictory(&self) -> bool {
        self.tiers.iter().any(|tier| tier.cyclic || tier.contradictory)
    }
}

pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Compared pairs of documents whose places in the final order are about as far apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DistanceCount {
    /// The least distance: 1 for neighbours, then 2, 4, 8 and so on, each up to the next.
    pub distance: usize,
    /// The pairs that an answer compared.
    pub pairs: u64,
    /// Those of which an answer had the other document ahead.
    pub contradictory: u64,
}

impl From<&PairsAtDistance> for DistanceCount {
    fn from(found: &PairsAtDistance) -> Self {
        let PairsAtDistance { distance, pairs, contradictory } = *found;
        Self { distance, pairs, contradictory }
    }
}

impl DistanceCount {
    /// Adds counts to others, distance by distance.
    pub(super) fn add(sums: &mut Vec<Self>, counts: &[Self]) {
        for found in counts {
            match sums.iter_mut().find(|sum| sum.distance == found.distance) {
                Some(sum) => {
                    sum.pairs += found.pairs;
                    sum.contradictory += found.contradictory;
                }
                None => sums.push(*found),
            }
        }
        sums.sort_by_key(|sum| sum.distance);
    }

    fn share(self) -> f64 {
        self.contradictory as f64 / self.pairs as f64
    }

    fn name(self) -> String {
        match self.distance {
            1 => "1 place apart".to_owned(),
            least => format!("{least} to {} places apart", 2 * least - 1),
        }
    }
}

/// Describes how contradictions fall with the distance; `None` without a contradiction.
pub(crate) fn distance_sentence(counts: &[DistanceCount]) -> Option<String> {
    counts.iter().find(|found| found.contradictory > 0)?;
    let (first, last) = (counts.first()?, counts.last()?);
    let of = |found: &DistanceCount| {
        format!("{} of {} pairs {}", percent(found.share()), count(found.pairs), found.name())
    };
    Some(format!(
        "Answers against the final order, by its distance: {}{}.",
        of(first),
        if first.distance == last.distance { String::new() } else { format!(", {}", of(last)) }
    ))
}

/// Draws the share of contradictory pairs at each distance; `None` without a contradiction.
pub(crate) fn distance_chart(counts: &[DistanceCount]) -> Option<String> {
    counts.iter().find(|found| found.contradictory > 0)?;
    let shares: Vec<(String, f64)> = counts.iter().map(|found| (found.name(), found.share())).collect();
    Some(columns_chart("Contradictory pairs by distance in the final order", &shares, percent))
}

/// How far the grades of some members contradict the order of the tiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorFigures {
    /// Documents that the graded judge gave a usable grade.
    pub graded: u64,
    /// Pairs of these in different tiers of one query.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(distance: usize, pairs: u64, contradictory: u64) -> DistanceCount {
        DistanceCount { distance, pairs, contradictory }
    }

    #[test]
    fn counts_of_queries_are_added_up_and_described() {
        let mut sums = Vec::new();
        DistanceCount::add(&mut sums, &[at(1, 30, 6), at(4, 10, 0)]);
        DistanceCount::add(&mut sums, &[at(1, 10, 4), at(2, 7, 1), at(4, 10, 1)]);
        assert_eq!(sums, [at(1, 40, 10), at(2, 7, 1), at(4, 20, 1)]);
        assert_eq!(
            distance_sentence(&sums).unwrap(),
            "Answers against the final order, by its distance: 25.0% of 40 pairs 1 place apart, 5.0% of 20 pairs 4 to \
             7 places apart."
        );
        assert_eq!(distance_chart(&sums).unwrap().matches("<rect").count(), 3);
        assert_eq!((distance_sentence(&[at(1, 5, 0)]), distance_chart(&[])), (None, None));
    }
}
