//! Reads quoted fields between commas, semicolons or tabs (RFC 4180).
//!
//! The `csv` crate reads a quote that is never closed, and text behind a closing quote, without an error: the rest of
//! the file would become one cell.

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
    /// Whether the current line was read ahead, to find the separator.
    is_ahead: bool,
    /// Whether fields between tabs may begin with a quote that nothing closes, and end with their line.
    plain_tabs: bool,
    /// The fields of the record, end to end, and where each ends.
    text: String,
    ends: Vec<usize>,
}

/// The possible separators. Where a header is equally good with several of them, the first counts.
pub(crate) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

impl Records {
    /// Finds the separator of the fields. Lines above the header that begin with `#` and name no known column are
    /// comments. A first line `sep=;` names it, as spreadsheets write it. Otherwise it is the
    /// one that splits the header into the most known columns, or into the most columns.
    pub(crate) fn find_separator(
        mut lines: Lines,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Self, DataError> {
        let mut declared = None;
        let mut header = None;
        let is_comment = |line: &str| {
            let names = || line.split([',', ';', '\t']).map(|name| name.trim().trim_matches('"'));
            line.trim_start().starts_with('#') && !names().any(&is_known)
        };
        while let Some(line) = lines.next_filled()? {
            if is_comment(line.text) {
                continue;
            }
            match separator_line(line.text).filter(|_| declared.is_none()) {
                Some(separator) => declared = Some(separator),
                None => {
                    header = Some((line.text.to_owned(), line.number));
                    break;
                }
            }
        }
        let is_ahead = header.is_some();
        let (line, number) = header.unwrap_or_default();
        let columns = |separator: u8| {
            let names = || line.split(char::from(separator)).map(|name| name.trim().trim_matches('"'));
            (names().filter(|name| is_known(name)).count(), names().count())
        };
        let best = SEPARATORS.into_iter().rev().max_by_key(|separator| columns(*separator));
        let delimiter = declared.or(best).unwrap_or(b',');
        Ok(Self {
            lines,
            delimiter,
            line,
            number,
            is_ahead,
            plain_tabs: false,
            text: String::new(),
            ends: Vec::new(),
        })
    }

    /// Reads fields between tabs as they are, but for those that are quoted whole: a text may begin with a quotation.
    pub(crate) fn with_plain_tabs(self) -> Self {
        let plain_tabs = self.delimiter == b'\t';
        Self { plain_tabs, ..self }
    }

    /// Reads the next record; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, DataError> {
        if !std::mem::take(&mut self.is_ahead) {
            let Some(line) = self.lines.next_filled()? else { return Ok(false) };
            self.line.clear();
            self.line.push_str(line.text);
            self.number = line.number;
        }
        self.text.clear();
        self.ends.clear();
        if self.plain_tabs {
            for field in self.line.split('\t') {
                let field = field.trim();
                match unquoted(field) {
                    Some(inside) => self.text.push_str(&inside),
                    None => self.text.push_str(field),
                }
                self.ends.push(self.text.len());
            }
            return Ok(true);
        }
        let mut at = Some(0);
        while let Some(start) = at {
            at = self.field(start)?;
            self.ends.push(self.text.len());
        }
        Ok(true)
    }

    /// Returns the separator of the fields.
    pub(crate) fn separator(&self) -> u8 {
        self.delimiter
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

    /// Reads to the closing quote, and returns the place after it. A quoted field may span lines.
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

/// Returns the inside of a field that is quoted whole, with every quote in it written twice.
fn unquoted(field: &str) -> Option<String> {
    let inside = field.strip_prefix('"')?.strip_suffix('"')?;
    let single = inside.replace("\"\"", "");
    (!single.contains('"')).then(|| inside.replace("\"\"", "\""))
}

/// Returns the separator that a line `sep=;` names; `None` if it is no such line.
pub(crate) fn separator_line(line: &str) -> Option<u8> {
    let (name, separator) = line.trim_matches([' ', '"', '\r', '\n']).split_at_checked(4)?;
    let [byte] = separator.as_bytes() else { return None };
    (name.eq_ignore_ascii_case("sep=") && SEPARATORS.contains(byte)).then_some(*byte)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn rows(text: &str, known: &[&str]) -> Vec<Vec<String>> {
        let lines = Lines::over("table".to_owned(), Box::new(Cursor::new(text.to_owned())));
        let mut records = Records::find_separator(lines, |name| known.contains(&name)).unwrap();
        let mut rows = Vec::new();
        while records.advance().unwrap() {
            rows.push((0..records.len()).map(|at| records.field_at(at).to_owned()).collect());
        }
        rows
    }

    #[test]
    fn the_separator_is_the_declared_one_or_that_of_known_columns() {
        let expected = [["id", "query"], ["1", "a, b; c"]];
        for text in [
            "id,query\n1,\"a, b; c\"\n",
            "id;query\n1;\"a, b; c\"\n",
            "id\tquery\n1\ta, b; c\n",
            "sep=;\r\nid;query\r\n1;\"a, b; c\"\r\n",
            "\"SEP=\t\"\n\"id\"\t\"query\"\n1\ta, b; c\n",
            "# exported by hand\n\n# 2026, twice\nid,query\n1,\"a, b; c\"\n",
        ] {
            assert_eq!(rows(text, &["id", "query"]), expected, "{text:?}");
        }
        assert_eq!(rows("query;a, b, c\nx;y\n", &["query"]), [["query", "a, b, c"], ["x", "y"]]);
        assert_eq!(rows("sep=,\nquery;x,y\n", &["query"]), [["query;x", "y"]]);
        assert_eq!(rows("one\nsep=;\n", &["query"]), [["one"], ["sep=;"]]);
        assert_eq!(
            rows("#,query\n# 1,x\n", &["query"]),
            [["#", "query"], ["# 1", "x"]],
            "a column of numbers"
        );
        assert!(rows("", &[]).is_empty() && rows("sep=;\n", &[]).is_empty());
    }
}
