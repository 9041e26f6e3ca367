//! The state of a tournament, as the choice of questions sees it.

use super::components::Condensation;
use super::history::History;
use super::options::TournamentOptions;
use super::prior_order::PriorOrder;
use super::reach::Reach;
use super::votes::Votes;
use llull_core::Ballot;

/// Everything that the choice of questions depends on.
pub(crate) struct Position<'a> {
    pub(crate) options: &'a TournamentOptions,
    pub(crate) votes: &'a Votes,
    /// The valid ballots, in an order that does not depend on their arrival.
    pub(crate) ballots: &'a [Ballot],
    pub(crate) reach: &'a Reach,
    pub(crate) condensation: &'a Condensation,
    pub(crate) history: &'a History,
    /// `None` if the numbers of the items have no relation to their worth.
    pub(crate) prior: Option<&'a PriorOrder>,
}
