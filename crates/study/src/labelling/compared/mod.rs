//! A panel that compares: its votes and their weights.
//!
//! All are pure functions of the judges' answers.

mod counted;
mod panel_votes;

pub use counted::VoteWeights;
pub(crate) use panel_votes::IN_CYCLE;
pub use panel_votes::PanelVotes;
