//! Labels of tiers, fitted and by scheme.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod anchored;
mod order_schemes;
