//! The lock of a ledger. Two runs at the same time would pay twice for the same judgments.

use std::{
    fs::{File, TryLockError},
    io::{Read, Seek as _, Write},
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use crate::StoreError;

/// The most digits that a process number has.
const LONGEST_PID: u64 = 20;
/// How often a lock that another process holds is tried again, and how long after each time.
const RETRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// An exclusive lock on running judges into a ledger. It is released on drop, and by the operating system if the
/// process dies.
#[derive(Debug)]
pub struct LedgerLock {
    file: File,
    /// Whether the file has the process number.
    signed: bool,
}

impl LedgerLock {
    /// Locks a ledger through the file `<ledger>.lock` next to it, which is not removed later. The file is opened
    /// through no symbolic link, and nothing in it is changed unless it is a lock's.
    ///
    /// # Errors
    /// Returns [`StoreError::InUse`] if another process holds the lock, [`StoreError::Link`] if the lock file is a
    /// symbolic link, and [`StoreError::File`] if it cannot be used.
    pub fn acquire(ledger: &Path) -> Result<Self, StoreError> {
        let path = lock_path(ledger);
        let mut file = open(&path)?;
        match retried(|| file.try_lock()) {
            Ok(()) => {
                // The process number is for another process's error message; the lock does not depend on it.
                let signed = is_a_locks(&mut file);
                if signed {
                    let _ = file.rewind().and_then(|()| file.set_len(0));
                    let _ = write!(file, "{}", std::process::id());
                }
                Ok(Self { file, signed })
            }
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let _ = (&mut file).take(LONGEST_PID).read_to_string(&mut pid);
                Err(StoreError::InUse { path: ledger.to_owned(), pid: pid.trim().parse().ok() })
            }
            Err(TryLockError::Error(error)) => Err(StoreError::File(std::io::Error::new(
                error.kind(),
                format!("{} cannot be locked: {error}; put the ledger on a local disk", path.display()),
            ))),
        }
    }
}

impl LedgerLock {
    /// Whether a process holds the lock of this ledger now. A file without a process number is not tried. A killed run
    /// leaves its number; then the check takes a shared lock for a moment, and [`acquire`](Self::acquire) tries again
    /// until it is released.
    pub fn is_held(ledger: &Path) -> bool {
        let path = lock_path(ledger);
        let signed = fs_err::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() > 0);
        signed
            && open(&path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Tries again while the lock is held, since [`LedgerLock::is_held`] may hold it for a moment.
fn retried(mut lock: impl FnMut() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..RETRIES {
        match lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            ended => return ended,
        }
    }
    lock()
}

/// Opens the lock file, or makes it. A link is not followed, nothing is cut off, and a pipe is not waited for.
fn open(path: &Path) -> Result<File, StoreError> {
    match fs_err::symlink_metadata(path) {
        Ok(found) if found.file_type().is_symlink() => {
            return Err(StoreError::Link { path: path.to_owned() });
        }
        Ok(found) if !found.is_file() => return Err(StoreError::NotAFile { path: path.to_owned() }),
        _ => {}
    }
    let mut options = fs_err::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let (file, _) = options.open(path).map_err(StoreError::File)?.into_parts();
    Ok(file)
}

/// Whether the file holds nothing but a process number, or nothing. Another file may have this name too: a hard link.
fn is_a_locks(file: &mut File) -> bool {
    let mut text = Vec::new();
    let read = file.take(LONGEST_PID + 1).read_to_end(&mut text);
    read.is_ok_and(|length| length as u64 <= LONGEST_PID) && text.iter().all(u8::is_ascii_digit)
}

impl Drop for LedgerLock {
    fn drop(&mut self) {
        if self.signed {
            let _ = self.file.set_len(0);
        }
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
        assert!(LedgerLock::is_held(&ledger));
        drop(first);
        assert!(!LedgerLock::is_held(&ledger) && !LedgerLock::is_held(&folder.path().join("other")));
        LedgerLock::acquire(&ledger).unwrap();
    }

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let [file, page] = [(); 2].map(|()| open(&lock_path(&folder.path().join("ledger"))).unwrap());
        page.try_lock_shared().unwrap();
        let (mut page, mut calls) = (Some(page), 0);
        retried(|| {
            calls += 1;
            if calls == 3 {
                page.take();
            }
            file.try_lock()
        })
        .unwrap();
        assert_eq!(calls, 3);
        let mut calls = 0;
        let held = retried(|| {
            calls += 1;
            Err(TryLockError::WouldBlock)
        });
        assert!(matches!(held, Err(TryLockError::WouldBlock)) && calls == RETRIES + 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_neither_opened_nor_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let (ledger, victim) = (folder.path().join("ledger.sqlite"), folder.path().join("bashrc"));
        fs_err::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, lock_path(&ledger)).unwrap();
        assert!(matches!(LedgerLock::acquire(&ledger), Err(StoreError::Link { .. })));
        fs_err::remove_file(lock_path(&ledger)).unwrap();
        std::os::unix::fs::symlink(folder.path().join("not there"), lock_path(&ledger)).unwrap();
        assert!(matches!(LedgerLock::acquire(&ledger), Err(StoreError::Link { .. })));
        assert!(!folder.path().join("not there").exists());
        fs_err::remove_file(lock_path(&ledger)).unwrap();
        fs_err::hard_link(&victim, lock_path(&ledger)).unwrap();
        drop(LedgerLock::acquire(&ledger).unwrap());
        assert_eq!(fs_err::read_to_string(&victim).unwrap(), "mine");
    }

    #[test]
    fn a_lock_needs_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let error = LedgerLock::acquire(&folder.path().join("no/ledger.sqlite")).unwrap_err();
        assert!(error.to_string().contains("ledger.sqlite.lock"), "{error}");
    }
}
