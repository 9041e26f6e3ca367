//! Tests that llull retrieves from real servers.
//!
//! `scripts/servers` starts them on this machine.
//!
//! The servers are not part of the project, so this package is not among the workspace's default members. Run it with
//! `scripts/servers run cargo test --package llull-live`. A test without its server fails.

mod addresses;
mod asked_study;
mod client;
mod database;

pub use addresses::address;
pub use asked_study::AskedStudy;
pub use client::reply;
pub use database::Database;
