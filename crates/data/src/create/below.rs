//! Creates a program's own files below an untrusted folder.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;

use super::output::Output;
use crate::DataError;

/// Creates a file below a folder, compressed if its name ends in `.gz` or `.zst`; folders on the way are made.
///
/// Every file whose name the user did not type is written like this. Nothing below the folder is reached through a
/// symbolic link, which could lead anywhere: not the file, and no folder on the way. An existing file is never opened.
/// [`Output::finish`] puts a new file in its place, so a reader sees the old one or the new one, and another name of
/// the old one (a hard link) still has the old content.
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let mut file = llull_data::create_below(folder.path(), "made/by/me.txt")?;
/// file.write_all(b"all of it")?;
/// file.finish()?;
/// assert_eq!(std::fs::read(folder.path().join("made/by/me.txt"))?, b"all of it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a part of the path is a symbolic link or leads upwards, if something is there that is no regular
/// file, or if the file cannot be created.
pub fn create_below(folder: impl AsRef<Path>, file: impl AsRef<Path>) -> Result<Output, DataError> {
    created(folder.as_ref(), file.as_ref(), false)
}

/// Does what [`create_below`] does, with a file that only its owner may read.
///
/// # Errors
/// Returns the errors of [`create_below`].
pub fn create_private_below(folder: impl AsRef<Path>, file: impl AsRef<Path>) -> Result<Output, DataError> {
    created(folder.as_ref(), file.as_ref(), true)
}

fn created(folder: &Path, file: &Path, private: bool) -> Result<Output, DataError> {
    let target = own_file_below(folder, file)?;
    if let Some(parent) = file.parent() {
        folder_below(folder, parent)?;
    }
    Output::replacing(target, private)
}

/// Returns the path of a program's own file below a folder, to read it: a regular file that no symbolic link leads to,
/// or a path without a file yet.
///
/// # Errors
/// Returns an error if a part of the path is a symbolic link or leads upwards, or if the path exists and is not a
/// regular file.
pub fn own_file_below(folder: impl AsRef<Path>, file: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    let path = without_links(folder.as_ref(), file.as_ref())?;
    match fs::symlink_metadata(&path) {
        Ok(found) if !found.is_file() => Err(DataError::Problem(format!(
            "{path} is no regular file, and llull writes one there; move it away",
            path = path.display()
        ))),
        _ => Ok(path),
    }
}

/// Makes a folder below a folder, if it is not there yet, and returns its path.
///
/// # Errors
/// Returns an error if a part of the path is a symbolic link or leads upwards, or the folder cannot be made.
pub fn folder_below(folder: impl AsRef<Path>, inner: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    let path = without_links(folder.as_ref(), inner.as_ref())?;
    fs::create_dir_all(&path).map_err(DataError::File)?;
    Ok(path)
}

/// Joins both paths, and follows the second one from folder to folder.
fn without_links(folder: &Path, inner: &Path) -> Result<PathBuf, DataError> {
    let mut path = if folder == Path::new(".") { PathBuf::new() } else { folder.to_owned() };
    for component in inner.components() {
        let Component::Normal(name) = component else {
            return Err(DataError::LeadsOut { path: inner.display().to_string() });
        };
        path.push(name);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_symlink()) {
            return Err(DataError::Link { path: path.display().to_string() });
        }
    }
    Ok(path)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn write(folder: &Path, file: &str) -> Result<(), DataError> {
        let mut output = create_below(folder, file)?;
        output.write_all(b"new").unwrap();
        output.finish()
    }

    #[test]
    fn a_file_behind_a_link_keeps_what_it_has() {
        let (folder, victim) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let target = victim.path().join("bashrc");
        fs::write(&target, "mine").unwrap();
        symlink(&target, folder.path().join("report.md")).unwrap();
        symlink(victim.path().join("not there yet"), folder.path().join("dangling.md")).unwrap();
        symlink(victim.path(), folder.path().join("way")).unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        symlink(victim.path(), folder.path().join("deep/way")).unwrap();
        for file in ["report.md", "dangling.md", "way/bashrc", "deep/way/bashrc", "deep/way/new/file"] {
            let error = write(folder.path(), file).unwrap_err();
            assert!(matches!(error, DataError::Link { .. }), "{file}: {error}");
            assert!(error.to_string().contains("is a symbolic link"), "{file}: {error}");
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        assert_eq!(fs::read_dir(victim.path()).unwrap().count(), 1, "nothing is made behind a link");
    }

    #[test]
    fn another_name_of_the_old_file_keeps_what_it_had() {
        let folder = tempfile::tempdir().unwrap();
        let (mine, report) = (folder.path().join("mine"), folder.path().join("report.md"));
        fs::write(&mine, "mine").unwrap();
        fs::hard_link(&mine, &report).unwrap();
        write(folder.path(), "report.md").unwrap();
        assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
        assert_eq!(fs::read_to_string(report).unwrap(), "new");
    }

    #[test]
    fn a_path_that_leads_out_and_what_is_no_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("taken")).unwrap();
        let error = write(folder.path(), "taken").unwrap_err();
        assert!(error.to_string().contains("is no regular file"), "{error}");
        for path in ["../out", "/out", "a/../../out"] {
            let error = write(folder.path(), path).unwrap_err();
            assert!(matches!(error, DataError::LeadsOut { .. }), "{path}: {error}");
        }
    }

    #[test]
    fn a_private_file_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        create_private_below(folder.path(), "trust.toml").unwrap().finish().unwrap();
        let mode = fs::metadata(folder.path().join("trust.toml")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
