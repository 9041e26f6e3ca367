//! Requests and answers over real connections.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod over_tcp;
mod tls;
