//! The properties of a tournament that hold for any judge.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

mod baselines;
mod cyclic_panel;
mod exhaustive;
mod figures;
mod judges;
mod leaders;
mod noise;
mod promises;
mod robustness;
