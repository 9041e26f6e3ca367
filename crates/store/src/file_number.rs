//! The number of a file, independent of its name.

use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileNumber(u64, u64);

impl FileNumber {
    /// Returns the number of the file at a path; `None` without a file.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs_err::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }

    /// Elsewhere an open file cannot be deleted, so every existing file is the same.
    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.exists().then_some(Self(0, 0))
    }
}
