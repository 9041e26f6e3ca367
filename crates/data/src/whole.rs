//! Reads whole files up to a size limit, counted after decompression.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::shown_path;
use crate::lines::not_utf8;
use crate::{DataError, open};

/// The limit of a whole file unless [`set_file_limit`] sets another one.
const USUAL_LIMIT: u64 = 1 << 30;

/// One limit for the process: readers of whole files are in many places, and none of them has a reason for another one.
static LIMIT: AtomicU64 = AtomicU64::new(USUAL_LIMIT);

/// Sets how many bytes a file that is read whole may have, after decompression.
pub fn set_file_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Returns the limit that [`set_file_limit`] sets.
pub(crate) fn file_limit() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

/// Reads a file whole, decompressed, without a byte order mark. `-` is standard input.
///
/// # Errors
/// Returns an error if the file cannot be opened or read, or has more bytes than [`set_file_limit`] allows.
pub fn read_whole(path: impl AsRef<Path>) -> Result<Vec<u8>, DataError> {
    read_at_most(path.as_ref(), file_limit())
}

/// Reads a file whole, as [`read_whole`] does, as text.
///
/// # Errors
/// Returns an error in the same cases as [`read_whole`], and if the file is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, DataError> {
    let path = path.as_ref();
    utf8(read_whole(path)?, &shown_path(path))
}

/// Returns the text of a whole file.
pub(crate) fn utf8(bytes: Vec<u8>, file: &str) -> Result<String, DataError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        not_utf8(file, line, valid - start + 1)
    })
}

fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, DataError> {
    rest_of(open(path)?, &shown_path(path), limit)
}

/// Returns all that a file's reader still has, if it is no more than a limit.
pub(crate) fn rest_of(reader: impl Read, file: &str, limit: u64) -> Result<Vec<u8>, DataError> {
    let mut bytes = Vec::new();
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| DataError::Io { file: file.to_owned(), action: "read", source })?;
    if bytes.len() as u64 > limit {
        return Err(DataError::TooLarge { file: file.to_owned(), limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_is_counted_as_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.zst");
        fs_err::write(&path, zstd::stream::encode_all(&[b'x'; 100_000][..], 1).unwrap()).unwrap();
        assert!(fs_err::metadata(&path).unwrap().len() < 1_000);
        assert_eq!(read_at_most(&path, 100_000).unwrap().len(), 100_000);
        let error = read_at_most(&path, 99_999).unwrap_err().to_string();
        assert!(
            error.contains("bomb.zst: more than 99999 bytes") && error.contains("LLULL_MAX_FILE"),
            "{error}"
        );
    }

    #[test]
    fn text_that_is_not_utf8_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rubric.md");
        fs_err::write(&path, b"one\n\xffwo\n").unwrap();
        let error = read_text(&path).unwrap_err().to_string();
        assert!(error.contains("rubric.md line 2: found a byte that is not UTF-8 at position 1"), "{error}");
    }
}
