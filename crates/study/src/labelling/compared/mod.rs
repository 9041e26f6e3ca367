//! A panel that compares: its votes, and how they count. Pure functions of what each judge said.

mod counted;
mod panel_votes;

pub use counted::VoteWeights;
pub(crate) use panel_votes::IN_CIRCLE;
pub use panel_votes::PanelVotes;
