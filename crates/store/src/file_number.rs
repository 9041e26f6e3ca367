//! The number by which a file system knows a file, whatever its name.

use std::path::Path;

/// The number of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileNumber(u64, u64);

impl FileNumber {
    /// Returns the number of the file at a path; `None` if there is none.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs_err::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }

    /// Elsewhere a file that is open cannot be deleted, so every file that is there is the same.
    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.exists().then_some(Self(0, 0))
    }
}
