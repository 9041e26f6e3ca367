//! Writes a sheet, with cells that spreadsheets leave unchanged.

use std::io::Write;

use super::row::Sheet;
use crate::DataError;
use crate::spreadsheet::{Cell, SheetFormat, marked, shortened, write_row};
use crate::trec::output;

/// Writes a sheet: a line of headings, then a line for each row in this order, with empty cells for the answer and
/// `note`. The columns of texts are absent if no row has texts.
///
/// Text cannot act in a spreadsheet, nor break a line: a cell that could begin a formula has an apostrophe before it,
/// and line ends and control characters are spaces. A text that a spreadsheet would take for a number or a date has an
/// apostrophe before it, too. Text beyond 32,000 characters is counted and left out.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_sheet(sheet: &Sheet, format: SheetFormat, out: &mut dyn Write) -> Result<(), DataError> {
    let headings = headings(sheet);
    if format == SheetFormat::Commas {
        out.write_all("\u{feff}".as_bytes()).map_err(output)?;
    }
    let headings: Vec<Cell<'_>> = headings.into_iter().map(Cell::Value).collect();
    write_row(out, format, &headings).map_err(output)?;
    let draw = sheet.draw.to_string();
    for row in &sheet.rows {
        // Cells are marked already, for the hash of their row.
        let cells = row.cells(&draw);
        let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Value(cell)).collect();
        write_row(out, format, &cells).map_err(output)?;
    }
    out.flush().map_err(output)
}

/// Writes a sheet as a workbook (xlsx), with the same cells.
///
/// # Errors
/// Returns an error if `out` fails.
#[cfg(feature = "xlsx")]
pub fn write_sheet_workbook(sheet: &Sheet, out: &mut dyn Write) -> Result<(), DataError> {
    use crate::row_entry::Entry;
    let draw = sheet.draw.to_string();
    let entry = |cell: String| if cell.is_empty() { Entry::Missing } else { Entry::text(cell) };
    let rows = sheet.rows.iter().map(|row| row.cells(&draw).into_iter().map(entry).collect());
    crate::workbook::write_workbook(&headings(sheet), rows, out).map(drop)
}

fn headings(sheet: &Sheet) -> Vec<&'static str> {
    let mut headings = sheet.form.headings();
    if sheet.rows.iter().all(|row| row.texts.is_empty()) {
        headings.truncate(headings.len() - sheet.form.texts().len());
    }
    headings
}

/// Returns a text as a cell: one line, without control characters, not a formula, and within the length limit of
/// spreadsheets.
///
/// A character that reverses the order of text becomes U+FFFD: a line must show its content.
pub(super) fn cell(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().map(|c| if reorders(c) { char::REPLACEMENT_CHARACTER } else { c }));
    }
    // The mark of a row is a hash of its cells, so that they are the same in both formats.
    marked(&shortened(&line), SheetFormat::Tabs)
}

/// Returns a text as [`cell`] does. An apostrophe precedes text that a spreadsheet would take for a number, a date or
/// a truth value, and rewrite: `3.50`, `4 March 2012`, `TRUE`.
pub(super) fn text_cell(text: &str) -> String {
    let line = cell(text);
    if is_taken_for_a_value(&line) { format!("'{line}") } else { line }
}

/// How long a number or a date is at most, in characters.
const LONGEST_VALUE: usize = 40;

/// The beginnings of months' names in the languages of common spreadsheets, and other parts of numbers and times.
const IN_VALUES: [&str; 23] = [
    "jan", "feb", "fév", "mar", "mär", "apr", "avr", "may", "mai", "jun", "jui", "jul", "aug", "aoû", "sep",
    "oct", "okt", "nov", "dec", "dez", "déc", "am", "pm",
];

fn is_taken_for_a_value(line: &str) -> bool {
    if line.eq_ignore_ascii_case("true") || line.eq_ignore_ascii_case("false") {
        return true;
    }
    if line.starts_with('\'')
        || line.chars().count() > LONGEST_VALUE
        || !line.contains(|c: char| c.is_numeric())
    {
        return false;
    }
    let line = line.to_lowercase();
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.all(|word| word.chars().count() == 1 || IN_VALUES.iter().any(|begin| word.starts_with(begin)))
}

fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the part of a cell that survives in a spreadsheet: without white space, and without the apostrophe that
/// marks text, which some spreadsheets remove.
pub(super) fn essence(cell: &str) -> String {
    cell.trim_start_matches(|c: char| c == '\'' || c.is_whitespace())
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spreadsheet::FORMULA;

    #[test]
    fn no_cell_is_a_formula_or_ends_a_line() {
        for (text, expected) in [
            ("=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"),
            ("  =1+1", "'=1+1"),
            ("\t@SUM(A1)", "'@SUM(A1)"),
            ("-2 degrees", "'-2 degrees"),
            ("＝1", "'＝1"),
            ("one\r\ntwo\u{2028}three\u{85}four\u{0}five", "one two three four five"),
            ("a = b", "a = b"),
            ("see;=1+1", "see;'=1+1"),
            ("abc\u{202e}cba", "abc\u{fffd}cba"),
            (" \n ", ""),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let long = cell(&"𝄞".repeat(20_000));
        assert!(long.ends_with(" [4000 more characters]"), "{}", &long[long.len() - 40..]);
        assert!(long.encode_utf16().count() < 32_767);
    }

    #[test]
    fn a_text_that_is_a_value_stays_text() {
        for value in [
            "1912",
            "3.50",
            "1/2",
            "2012-03-04",
            "4 March 2012",
            "1e5",
            "12:30 pm",
            "$5",
            "10 %",
            "TRUE",
            "4. März 2012",
        ] {
            assert_eq!(text_cell(value), format!("'{value}"));
        }
        for text in ["in 1912", "the", "", "10 marbles in a bag", "-1", "'1"] {
            assert_eq!(text_cell(text), cell(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_one_harmless_line(text in "\\PC{0,40}|[=+@\t\r\n '\"-]{0,8}\\PC{0,8}|(?s:.{0,30})") {
            let made = cell(&text);
            prop_assert!(!made.starts_with(FORMULA));
            prop_assert!(!made.contains(|c: char| c.is_control() || (c.is_whitespace() && c != ' ')));
            prop_assert_eq!(essence(&made), essence(made.trim_start_matches('\'')));
        }
    }
}
