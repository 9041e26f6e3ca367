//! Reads a text file by lines, with numbered errors.

use std::{
    io::{BufRead, Read},
    path::Path,
};

use crate::{
    DataError, LineError,
    error::{quoted, shown_path},
    limits::{LONGEST_LINE, ONLY_RETURNS, has_only_returns, line_too_long, lone_returns},
    open::open,
};

/// The lines of a file, without their ends.
pub(crate) struct Lines {
    file: String,
    reader: Box<dyn BufRead + Send>,
    buffer: Vec<u8>,
    number: u64,
}

/// A line with its number and its file.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    pub(crate) number: u64,
    pub(crate) file: &'a str,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self, DataError> {
        Ok(Self::over(shown_path(path), open(path)?))
    }

    /// Creates the lines of a reader; `file` is its name in messages.
    pub(crate) fn over(file: String, reader: Box<dyn BufRead + Send>) -> Self {
        Self { file, reader, buffer: Vec::new(), number: 0 }
    }

    /// Returns the name of the file, for messages.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Returns the number of the last line that was read, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns `first`, the last line that was read, with all that follows, and a line end for each line before it.
    pub(crate) fn rest(mut self, first: &str, limit: u64) -> Result<Vec<u8>, DataError> {
        let mut bytes = "\n".repeat(self.number.saturating_sub(1) as usize).into_bytes();
        bytes.extend_from_slice(first.as_bytes());
        let failed = |source| DataError::Io { file: self.file.clone(), action: "read", source };
        if !self.reader.fill_buf().map_err(failed)?.is_empty() {
            bytes.push(b'\n');
        }
        self.reader.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > limit {
            return Err(DataError::TooLarge { file: self.file, limit });
        }
        Ok(bytes)
    }

    /// Returns the next line that is neither blank nor a comment; `None` at the end.
    pub(crate) fn next_entry(&mut self) -> Result<Option<Line<'_>>, DataError> {
        while self.advance()? {
            if is_entry(&self.buffer) {
                return self.current().map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the next line that is not blank; `None` at the end.
    pub(crate) fn next_filled(&mut self) -> Result<Option<Line<'_>>, DataError> {
        while self.advance()? {
            if !self.buffer.trim_ascii_start().is_empty() {
                return self.current().map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the next line, blank ones included; `None` at the end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line<'_>>, DataError> {
        if self.advance()? { self.current().map(Some) } else { Ok(None) }
    }

    /// Reads a line into the buffer, without line feed and carriage return; `false` at the end.
    fn advance(&mut self) -> Result<bool, DataError> {
        self.buffer.clear();
        let failed = |source| DataError::Io { file: self.file.clone(), action: "read", source };
        let mut limited = self.reader.by_ref().take(LONGEST_LINE as u64 + 1);
        if limited.read_until(b'\n', &mut self.buffer).map_err(failed)? == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.buffer.len() > LONGEST_LINE && self.buffer.last() != Some(&b'\n') {
            return Err(line_too_long(&self.file, self.number, &self.buffer));
        }
        if self.number == 1
            && has_only_returns(&self.buffer)
            && self.reader.fill_buf().map_err(failed)?.is_empty()
        {
            return Err(lone_returns(&self.file, 1));
        }
        for end in [b'\n', b'\r'] {
            if self.buffer.last() == Some(&end) {
                self.buffer.pop();
            }
        }
        Ok(true)
    }

    fn current(&self) -> Result<Line<'_>, DataError> {
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(Line { text, number: self.number, file: &self.file }),
            Err(error) => Err(not_utf8(&self.file, self.number, error.valid_up_to() + 1)),
        }
    }
}

/// Returns whether a line is neither blank nor a comment (`#` before anything else, as in trec_eval 10).
pub(crate) fn is_entry(line: &[u8]) -> bool {
    !matches!(line.trim_ascii_start().first(), None | Some(b'#'))
}

/// Returns the error for a line that is not text; `position` is that of its first wrong byte, from 1.
pub(crate) fn not_utf8(file: &str, line: u64, position: usize) -> DataError {
    DataError::from(LineError {
        file: file.to_owned(),
        line,
        column: None,
        found: format!("a byte that is not UTF-8 at position {position}"),
        expected: "text in UTF-8".into(),
        remedy: format!(
            "Convert the file: iconv -f ENCODING -t UTF-8 {} > NEW_FILE, where ENCODING is what it was written in, \
             such as WINDOWS-1252, WINDOWS-1251, SHIFT_JIS or GB18030",
            llull_core::shell_word(file)
        ),
    })
}

impl Line<'_> {
    /// Returns the error for a line that as a whole has another form than expected.
    pub(crate) fn unexpected(&self, expected: &str, remedy: &str) -> DataError {
        self.wrong(None, quoted(self.text), expected, remedy)
    }

    /// Returns the error for one column, from 1, with another form than expected.
    pub(crate) fn bad_column(
        &self,
        column: usize,
        name: &'static str,
        found: &str,
        expected: &str,
        remedy: &str,
    ) -> DataError {
        self.wrong(Some((column, name)), quoted(found), expected, remedy)
    }

    /// Returns the error with `found` in words.
    pub(crate) fn wrong(
        &self,
        column: Option<(usize, &'static str)>,
        found: impl Into<String>,
        expected: &str,
        remedy: &str,
    ) -> DataError {
        // Whatever is wrong with such a line, this is why.
        let remedy = if self.text.contains('\r') { ONLY_RETURNS } else { remedy };
        DataError::from(LineError {
            file: self.file.to_owned(),
            line: self.number,
            column,
            found: found.into(),
            expected: expected.to_owned(),
            remedy: remedy.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn error(file: &str, bytes: &[u8]) -> String {
        let mut lines = Lines::over(file.to_owned(), Box::new(Cursor::new(bytes.to_vec())));
        lines.next_entry().err().unwrap().to_string()
    }

    #[test]
    fn text_of_another_encoding_comes_with_a_command_that_converts_it() {
        let error = error("topics.tsv", b"q1\tM\xfcnchen\n");
        assert!(error.contains("a byte that is not UTF-8 at position 5"), "{error}");
        assert!(error.contains("iconv -f ENCODING -t UTF-8 topics.tsv > NEW_FILE"), "{error}");
    }
}
