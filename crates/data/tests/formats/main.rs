//! Tests every file format, and the errors for invalid files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ballots;
mod corpus;
mod judges;
mod levels;
mod limits;
mod odd;
#[cfg(feature = "parquet")]
mod parquet;
mod prefs;
mod properties;
mod qrels;
mod run;
mod tables;
mod topics;
mod wild;
mod zscores;

use std::path::PathBuf;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The message without the folder that the fixtures lie in.
fn message(error: impl std::fmt::Display) -> String {
    error.to_string().replace(&format!("{}/", fixture("").display()).replace("//", "/"), "")
}

/// A file with this content in a folder of its own.
fn file(content: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.txt");
    fs_err::write(&path, content).unwrap();
    (folder, path)
}

/// The error for a file with this content, from its name on.
fn complaint<T>(read: impl Fn(PathBuf) -> Result<T, llull_data::DataError>, content: &str) -> String {
    let (_folder, path) = file(content);
    let message = read(path).err().unwrap().to_string();
    message.split_once("file.txt ").unwrap().1.to_owned()
}
