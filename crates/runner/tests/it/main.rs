//! Runs from outside: what is asked, what is recorded, what is paid.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod interrupt;
mod judges;
mod kill;
mod limits;
mod provider;
mod reuse;
mod stage;
