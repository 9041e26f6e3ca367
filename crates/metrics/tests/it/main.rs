//! Measures against other implementations, their definitions, and their laws.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod definitions;
mod diversity;
mod golden;
mod lists;
mod lowest_grade;
mod names;
mod preferences;
mod properties;
mod ranx;
mod trec_eval;
mod unjudged;
