//! Reads and writes `trust.toml` in the user's configuration directory.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use llull::data::create_private_below;
use llull::reach::real_path;
use serde::{Deserialize, Serialize};

use crate::environment::exported;

/// The file, below the user's configuration directory.
const FILE: &str = "llull/trust.toml";

/// The version of the format.
const VERSION: u32 = 1;

/// The whole file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustFile {
    version: u32,
    /// Entries for every study. Only the user writes these.
    #[serde(default)]
    trusted: Vec<String>,
    #[serde(default, rename = "study")]
    studies: Vec<TrustedStudy>,
}

/// The entries that one study is trusted with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustedStudy {
    folder: String,
    trusted: Vec<String>,
}

/// The entries that the user trusts this study with.
///
/// # Errors
///
/// Returns an error if the file is there and cannot be read.
pub fn remembered(study: &Path) -> Result<Vec<String>> {
    let Some(directory) = directory() else { return Ok(Vec::new()) };
    let (file, folder) = (read(&directory)?, name(study));
    let own = file.studies.into_iter().filter(|known| known.folder == folder);
    Ok(file.trusted.into_iter().chain(own.flat_map(|known| known.trusted)).collect())
}

/// Adds entries to those that the user trusts this study with.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written, or there is no such directory.
pub(crate) fn remember(study: &Path, entries: &[String]) -> Result<()> {
    let directory =
        directory().context("neither XDG_CONFIG_HOME nor HOME is set, so no answer is remembered")?;
    let (mut file, folder) = (read(&directory)?, name(study));
    let place = match file.studies.iter().position(|known| known.folder == folder) {
        Some(place) => place,
        None => {
            file.studies.push(TrustedStudy { folder, trusted: Vec::new() });
            file.studies.len() - 1
        }
    };
    let Some(known) = file.studies.get_mut(place) else { return Ok(()) };
    let new: Vec<String> = entries.iter().filter(|entry| !known.trusted.contains(entry)).cloned().collect();
    if new.is_empty() {
        return Ok(());
    }
    known.trusted.extend(new);
    let text = toml::to_string(&TrustFile { version: VERSION, ..file })?;
    let mut output = create_private_below(&directory, FILE)?;
    write!(
        output,
        "# What llull's studies may use outside their folders; `trusted` before any study is for all.\n{text}"
    )?;
    Ok(output.finish()?)
}

fn read(directory: &Path) -> Result<TrustFile> {
    let path = directory.join(FILE);
    let text = match fs_err::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(TrustFile::default()),
        Err(error) => return Err(error.into()),
    };
    let file: TrustFile = toml::from_str(&text).with_context(|| path.display().to_string())?;
    if file.version != VERSION {
        bail!("{}: version {} is not one that this llull reads ({VERSION})", path.display(), file.version);
    }
    Ok(file)
}

/// The user's configuration directory, which no study's file names.
fn directory() -> Option<PathBuf> {
    let stated = exported("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    stated.or_else(|| Some(PathBuf::from(exported("HOME")?).join(".config")))
}

/// A study is known by its real folder.
fn name(study: &Path) -> String {
    real_path(study).display().to_string()
}
