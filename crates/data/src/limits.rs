//! The maximum length of a line, and its ending.
//!
//! A longer line is not data, and would fill the memory.

use crate::{DataError, LineError};

/// The longest line, in bytes.
pub(crate) const LONGEST_LINE: usize = 64 << 20;

/// Returns the error for a line that is too long; `bytes` is its beginning.
pub(crate) fn line_too_long(file: &str, line: u64, bytes: &[u8]) -> DataError {
    if memchr::memchr(b'\r', bytes).is_some() {
        return lone_returns(file, line);
    }
    DataError::from(LineError {
        file: file.to_owned(),
        line,
        column: None,
        found: format!("more than {} MiB without the end of a line", LONGEST_LINE >> 20),
        expected: "shorter lines".into(),
        remedy: "Is it a text file, with a line for each entry?".into(),
    })
}

/// The remedy for lines that end with a carriage return alone.
pub(crate) const ONLY_RETURNS: &str = "Lines end with LF or CR LF, and here a CR is alone: convert the file, for \
                                       example with tr '\\r' '\\n' < OLD > NEW";

/// Returns the error for lines that end with a carriage return alone, as on Macs before 2001. Read as one line, a run
/// would have one result.
pub(crate) fn lone_returns(file: &str, line: u64) -> DataError {
    DataError::from(LineError {
        file: file.to_owned(),
        line,
        column: None,
        found: "a carriage return (CR) inside a line".into(),
        expected: "a line feed (LF) at the end of each line".into(),
        remedy: ONLY_RETURNS.into(),
    })
}

/// Returns whether the text of a whole file has carriage returns and no line feeds between them.
pub(crate) fn has_only_returns(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    memchr::memchr(b'\r', text).is_some() && memchr::memchr(b'\n', text).is_none()
}
