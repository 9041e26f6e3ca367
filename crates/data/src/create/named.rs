//! Creating a file that a user names.

use std::path::Path;

use fs_err as fs;

use super::output::Output;
use crate::DataError;

/// Creates the file that a user names, compressed if its name ends in `.gz` or `.zst`.
///
/// Everything is written to a temporary file in the same folder, and [`Output::finish`] puts it in place, so a reader
/// sees the old file or the new one, never a part. Without `finish` nothing changes. A path that exists and is not a
/// regular file (a pipe, a terminal) is written directly. A symbolic link is followed: a user who types its name wants
/// its target. A program's own files are made by [`create_below`](super::create_below), which follows none.
///
/// # Errors
/// Returns an error if the file cannot be created.
pub fn create(path: impl AsRef<Path>) -> Result<Output, DataError> {
    let path = path.as_ref();
    // A symbolic link stays a link: its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        return Output::direct(target);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        return Err(DataError::Problem(format!(
            "cannot write {file}: there is no folder {folder}. Create it, or name another file",
            file = path.display(),
            folder = folder.display()
        )));
    }
    Output::replacing(target, false)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use crate::open::open;

    fn read_all(path: &Path) -> String {
        let mut text = String::new();
        open(path).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_written_is_read_back_whatever_the_compression() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "a.gz", "a.zst"] {
            let path = folder.path().join(name);
            let mut file = create(&path).unwrap();
            file.write_all("one\ntwo\n".as_bytes()).unwrap();
            assert!(!path.exists(), "{name} must not appear before it is complete");
            file.finish().unwrap();
            assert_eq!(read_all(&path), "one\ntwo\n");
            // The first bytes decide, not the name.
            let renamed = folder.path().join(format!("{name}.other"));
            fs::rename(&path, &renamed).unwrap();
            assert_eq!(read_all(&renamed), "one\ntwo\n");
        }
    }

    #[test]
    fn a_missing_folder_is_named_without_the_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/a.txt");
        let error = create(&path).map(drop).unwrap_err().to_string();
        let missing = folder.path().join("missing");
        assert_eq!(
            error,
            format!(
                "cannot write {}: there is no folder {}. Create it, or name another file",
                path.display(),
                missing.display()
            )
        );
    }

    #[test]
    fn an_unfinished_file_leaves_the_old_one_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(read_all(&path), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
