//! Tests `llull serve` and `llull review` over a real socket.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its set-up too")]

mod browser;
mod review;
mod serve;
