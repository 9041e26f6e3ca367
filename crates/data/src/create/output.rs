//! A file being written, which replaces the old one when complete.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use flate2::{Compression, write::GzEncoder};
use fs_err as fs;

use crate::{DataError, open::BUFFER};

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
    pub(super) fn replacing(target: PathBuf, private: bool) -> Result<Self, DataError> {
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
    pub(super) fn direct(target: PathBuf) -> Result<Self, DataError> {
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
