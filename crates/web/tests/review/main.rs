//! Tests reviews in a browser, over a real socket.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its set-up too")]

mod answers;
mod beside_a_run;
mod blind;
mod browser;
mod checks;
mod expected;
mod pairs;
mod safe;
mod settled;
mod study;
mod turns;
