//! Opens files: plain, gzip or zstd, or standard input.
//!
//! The first bytes decide whether a file is compressed; `-` is standard input.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::bufread::MultiGzDecoder;
use fs_err as fs;

use crate::{DataError, error::shown_path};

/// Large enough that system calls are rare, small enough for many open files.
pub(crate) const BUFFER: usize = 1 << 17;

/// Opens a file for reading, decompressed, without a UTF-8 byte order mark. `-` is standard input.
///
/// Compression is detected from the first bytes, not from the name: gzip, also of several members, and zstd,
/// also of several frames.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a folder, a device, a socket or a named pipe. A damaged archive
/// is noticed only while it is read.
pub fn open(path: impl AsRef<Path>) -> Result<Box<dyn BufRead + Send>, DataError> {
    let path = path.as_ref();
    if path.as_os_str() == "-" {
        return decoded(io::stdin()).map_err(|error| DataError::io(path, "read", error));
    }
    decoded(open_file(path)?).map_err(|error| DataError::io(path, "read", error))
}

/// Opens a file for its unchanged bytes.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a folder, a device, a socket or a named pipe.
pub fn open_file(path: impl AsRef<Path>) -> Result<File, DataError> {
    let path = path.as_ref();
    refuse_special(path)?;
    fs::File::open(path)
        .map(|file| file.into_parts().0)
        .map_err(|error| DataError::File(with_remedy(path, error)))
}

/// Returns the error with advice. Its kind is the same, because callers match it.
fn with_remedy(path: &Path, error: io::Error) -> io::Error {
    let text = match error.kind() {
        io::ErrorKind::NotFound => {
            "there is no such file. Correct the path, or change to the folder that it starts in"
        }
        io::ErrorKind::PermissionDenied => "llull may not read this file. Change its permissions",
        _ => return error,
    };
    io::Error::new(error.kind(), format!("{}: {text}", shown_path(path)))
}

/// Refuses a path that is not a regular file: opening a named pipe waits for a writer that may never come, and a
/// device may never end or may act when it is opened.
///
/// A file descriptor that the process was started with is open already, so it may be a pipe. A shell's `<(command)` is
/// one.
fn refuse_special(path: &Path) -> Result<(), DataError> {
    // Any problem is reported when the file is opened.
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    let kind = metadata.file_type();
    let found = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        "a folder"
    } else if is_descriptor(path) {
        return Ok(());
    } else {
        special(kind)
    };
    Err(DataError::Problem(format!("{file} is {found}. {}", instead_of(found), file = shown_path(path))))
}

/// Returns the file to name in place of a special file.
fn instead_of(found: &str) -> &'static str {
    match found {
        "a folder" => "Name a file in it",
        "a named pipe" => "Name a regular file, or let the shell open the pipe: - < PIPE, or <(command)",
        _ => "Name a regular file",
    }
}

/// Returns whether a path names a file descriptor of this process.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || path
            .parent()
            .is_some_and(|folder| folder == Path::new("/dev/fd") || folder == Path::new("/proc/self/fd"))
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "no regular file"
}

/// Returns the bytes of `raw`, decompressed if they are compressed, without a UTF-8 byte order mark.
///
/// # Errors
/// Returns an error if the first bytes cannot be read or decompressed.
pub fn decoded(raw: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let (mut head, rest) = peek(decompressed(raw)?, 4)?;
    if matches!(head.as_slice(), [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff]) {
        let remedy = "its text is UTF-32. Convert it: iconv -f UTF-32 -t UTF-8 FILE > NEW_FILE";
        return Err(io::Error::new(io::ErrorKind::InvalidData, remedy));
    }
    let Some(encoding) = utf16(&head) else {
        if head.starts_with(b"\xef\xbb\xbf") {
            head.drain(..3);
        }
        return Ok(Box::new(Cursor::new(head).chain(rest)));
    };
    let text = DecodeReaderBytesBuilder::new().encoding(encoding).build(Cursor::new(head).chain(rest));
    Ok(Box::new(BufReader::with_capacity(BUFFER, text)))
}

fn decompressed(raw: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let (head, rest) = peek(BufReader::with_capacity(BUFFER, raw), 4)?;
    let whole = Cursor::new(head.clone()).chain(rest);
    Ok(match head.as_slice() {
        [0x1f, 0x8b, ..] => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole))),
        [0x28, 0xb5, 0x2f, 0xfd] => {
            Box::new(BufReader::with_capacity(BUFFER, zstd::stream::read::Decoder::with_buffer(whole)?))
        }
        _ => Box::new(whole),
    })
}

/// Returns the encoding of a text in UTF-16, without one if its mark tells; `None` for other texts. PowerShell's `>`
/// and Excel's "Unicode text" write UTF-16, and other programs leave out its mark.
fn utf16(head: &[u8]) -> Option<Option<&'static Encoding>> {
    match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(None),
        [first, 0, second, 0] if *first != 0 && *second != 0 => Some(Some(UTF_16LE)),
        [0, first, 0, second] if *first != 0 && *second != 0 => Some(Some(UTF_16BE)),
        _ => None,
    }
}

/// The first bytes of a workbook, which is a ZIP archive.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";

/// The bytes that no letter of Windows-1252 has. East Asian encodings have most of them in any longer text.
const NOT_WINDOWS_1252: [u8; 6] = [0, 0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// Opens a file that is not UTF-8, and names its encoding: UTF-16, or Windows-1252, of which Latin-1 is a part. Returns
/// `None` if it is UTF-8, has bytes that Windows-1252 has not, or cannot be read twice.
pub(crate) fn open_other_encoding(path: &Path) -> Option<(Box<dyn BufRead + Send>, &'static str)> {
    if path.as_os_str() == "-" || !path.is_file() {
        return None;
    }
    let (head, _) = peek(decompressed(open_file(path).ok()?).ok()?, 4).ok()?;
    if utf16(&head).is_some() {
        return Some((open(path).ok()?, "UTF-16"));
    }
    if !is_windows_1252(open(path).ok()?).ok()? {
        return None;
    }
    let decoded = DecodeReaderBytesBuilder::new().encoding(Some(WINDOWS_1252)).build(open(path).ok()?);
    Some((Box::new(BufReader::with_capacity(BUFFER, decoded)), "Windows-1252"))
}

/// Returns whether some bytes are not UTF-8, and all are Windows-1252.
fn is_windows_1252(mut reader: Box<dyn BufRead + Send>) -> io::Result<bool> {
    let (mut carry, mut is_utf8): (Vec<u8>, bool) = (Vec::new(), true);
    let mut is_possible = true;
    loop {
        let read = reader.fill_buf()?;
        if read.is_empty() || !(is_utf8 || is_possible) {
            return Ok(is_possible && !(is_utf8 && carry.is_empty()));
        }
        let length = read.len();
        is_possible &= !read.iter().any(|byte| NOT_WINDOWS_1252.contains(byte));
        if is_utf8 {
            carry.extend_from_slice(read);
            match std::str::from_utf8(&carry) {
                Ok(_) => carry.clear(),
                Err(error) if error.error_len().is_none() => drop(carry.drain(..error.valid_up_to())),
                Err(_) => is_utf8 = false,
            }
        }
        reader.consume(length);
    }
}

/// Returns the first `count` bytes, fewer if there are no more, and the reader behind them.
fn peek<R: BufRead>(mut reader: R, count: u64) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::new();
    reader.by_ref().take(count).read_to_end(&mut head)?;
    Ok((head, reader))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn members_and_frames_are_all_read_and_the_mark_is_stripped() {
        let gzip = |text: &str| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        let zstd = |text: &str| zstd::stream::encode_all(text.as_bytes(), 1).unwrap();
        for bytes in [
            [gzip("\u{feff}one\n"), gzip("two\n")].concat(),
            [zstd("\u{feff}one\n"), zstd("two\n")].concat(),
            "\u{feff}one\ntwo\n".as_bytes().to_vec(),
        ] {
            let mut text = String::new();
            decoded(Cursor::new(bytes)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "one\ntwo\n");
        }
    }

    #[test]
    fn utf16_is_decoded_and_windows_1252_where_it_is_not_utf8() {
        let text = "q1\tMünchen – 5 €\n".repeat(20_000);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            [&[0xff, 0xfe], &little[..]].concat(),
            [&[0xfe, 0xff], &big[..]].concat(),
            little.clone(),
            big.clone(),
        ] {
            let mut read = String::new();
            decoded(Cursor::new(bytes)).unwrap().read_to_string(&mut read).unwrap();
            assert!(read == text);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("topics.tsv");
        fs::write(&path, &text).unwrap();
        assert!(open_other_encoding(&path).is_none());
        let shift_jis = encoding_rs::SHIFT_JIS.encode("q1\t\u{30ad}\u{30fc}\u{30dc}\u{30fc}\u{30c9}\n").0;
        fs::write(&path, &shift_jis).unwrap();
        assert!(open_other_encoding(&path).is_none(), "no letter of Windows-1252 is 0x81");
        let utf32 = decoded(Cursor::new([0xff, 0xfe, 0, 0, b'q', 0, 0, 0])).err().unwrap().to_string();
        assert!(utf32.contains("iconv -f UTF-32 -t UTF-8"), "{utf32}");
        fs::write(&path, WINDOWS_1252.encode(&text).0).unwrap();
        let mut read = String::new();
        open_other_encoding(&path).unwrap().0.read_to_string(&mut read).unwrap();
        assert!(read == text);
    }

    #[test]
    fn short_and_empty_inputs_are_read_as_they_are() {
        for bytes in [&b""[..], b"a", &[0xef, 0xbb], &[0x28, 0xb5, 0x2f]] {
            let mut read = Vec::new();
            decoded(bytes).unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
        }
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_refused_before_they_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for (path, kind) in [
            (folder.path(), "is a folder"),
            (&socket, "is a socket"),
            (&pipe, "is a named pipe"),
            (&link, "is a named pipe"),
            (Path::new("/dev/zero"), "is a device"),
        ] {
            let error = open(path).err().unwrap().to_string();
            assert!(error.contains(kind) && error.starts_with(&*path.to_string_lossy()), "{error}");
        }
        assert!(
            ["/dev/stdin", "/dev/fd/63", "/proc/self/fd/11"].map(Path::new).into_iter().all(is_descriptor)
        );
        assert!(!["/dev/zero", "/dev/fd/../zero", "fd/3"].map(Path::new).into_iter().any(is_descriptor));
    }

    #[test]
    fn a_missing_file_is_named_once() {
        let message = open("no/such.run").err().unwrap().to_string();
        assert_eq!(message.matches("no/such.run").count(), 1, "{message}");
    }
}
