//! Writes CSV and TSV in which no spreadsheet finds a formula.
//!
//! A reader that splits at another separator than the writer's begins a cell inside a cell, whatever the quotes. So
//! the text after a separator or a line end in a cell is checked as well as the cell's beginning.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// How the cells of a sheet are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetFormat {
    /// By tabs.
    Tabs,
    /// By commas, with a byte order mark, without which Excel takes the file for text of another encoding.
    Commas,
}

impl SheetFormat {
    /// Returns the format that a file's name asks for: commas for `.csv`, or else tabs.
    pub fn of(path: &Path) -> Self {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let plain =
            [".gz", ".zst"].iter().fold(name.as_str(), |name, end| name.strip_suffix(end).unwrap_or(name));
        if plain.ends_with(".csv") { Self::Commas } else { Self::Tabs }
    }

    pub(crate) fn separator(self) -> &'static str {
        match self {
            Self::Tabs => "\t",
            Self::Commas => ",",
        }
    }
}

/// Characters that begin a formula: a spreadsheet would compute it, or fetch from a server. Some read the wide forms
/// of East Asian fonts alike.
pub(crate) const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A cell of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A text that comes from a file or a person.
    Text(&'a str),
    /// A figure or a name that llull has made.
    Value(&'a str),
}

/// Writes a row of CSV or TSV (RFC 4180). An apostrophe is put before a text that a spreadsheet would take for a
/// formula, at the beginning of a cell or after a separator or a line end in it.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_row(out: &mut dyn Write, format: SheetFormat, cells: &[Cell<'_>]) -> io::Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.write_all(format.separator().as_bytes())?;
        }
        match cell {
            Cell::Text(text) => write_quoted(out, &marked(text, format))?,
            Cell::Value(text) => write_quoted(out, text)?,
        }
    }
    out.write_all(b"\n")
}

/// Writes a cell, in quotes if any reader could take it for several.
fn write_quoted(out: &mut dyn Write, cell: &str) -> io::Result<()> {
    let is_padded = cell.starts_with(char::is_whitespace) || cell.ends_with(char::is_whitespace);
    if is_padded || cell.contains(['"', ',', ';', '\t', '\n', '\r']) {
        write!(out, "\"{}\"", cell.replace('"', "\"\""))
    } else {
        out.write_all(cell.as_bytes())
    }
}

/// Returns the text with an apostrophe before each formula.
pub(crate) fn marked(text: &str, format: SheetFormat) -> String {
    let mut made = String::with_capacity(text.len());
    each_beginning(text, format, |before, beginning, is_formula| {
        made.push_str(before);
        if is_formula {
            made.push('\'');
        }
        made.push_str(beginning);
    });
    made
}

/// Returns the text that [`marked`] made this of. Only files that llull reads back exactly need it.
pub(crate) fn without_marks(text: &str, format: SheetFormat) -> String {
    let mut made = String::with_capacity(text.len());
    each_beginning(text, format, |before, beginning, is_formula| {
        made.push_str(before);
        let rest = beginning.strip_prefix('\'').filter(|_| is_formula);
        made.push_str(rest.unwrap_or(beginning));
    });
    made
}

/// Passes the text in pieces: the text before a possible beginning of a cell, with the blanks and quotes after it; the
/// apostrophes there; and whether a formula follows them.
fn each_beginning(text: &str, format: SheetFormat, mut each: impl FnMut(&str, &str, bool)) {
    let separates = |c: char| match c {
        '\n' | '\r' | ';' => true,
        ',' => format != SheetFormat::Commas,
        '\t' => format != SheetFormat::Tabs,
        _ => false,
    };
    let mut rest = text;
    let mut searched = 0;
    loop {
        let blanks = rest.get(searched..).unwrap_or_default();
        let begin = searched + blanks.len()
            - blanks.trim_start_matches(|c: char| c == '"' || c.is_whitespace() || c.is_control()).len();
        let (before, behind) = rest.split_at(begin);
        let apostrophes = behind.len() - behind.trim_start_matches('\'').len();
        let (beginning, after) = behind.split_at(apostrophes);
        each(before, beginning, after.starts_with(FORMULA));
        rest = after;
        match rest.char_indices().find(|(_, c)| separates(*c)) {
            Some((at, c)) => searched = at + c.len_utf8(),
            None => break,
        }
    }
    each(rest, "", false);
}

/// The most UTF-16 units of a cell: Excel cuts text beyond 32,767 silently.
const LONGEST_CELL: usize = 32_000;

/// Returns a text within the length limit of a cell. The end of a longer one is left out and counted.
pub(crate) fn shortened(line: &str) -> Cow<'_, str> {
    if line.encode_utf16().count() <= LONGEST_CELL {
        return Cow::Borrowed(line);
    }
    let mut units = 0;
    let kept: String = line
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= LONGEST_CELL
        })
        .collect();
    let left = line.chars().count() - kept.chars().count();
    Cow::Owned(format!("{kept} [{left} more characters]"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(cells: &[Cell<'_>], format: SheetFormat) -> String {
        let mut out = Vec::new();
        write_row(&mut out, format, cells).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The beginnings of cells for a reader that ignores quotes.
    fn beginnings(written: &str, separator: char) -> Vec<String> {
        let cells = written.split([separator, '\n', '\r']);
        cells.map(|cell| cell.trim_matches(|c: char| c == '"' || c.is_whitespace()).to_owned()).collect()
    }

    #[test]
    fn a_formula_behind_a_separator_is_marked_for_readers_that_split_there() {
        let text = Cell::Text("see;=cmd|' /C calc'!A0");
        assert_eq!(
            row(&[Cell::Text("=q0"), text, Cell::Value("-0.5")], SheetFormat::Commas),
            "'=q0,\"see;'=cmd|' /C calc'!A0\",-0.5\n"
        );
        assert_eq!(row(&[Cell::Text("a, \"-b\"")], SheetFormat::Tabs), "\"a, \"\"'-b\"\"\"\n");
        assert_eq!(row(&[Cell::Text("a, -b")], SheetFormat::Commas), "\"a, -b\"\n");
        assert_eq!(row(&[Cell::Text("one\n\t@SUM(A1)")], SheetFormat::Commas), "\"one\n\t'@SUM(A1)\"\n");
        assert_eq!(row(&[Cell::Text("a = b"), Cell::Text("")], SheetFormat::Tabs), "a = b\t\n");
    }

    proptest! {
        #[test]
        fn no_reader_finds_a_formula_and_marks_are_taken_away_again(
            cells in proptest::collection::vec("[=+@;,'\"\t\r\n a-]{0,9}|\\PC{0,20}", 1..4),
        ) {
            for format in [SheetFormat::Commas, SheetFormat::Tabs] {
                let written = row(&cells.iter().map(|cell| Cell::Text(cell)).collect::<Vec<_>>(), format);
                for separator in [';', if format == SheetFormat::Commas { '\t' } else { ',' }] {
                    for beginning in beginnings(&written, separator) {
                        // The writer's own separator is before a cell, too.
                        prop_assert!(!beginning.starts_with(FORMULA), "{written:?} at {separator:?}");
                    }
                }
                for cell in &cells {
                    prop_assert_eq!(&without_marks(&marked(cell, format), format), cell);
                }
            }
        }
    }
}
