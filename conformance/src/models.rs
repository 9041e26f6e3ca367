//! Models on this machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use llull::encoder::{LocalModel, MiniLm, Splade};

/// Returns MiniLM from the folder in `LLULL_MODELS`, by default `target/models`, where `scripts/minilm` puts it.
///
/// # Panics
/// Panics if it is not there.
pub fn minilm() -> MiniLm {
    MiniLm::load(&folder(LocalModel::MiniLm)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns SPLADE-tiny from the same folder, where `scripts/splade` puts it.
///
/// # Panics
/// Panics if it is not there.
pub fn splade() -> Splade {
    Splade::load(&folder(LocalModel::Splade)).unwrap_or_else(|error| panic!("{error}"))
}

fn folder(model: LocalModel) -> PathBuf {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/models");
    std::env::var_os("LLULL_MODELS").map_or(target, PathBuf::from).join(model.name())
}
