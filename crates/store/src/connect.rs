//! Opens a ledger's file, which may come from a stranger.
//!
//! No link is followed, and the file may contain nothing that acts.

use std::{
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::StoreError;

/// How long to wait for another process that is writing before returning [`StoreError::Busy`].
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The last bytes of a rollback journal that names a super-journal (<https://www.sqlite.org/fileformat2.html>). SQLite
/// deletes the named file after it has rolled back, whatever the file is; a ledger alone never has one.
const SUPER_JOURNAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// The mode in which SQLite opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Made if it is not there.
    Write,
    /// Read only.
    Read,
    /// Read only, with no lock and no other file: no process writes to it.
    Immutable,
}

/// Connects to the file of a ledger.
pub(crate) fn connect(path: &Path, access: Access) -> Result<Connection, StoreError> {
    let failed = |error| StoreError::sqlite(path, "open it", error);
    check_files(path)?;
    let place = through_no_link(path);
    let flags = match access {
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Immutable => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
    };
    let place = if access == Access::Immutable { uri(&place) } else { place };
    let always = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(place, flags | always).map_err(failed)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    for (setting, on) in [
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    ] {
        connection.set_db_config(setting, on).map_err(failed)?;
    }
    Ok(connection)
}

/// Refuses a ledger or a file next to it that is a link, a pipe or a device, and a journal that has SQLite delete a
/// file elsewhere.
fn check_files(path: &Path) -> Result<(), StoreError> {
    for end in ["", "-wal", "-shm", "-journal"] {
        let file = with_end(path, end);
        let Ok(found) = fs_err::symlink_metadata(&file) else { continue };
        if found.file_type().is_symlink() {
            return Err(StoreError::Link { path: file });
        }
        // A folder is SQLite's to refuse.
        if !found.is_file() && !found.is_dir() {
            return Err(StoreError::NotAFile { path: file });
        }
    }
    let journal = with_end(path, "-journal");
    match names_another_file(&journal) {
        true => Err(StoreError::ForeignJournal { journal }),
        false => Ok(()),
    }
}

fn names_another_file(journal: &Path) -> bool {
    let end = || -> std::io::Result<[u8; 8]> {
        let mut file = fs_err::File::open(journal)?;
        let mut end = [0; 8];
        file.seek(SeekFrom::End(-8))?;
        file.read_exact(&mut end)?;
        Ok(end)
    };
    end().is_ok_and(|end| end == SUPER_JOURNAL)
}

pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// Returns the same path with its folder as it really is: SQLite refuses a link anywhere in a path, and the way to the
/// folder is the caller's.
fn through_no_link(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs_err::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Returns the URI of a file that does not change (<https://www.sqlite.org/uri.html>).
fn uri(path: &Path) -> PathBuf {
    let path = path.as_os_str().to_string_lossy();
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    PathBuf::from(format!("file:{escaped}?immutable=1"))
}
