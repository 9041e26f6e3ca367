//! Which published figures llull reproduces from the data in `../shared/data` (or where `LLULL_DATA` says).
//!
//! The data is not part of the project, so this package is not among the workspace's default members:
//! `cargo test -p llull-conformance`. A test fails when the data is not there; it never passes for want of it.

mod files;

pub use files::{data, dl19_runs, dl19_study, read_to_string};
