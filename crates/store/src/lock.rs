//! The lock of a ledger. Two runs at the same time would pay twice for the same judgments.

use std::{
    fs::{File, TryLockError},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use crate::StoreError;

/// An exclusive lock on running judges into a ledger. It is released on drop, and by the operating system if the
/// process dies.
#[derive(Debug)]
pub struct LedgerLock {
    file: File,
}

impl LedgerLock {
    /// Locks a ledger through the file `<ledger>.lock` next to it, which is not removed later.
    ///
    /// # Errors
    /// Returns [`StoreError::InUse`] if another process holds the lock, and [`StoreError::File`] if the lock file
    /// cannot be used.
    pub fn acquire(ledger: &Path) -> Result<Self, StoreError> {
        let path = lock_path(ledger);
        let mut options = fs_err::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let (mut file, _) = options.open(&path).map_err(StoreError::File)?.into_parts();
        match file.try_lock() {
            Ok(()) => {
                // The process number is for another process's error message; the lock does not depend on it.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                Ok(Self { file })
            }
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let _ = file.read_to_string(&mut pid);
                Err(StoreError::InUse { path: ledger.to_owned(), pid: pid.trim().parse().ok() })
            }
            Err(TryLockError::Error(error)) => Err(StoreError::File(std::io::Error::new(
                error.kind(),
                format!("{} cannot be locked: {error}; put the ledger on a local disk", path.display()),
            ))),
        }
    }
}

impl Drop for LedgerLock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn lock_path(ledger: &Path) -> PathBuf {
    let mut path = ledger.as_os_str().to_owned();
    path.push(".lock");
    PathBuf::from(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        let first = LedgerLock::acquire(&ledger).unwrap();
        match LedgerLock::acquire(&ledger) {
            Err(error @ StoreError::InUse { .. }) => {
                assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
            }
            other => panic!("{other:?}"),
        }
        drop(first);
        LedgerLock::acquire(&ledger).unwrap();
    }

    #[test]
    fn a_lock_needs_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let error = LedgerLock::acquire(&folder.path().join("no/ledger.sqlite")).unwrap_err();
        assert!(error.to_string().contains("ledger.sqlite.lock"), "{error}");
    }
}
