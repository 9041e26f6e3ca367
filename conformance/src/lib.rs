//! Reproduces published figures in tests.
//!
//! The data is in `../shared/data` (or the folder in `LLULL_DATA`).
//!
//! The data is not part of the project, so this package is not among the workspace's default members. Run it with
//! `cargo test -p llull-conformance`. A test without its data fails.

pub mod audited;
mod cranfield;
mod files;
pub mod lessons;
mod lined_up;
mod models;
mod pairwise_dl20;
mod pairwise_dl20_ballots;
mod prediction_powered;
pub mod verdicts;

pub use cranfield::cranfield;
pub use files::{data, dl19_runs, dl19_study, open_study, read_to_string};
pub use lined_up::LinedUp;
pub use models::minilm;
pub use pairwise_dl20::pairwise_dl20;
pub use pairwise_dl20_ballots::{PreferredPair, pairwise_dl20_ballots};
pub use prediction_powered::{Beside, Coverage, draw, frame, places};
