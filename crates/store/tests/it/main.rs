//! The ledger from outside: what it keeps, what it refuses, what it survives.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod agree;
mod exchange;
mod facts;
mod kill;
mod open;
