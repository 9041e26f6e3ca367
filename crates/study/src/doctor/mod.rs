//! `llull doctor`: finds problems before any cost.
//!
//! Each file checks one part of a study.

mod examine;
mod findings;
mod inputs;
mod judges;
mod models;
mod own_judge;
mod reranker;
mod servers;

pub(crate) use examine::{Checked, examine};
pub use findings::{DoctorFinding, Severity};
pub(crate) use own_judge::TestedJudge;
pub use servers::reach_findings;
