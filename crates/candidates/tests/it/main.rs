//! Retrievers behind servers, and the versions of results.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod remote;
mod stores;
mod versions;
