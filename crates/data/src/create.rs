//! Creating files: compressed according to their names, and put in place when they are complete.

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

/// Creates a file, compressed if its name ends in `.gz` or `.zst`.
///
/// Everything is written to a temporary file in the same folder, and [`Output::finish`] puts it in place, so
/// a reader sees the old file or the new one, never a part. Without `finish` nothing changes. A path that
/// exists and is not a regular file (a pipe, a terminal) is written directly.
///
/// # Errors
/// Returns an error if the file cannot be created.
pub fn create(path: impl AsRef<Path>) -> Result<Output, DataError> {
    let path = path.as_ref();
    // A symbolic link stays a link: its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let direct = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let (file, temporary) = if direct {
        (fs::OpenOptions::new().write(true).open(&target).map_err(DataError::File)?, None)
    } else {
        let beside = beside(&target);
        let file =
            fs::OpenOptions::new().write(true).create_new(true).open(&beside).map_err(DataError::File)?;
        (file, Some(beside))
    };
    let file = BufWriter::with_capacity(BUFFER, file);
    let sink = match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Sink::Gzip(GzEncoder::new(file, Compression::default())),
        Some("zst") => Sink::Zstd(Box::new(
            zstd::stream::write::Encoder::new(file, ZSTD_LEVEL).map_err(DataError::File)?,
        )),
        _ => Sink::Plain(file),
    };
    Ok(Output { sink: Some(sink), target, temporary })
}

/// Returns a name in the same folder, and so on the same file system, that no other writer uses.
fn beside(target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    target.with_file_name(name)
}

/// A file being written; see [`create`].
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

#[cfg(test)]
mod tests {
    use std::io::Read;

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
