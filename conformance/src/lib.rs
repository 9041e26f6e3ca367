//! Which published figures llull reproduces from the data in `../shared/data` (or where `LLULL_DATA` says).
//!
//! The data is not part of the project, so this package is not among the workspace's default members:
//! `cargo test -p llull-conformance`. A test fails when the data is not there; it never passes for want of it.

use std::path::PathBuf;

/// A file or folder of the data.
///
/// # Panics
/// When it is not there: then nothing can be shown.
#[expect(clippy::panic, reason = "there is nothing to test without the data")]
pub fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("LLULL_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"), PathBuf::from);
    let path = root.join(path);
    if !path.exists() {
        panic!("{} is not there; set LLULL_DATA to the folder that holds the data", path.display());
    }
    path
}

/// The 37 runs that dl19 holds, in the order of their names.
///
/// # Panics
/// When the folder cannot be read.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the data")]
pub fn dl19_runs() -> Vec<PathBuf> {
    let mut runs: Vec<PathBuf> =
        data("dl19/runs").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.sort();
    runs
}

/// A text file of the data.
///
/// # Panics
/// When it cannot be read.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the data")]
pub fn read_to_string(path: &str) -> String {
    std::io::read_to_string(std::fs::File::options().read(true).open(data(path)).unwrap()).unwrap()
}
