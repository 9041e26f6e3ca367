//! Loads models on this machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use llull::encoder::MiniLm;

/// Returns MiniLM from the folder in `LLULL_MODELS`, by default `target/models`, where `scripts/minilm` puts it.
///
/// # Panics
/// Panics if it is not there.
pub fn minilm() -> MiniLm {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/models");
    let models = std::env::var_os("LLULL_MODELS").map_or(target, PathBuf::from);
    MiniLm::load(&models.join("minilm")).unwrap_or_else(|error| panic!("{error}"))
}
