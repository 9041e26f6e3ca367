//! What a tournament promises, whoever judges.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

mod baselines;
mod exhaustive;
mod figures;
mod judges;
mod noise;
mod promises;
mod robustness;
