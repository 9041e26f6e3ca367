//! The reach of a study outside its folder and its providers' servers.
//!
//! A study may come from a stranger. Its `llull.toml` and `.env` can name any server, which would get the user's key
//! and documents. They can name any file, which would be read and shown to the judges, and any program, which would
//! run. Each of these is an [entry](ReachEntry) of its reach, and is used only if the study's [`Trust`] holds that
//! entry. Settings that the user typed or exported are no part of the reach, and a study in memory has none.

mod live;
mod paths;
mod real_path;
mod servers;
mod trust;
mod untrusted;

pub(crate) use live::{ledger, live, of_live_system};
pub(crate) use paths::paths;
pub use real_path::real_path;
pub(crate) use servers::StudyReach;
pub use trust::Trust;
pub use untrusted::{ReachEntry, ReachKind, Untrusted};
