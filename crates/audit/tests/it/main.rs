//! What checks find of simulated judges.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod findings;
mod peoples_comparisons;
mod simulated_judges;
