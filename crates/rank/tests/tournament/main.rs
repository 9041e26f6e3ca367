//! What a tournament promises, whoever judges.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

mod figures;
mod judges;
mod promises;
mod robustness;
