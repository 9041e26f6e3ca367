//! Addresses of the servers.

#![allow(clippy::panic, reason = "a test without its server fails")]

/// Returns the address of a server, from the variable that `scripts/servers` sets.
///
/// # Panics
/// Panics if it is not set: no test is skipped.
pub fn address(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set: run scripts/servers run cargo test --package llull-live")
    })
}
