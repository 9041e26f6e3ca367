//! Makes pictures of the demo's pages, by Chromium.
//!
//! `browser/README.md` lists its requirements.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// Makes the pictures of README and docs.
pub(crate) fn run() -> Result<Vec<String>> {
    take(&root().join("docs/pictures"), &[])
}

/// Makes pictures of whole pages in every width, in light and dark, to look at.
pub(crate) fn every_look(folder: &str) -> Result<Vec<String>> {
    take(&std::path::absolute(folder)?, &["--every-look"])
}

fn take(folder: &Path, options: &[&str]) -> Result<Vec<String>> {
    let browser = root().join("browser");
    let script = browser.join("screenshots.mjs");
    let status = Command::new(browser.join("run"))
        .args(["--only", "node"])
        .arg(script)
        .arg(folder)
        .args(options)
        .status()?;
    if !status.success() {
        bail!("browser/run failed: {status}");
    }
    Ok(Vec::new())
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
