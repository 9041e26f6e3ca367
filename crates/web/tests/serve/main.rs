//! Tests of `llull serve` over a real socket.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, its set-up too")]

mod attempts;
mod browser;
mod idle;
mod judges;
mod live;
mod pages;
mod people;
mod tournaments;
