//! Tests of the ledger's public interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod agree;
mod damage;
mod exchange;
mod facts;
mod kill;
mod loss;
mod open;
#[cfg(unix)]
mod strangers;
