//! The tiers on the page, with the votes in their cycles.

use serde::Serialize;

use crate::charts::ring;
use crate::text::figure;
use crate::tournament::{TierDetail, TierVote, TopicTournament};

/// Tiers that are shown, and documents of each that are named.
const TIERS: usize = 20;
const OF_TIER: usize = 12;
/// The most cycles that are drawn for a query.
const DRAWN: usize = 3;

#[derive(Serialize)]
pub(super) struct TierView {
    documents: Vec<String>,
    more: usize,
    grade: Option<i32>,
    cyclic: bool,
    is_final: bool,
    cycle: Option<CycleView>,
}

/// A cycle as a drawing, with its votes as a table.
#[derive(Serialize)]
struct CycleView {
    drawing: String,
    documents: Vec<String>,
    /// How many documents of the cycle are not drawn.
    more: usize,
    rows: Vec<VoteRow>,
}

#[derive(Serialize)]
struct VoteRow {
    better: String,
    worse: String,
    votes: String,
    against: String,
    tied: String,
}

/// Returns the tiers, the number of tiers left out, and the number of cycles that are not drawn.
pub(super) fn tier_views(tournament: &TopicTournament) -> (Vec<TierView>, usize, usize) {
    let mut drawn = 0;
    let shown = tournament.tiers.iter().take(TIERS);
    let tiers: Vec<TierView> = shown
        .map(|tier| {
            let has_room = drawn < DRAWN && !tier.votes.is_empty();
            drawn += usize::from(has_room);
            TierView {
                documents: tier.documents.iter().take(OF_TIER).cloned().collect(),
                more: tier.documents.len().saturating_sub(OF_TIER),
                grade: tier.grade,
                cyclic: tier.cyclic,
                is_final: tier.is_final,
                cycle: has_room.then(|| cycle_view(tier)),
            }
        })
        .collect();
    let cycles = tournament.tiers.iter().filter(|tier| !tier.votes.is_empty()).count();
    (tiers, tournament.tiers.len().saturating_sub(TIERS), cycles - drawn)
}

fn cycle_view(tier: &TierDetail) -> CycleView {
    let of = |vote: &TierVote| (vote.better as usize, vote.worse as usize);
    let documents = tier.votes.iter().map(|vote| vote.better.max(vote.worse) as usize + 1).max().unwrap_or(0);
    let documents = documents.min(tier.documents.len());
    let is_known = |vote: &&TierVote| of(vote).0 < documents && of(vote).1 < documents;
    let leads: Vec<(usize, usize)> =
        tier.votes.iter().filter(is_known).filter(|vote| vote.decides()).map(of).collect();
    let name = |at: u32| {
        let id = tier.documents.get(at as usize).map_or("", String::as_str);
        format!("{}: {id}", at.saturating_add(1))
    };
    let row = |vote: &TierVote| VoteRow {
        better: name(vote.better),
        worse: name(vote.worse),
        votes: weight(vote.votes),
        against: weight(vote.against),
        tied: weight(vote.tied),
    };
    CycleView {
        drawing: ring("Which document is put before which", documents, &leads),
        documents: tier.documents.iter().take(documents).cloned().collect(),
        more: tier.documents.len() - documents,
        rows: against_first(&tier.votes).map(row).collect(),
    }
}

/// The votes, with those against the ratings first: they close the cycle.
fn against_first(votes: &[TierVote]) -> impl Iterator<Item = &TierVote> {
    let against = |vote: &&TierVote| vote.decides() && vote.better > vote.worse;
    votes.iter().filter(against).chain(votes.iter().filter(move |vote| !against(vote)))
}

/// A weight of votes: a number of votes where each counts one.
fn weight(votes: f64) -> String {
    if votes.fract() == 0.0 { format!("{votes:.0}") } else { figure(votes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle_of(documents: usize) -> TierDetail {
        let ring = |at: usize| (at as u32, ((at + 1) % documents) as u32);
        let vote = |(better, worse)| TierVote { better, worse, votes: 2.0, against: 0.5, tied: 0.0 };
        TierDetail {
            documents: (0..documents).map(|at| format!("d{at}")).collect(),
            cyclic: true,
            votes: (0..documents).map(ring).map(vote).collect(),
            ..TierDetail::default()
        }
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let tiers: Vec<TierDetail> = (0..22).map(|_| cycle_of(3)).collect();
        let (views, tiers_left, cycles_left) =
            tier_views(&TopicTournament { tiers, ..TopicTournament::default() });
        assert_eq!((views.len(), tiers_left, cycles_left), (20, 2, 19));
        assert_eq!(views.iter().filter(|view| view.cycle.is_some()).count(), 3);
        let cycle = views[0].cycle.as_ref().unwrap();
        assert!(cycle.drawing.contains("3 before 1"), "{}", cycle.drawing);
        let row = &cycle.rows[0];
        assert_eq!(
            (&*row.better, &*row.worse, &*row.votes, &*row.against),
            ("3: d2", "1: d0", "2", "0.5000")
        );
    }

    /// A report that was read from a file may name documents that its tier does not have.
    #[test]
    fn a_vote_on_no_document_draws_nothing() {
        let mut tier = cycle_of(3);
        tier.votes.push(TierVote { better: u32::MAX, worse: 7, votes: 1.0, against: 0.0, tied: 0.0 });
        let tournament = TopicTournament { tiers: vec![tier], ..TopicTournament::default() };
        let (views, ..) = tier_views(&tournament);
        assert_eq!(views[0].cycle.as_ref().unwrap().drawing.matches("<polygon").count(), 3);
    }
}
