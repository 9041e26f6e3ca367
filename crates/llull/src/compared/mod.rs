//! A panel that compares: its votes, and how they count. Pure functions of what each judge said.

mod counted;
mod panel_votes;

pub use counted::CountedVotes;
pub use panel_votes::PanelVotes;
