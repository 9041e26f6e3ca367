//! What a tournament promises, whoever judges.

// clippy.toml allows these in test functions; here whole modules are tests
#![allow(clippy::unwrap_used, clippy::panic)]

mod figures;
mod judges;
mod promises;
mod robustness;
