//! Records of fields that are separated by commas or tabs and may be quoted (RFC 4180).

use crate::{
    DataError,
    limits::{LONGEST_LINE, line_too_long},
    lines::{Line, Lines},
};

/// Reads one record after the other. White space around a field does not belong to it unless it is quoted;
/// blank lines are skipped.
pub(crate) struct Records {
    lines: Lines,
    delimiter: u8,
    /// The current line.
    line: String,
    number: u64,
    /// The fields of the record, end to end, and where each ends.
    text: String,
    ends: Vec<usize>,
}

impl Records {
    pub(crate) fn new(lines: Lines, delimiter: u8) -> Self {
        Self { lines, delimiter, line: String::new(), number: 0, text: String::new(), ends: Vec::new() }
    }

    /// Reads the next record; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, DataError> {
        let Some(line) = self.lines.next_filled()? else { return Ok(false) };
        self.line.clear();
        self.line.push_str(line.text);
        self.number = line.number;
        self.text.clear();
        self.ends.clear();
        let mut at = Some(0);
        while let Some(start) = at {
            at = self.field(start)?;
            self.ends.push(self.text.len());
        }
        Ok(true)
    }

    /// Returns the number of fields of the record.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a field of the record; empty if it has no such field.
    pub(crate) fn field_at(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or(self.text.len()) };
        let end = self.ends.get(at).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the place of the record, for messages. Its text is that of its last line.
    pub(crate) fn place(&self) -> Line<'_> {
        Line { text: &self.line, number: self.number, file: self.lines.file() }
    }

    /// Reads the field that begins here. Returns where the next one begins, if there is one.
    fn field(&mut self, start: usize) -> Result<Option<usize>, DataError> {
        let rest = self.line.get(start..).unwrap_or_default();
        let blank = |c: char| c.is_whitespace() && c != char::from(self.delimiter);
        let begin = start + rest.len() - rest.trim_start_matches(blank).len();
        if self.line.as_bytes().get(begin) == Some(&b'"') {
            let end = self.quoted(begin + 1)?;
            return self.behind_quote(end);
        }
        let length = rest.bytes().position(|byte| byte == self.delimiter);
        self.text.push_str(rest.get(..length.unwrap_or(rest.len())).unwrap_or_default().trim());
        Ok(length.map(|length| start + length + 1))
    }

    /// Reads to the closing quote. Returns where what follows it begins. A quoted field may span lines.
    fn quoted(&mut self, mut at: usize) -> Result<usize, DataError> {
        loop {
            let rest = self.line.get(at..).unwrap_or_default();
            match rest.bytes().position(|byte| byte == b'"') {
                Some(length) => {
                    self.text.push_str(rest.get(..length).unwrap_or_default());
                    at += length + 1;
                    if self.line.as_bytes().get(at) != Some(&b'"') {
                        return Ok(at);
                    }
                    self.text.push('"');
                    at += 1;
                }
                None => {
                    self.text.push_str(rest);
                    self.text.push('\n');
                    if self.text.len() > LONGEST_LINE {
                        return Err(line_too_long(self.lines.file(), self.number, b""));
                    }
                    let Some(next) = self.lines.next_line()? else {
                        return Err(self.place().wrong(
                            None,
                            "a quote that is never closed",
                            "another quote behind the field",
                            "Inside quotes, a quote is written twice",
                        ));
                    };
                    self.line.clear();
                    self.line.push_str(next.text);
                    at = 0;
                }
            }
        }
    }

    fn behind_quote(&self, at: usize) -> Result<Option<usize>, DataError> {
        let rest = self.line.get(at..).unwrap_or_default();
        let length = rest.bytes().position(|byte| byte == self.delimiter);
        if !rest.get(..length.unwrap_or(rest.len())).unwrap_or_default().trim().is_empty() {
            return Err(self.place().wrong(
                None,
                format!("text behind a closing quote: {}", crate::error::quoted(rest)),
                "the next field",
                "Inside quotes, a quote is written twice",
            ));
        }
        Ok(length.map(|length| at + length + 1))
    }
}
