//! Statistics against other implementations, and their laws.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod bootstrap;
mod gate;
mod preferences;
