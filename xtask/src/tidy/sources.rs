//! Reads the files to check.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A text file of the repository.
pub(super) struct Source {
    /// Its path from the root, with `/` between the parts.
    pub(super) path: String,
    /// Its content.
    pub(super) text: String,
}

impl Source {
    /// Whether the path ends in `.EXTENSION`.
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }

    /// The file's name without folder and extension.
    pub(super) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.split_once('.').map_or(name, |(stem, _)| stem)
    }
}

/// The root of the repository that the current directory belongs to.
///
/// # Errors
///
/// Returns an error if git does not run, or if this is no repository.
pub(super) fn root() -> Result<String> {
    Ok(git(&["rev-parse", "--show-toplevel"])?.trim_end().to_owned())
}

/// Reads all text files below the current directory that git knows, or would add. Files that are deleted in the working
/// tree, or hold no UTF-8, are left out.
///
/// # Errors
///
/// Returns an error if git does not run.
pub(super) fn read() -> Result<Vec<Source>> {
    let listed = git(&["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let read = |path: &str| {
        let text = String::from_utf8(fs_err::read(path).ok()?).ok()?;
        Some(Source { path: path.to_owned(), text })
    };
    Ok(listed.lines().filter_map(read).collect())
}

fn git(arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").args(arguments).output().context("git does not run")?;
    ensure!(output.status.success(), "git {} failed", arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?)
}
