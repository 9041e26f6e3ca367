//! A file being written: compressed as its name says, and put in place when it is complete.

use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use flate2::{Compression, write::GzEncoder};
use fs_err as fs;

use crate::{DataError, open::BUFFER};

/// The default of zstd.
const ZSTD_LEVEL: i32 = 3;

/// How many names of temporary files are tried; those of programs that were killed may be taken.
const NAMES: u32 = 100;

/// A file being written; see [`create`](crate::create) and [`create_below`](crate::create_below).
pub struct Output {
    sink: Option<Sink>,
    target: PathBuf,
    temporary: Option<PathBuf>,
}

enum Sink {
    Plain(BufWriter<fs::File>),
    Gzip(GzEncoder<BufWriter<fs::File>>),
    Zstd(Box<zstd::stream::write::Encoder<'static, BufWriter<fs::File>>>),
}

impl Output {
    /// Begins a new file that is to take the place of `target`. With `private` nobody but its owner may read it.
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
                opened => return Self::new(opened.map_err(DataError::File)?, target, Some(temporary)),
            }
        }
    }

    /// Begins to write to what is there already, such as a pipe.
    pub(super) fn direct(target: PathBuf) -> Result<Self, DataError> {
        let file = fs::OpenOptions::new().write(true).open(&target).map_err(DataError::File)?;
        Self::new(file, target, None)
    }

    fn new(file: fs::File, target: PathBuf, temporary: Option<PathBuf>) -> Result<Self, DataError> {
        let file = BufWriter::with_capacity(BUFFER, file);
        let sink = match target.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Sink::Gzip(GzEncoder::new(file, Compression::default())),
            Some("zst") => Sink::Zstd(Box::new(
                zstd::stream::write::Encoder::new(file, ZSTD_LEVEL).map_err(DataError::File)?,
            )),
            _ => Sink::Plain(file),
        };
        Ok(Self { sink: Some(sink), target, temporary })
    }

    /// Returns the file itself, for another process to write to.
    ///
    /// # Errors
    /// Returns an error if the file is compressed, so that only this process can write it, or cannot be shared.
    pub fn for_process(&mut self) -> Result<std::fs::File, DataError> {
        match &mut self.sink {
            Some(Sink::Plain(file)) => {
                file.flush().and_then(|()| file.get_ref().file().try_clone()).map_err(DataError::File)
            }
            _ => Err(DataError::File(io::Error::other("a compressed file cannot be shared"))),
        }
    }

    /// Returns where the bytes are until the file is complete.
    pub fn written(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.target)
    }

    /// Completes the file and puts it in place.
    ///
    /// # Errors
    /// Returns an error if the rest cannot be written or the file cannot be renamed; the previous file is
    /// kept.
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
