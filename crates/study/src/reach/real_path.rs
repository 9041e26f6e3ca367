//! Resolves the real target of a path.

use std::path::{Path, PathBuf};

/// Returns a path without links, `.` and `..`; the existing part of it if it does not exist yet.
pub fn real_path(path: &Path) -> PathBuf {
    let (mut there, mut rest) = (path, Vec::new());
    loop {
        let tried = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        if let Ok(real) = fs_err::canonicalize(tried) {
            return rest.into_iter().rev().fold(real, |path, name| path.join(name));
        }
        match (there.file_name(), there.parent()) {
            (Some(name), Some(parent)) => {
                rest.push(name);
                there = parent;
            }
            _ => return path.to_owned(),
        }
    }
}
