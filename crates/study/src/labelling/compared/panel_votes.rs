//! A panel's votes on one query's documents, which can be recounted.

use llull_core::Ballot;
use llull_rank::{
    PanelCycles, PanelPair, Tournament, TournamentOutcome, VotesBetween, panel_cycles, panel_pairs,
};

/// The number of documents of a cycle whose votes are saved, the best rated first.
pub(crate) const IN_CYCLE: usize = 12;

/// The results of the same questions under other weights.
pub(crate) struct Recounted {
    pub(crate) outcome: TournamentOutcome,
    /// The number of pairs on which the votes cancel out.
    pub(crate) split: usize,
    /// The votes inside the cycles.
    pub(crate) votes: Vec<VotesBetween>,
}

/// A panel's votes on one query's documents.
#[derive(Debug, Clone)]
pub struct PanelVotes {
    tournament: Tournament,
    judges: usize,
    /// Each judge's own votes, with equal weights.
    ballots: Vec<Ballot>,
    cycles: PanelCycles,
}

impl PanelVotes {
    /// Creates the votes of a panel of `judges` judges, which are the answers to a tournament's questions.
    pub(crate) fn new(tournament: Tournament, judges: usize, ballots: Vec<Ballot>) -> Self {
        let cycles = panel_cycles(tournament.items(), judges, &ballots);
        Self { tournament, judges, ballots, cycles }
    }

    /// Returns the contradictions of each judge and of their majority.
    pub fn cycles(&self) -> &PanelCycles {
        &self.cycles
    }

    /// Returns each judge's choice for each pair of documents.
    pub fn pairs(&self) -> Vec<PanelPair> {
        panel_pairs(self.tournament.items(), self.judges, &self.ballots)
    }

    /// Returns the number of documents and the votes on them.
    pub(super) fn ballots(&self) -> (usize, &[Ballot]) {
        (self.tournament.items(), &self.ballots)
    }

    /// Returns the results of the same questions under these weights of judges' votes; 0 leaves a judge out.
    pub(crate) fn recount(&self, weights: &[f64]) -> Recounted {
        let weight = |ballot: &Ballot| weights.get(ballot.judge as usize).copied().unwrap_or(0.0);
        let counted: Vec<Ballot> = self
            .ballots
            .iter()
            .map(|ballot| Ballot { weight: ballot.weight * weight(ballot), ..ballot.clone() })
            .collect();
        let recast = self.tournament.recast(&counted);
        let outcome = recast.outcome();
        let votes = recast.votes_in_cycles(&outcome, IN_CYCLE);
        Recounted { outcome, split: recast.split_pairs(), votes }
    }
}
