//! Creates files: named by a user, or below a program's folder.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::write::GzEncoder;
use fs_err as fs;

use crate::DataError;
use crate::open::BUFFER;

/// Creates the file that a user names, compressed if its name ends in `.gz` or `.zst`.
///
/// Everything is written to a temporary file in the same folder, and [`Output::finish`] puts it in place, so a reader
/// sees the old file or the new one, never a part. Without `finish` nothing changes. A path that exists and is not a
/// regular file (a pipe, a terminal) is written directly. A symbolic link is followed: a user who types its name wants
/// its target. A program's own files are made by [`create_below`](create_below), which follows none.
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

/// The default of zstd.
const ZSTD_LEVEL: i32 = 3;

/// How many names of temporary files are tried; those of programs that were killed may be taken.
const NAMES: u32 = 100;

/// The temporary files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the temporary files of all [`Output`]s of this process, which cannot be finished then. A process that a
/// signal is about to end calls this, as nothing is dropped then.
pub fn remove_unfinished() {
    for temporary in std::mem::take(&mut *unfinished()) {
        let _ = fs::remove_file(temporary);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file being written; see [`create`](crate::create) and [`create_below`](crate::create_below).
pub struct Output {
    sink: Option<Sink>,
    target: PathBuf,
    temporary: Option<PathBuf>,
}

enum Sink {
    Plain(BufWriter<fs::File>),
    Gzip(Box<GzEncoder<BufWriter<fs::File>>>),
    Zstd(Box<zstd::stream::write::Encoder<'static, BufWriter<fs::File>>>),
}

impl Output {
    /// Begins a new file that is to take the place of `target`. With `private` only its owner may read it.
    fn replacing(target: PathBuf, private: bool) -> Result<Self, DataError> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            use fs_err::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut tried = 0;
        loop {
            let temporary = beside(&target);
            tried += 1;
            match options.open(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < NAMES => {}
                opened => {
                    let file = opened.map_err(DataError::File)?;
                    unfinished().insert(temporary.clone());
                    return Self::new(file, target, Some(temporary));
                }
            }
        }
    }

    /// Begins to write to an existing target, such as a pipe.
    fn direct(target: PathBuf) -> Result<Self, DataError> {
        let file = fs::OpenOptions::new().write(true).open(&target).map_err(DataError::File)?;
        Self::new(file, target, None)
    }

    fn new(file: fs::File, target: PathBuf, temporary: Option<PathBuf>) -> Result<Self, DataError> {
        let file = BufWriter::with_capacity(BUFFER, file);
        let sink = match target.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Sink::Gzip(Box::new(GzEncoder::new(file, Compression::default()))),
            Some("zst") => Sink::Zstd(Box::new(
                zstd::stream::write::Encoder::new(file, ZSTD_LEVEL).map_err(DataError::File)?,
            )),
            _ => Sink::Plain(file),
        };
        Ok(Self { sink: Some(sink), target, temporary })
    }

    /// Flushes all bytes so far, and returns the file that holds them until [`finish`](Self::finish), to check them
    /// first. The end of a compressed file is still missing.
    ///
    /// # Errors
    /// Returns an error if they cannot be written.
    pub fn flushed(&mut self) -> Result<&Path, DataError> {
        self.flush().map_err(DataError::File)?;
        Ok(self.temporary.as_deref().unwrap_or(&self.target))
    }

    /// Completes the file and puts it in place.
    ///
    /// # Errors
    /// Returns an error if the rest cannot be written or the file cannot be renamed; the previous file then stays.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.complete().map_err(DataError::File)
    }

    fn complete(&mut self) -> io::Result<()> {
        let file = match self.sink.take() {
            Some(Sink::Plain(file)) => file,
            Some(Sink::Gzip(encoder)) => encoder.finish()?,
            Some(Sink::Zstd(encoder)) => encoder.finish()?,
            None => return Ok(()),
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(temporary) = &self.temporary {
            file.sync_all()?;
            drop(file);
            fs::rename(temporary, &self.target)?;
            unfinished().remove(temporary);
            self.temporary = None;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Some(Sink::Plain(file)) => file.write(bytes),
            Some(Sink::Gzip(encoder)) => encoder.write(bytes),
            Some(Sink::Zstd(encoder)) => encoder.write(bytes),
            None => Err(io::Error::other("the file is already complete")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Some(Sink::Plain(file)) => file.flush(),
            Some(Sink::Gzip(encoder)) => encoder.flush(),
            Some(Sink::Zstd(encoder)) => encoder.flush(),
            None => Ok(()),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.sink = None;
        if let Some(temporary) = &self.temporary {
            // Nothing can be reported from here, and a stray temporary file is harmless.
            let _ = fs::remove_file(temporary);
            unfinished().remove(temporary);
        }
    }
}

/// Returns a name in the same folder, and so on the same file system, that no other writer uses.
fn beside(target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    target.with_file_name(name)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{Read, Write as _};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

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
