//! Workbooks of spreadsheet programs (xlsx), with one sheet.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use calamine::{Data, Reader as _, Xlsx};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::DataError;
use crate::error::{output, shown_path};
use crate::lines::Lines;
use crate::open::{ZIP, open};
use crate::row_entry::Entry;
use crate::spreadsheet::{Cell, SheetFormat, shortened, write_row};
use crate::unwound::unwound;
use crate::whole::file_limit;

/// Above this, two whole numbers may be equal in a spreadsheet.
const EXACT: u64 = 1 << 53;

/// Writes a sheet: headings, which stay in sight, and rows. Texts are cells of text, which no program computes.
pub(crate) fn write_workbook<'a>(
    headings: &[&str],
    rows: impl Iterator<Item = Vec<Entry<'a>>>,
    out: &mut dyn Write,
) -> Result<usize, DataError> {
    let refused = |error: XlsxError| DataError::NoForm { what: error.to_string(), format: "xlsx" };
    let mut book = Workbook::new();
    // Without a date of its own a workbook has the present one, and no two are the same.
    let date = ExcelDateTime::from_ymd(2000, 1, 1).map_err(refused)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&date));
    let sheet = book.add_worksheet();
    sheet.set_freeze_panes(1, 0).map_err(refused)?;
    for (column, heading) in (0..).zip(headings) {
        sheet.write_string(0, column, *heading).map_err(refused)?;
    }
    let mut written = 0;
    for (row, line) in rows.zip(1..) {
        for (column, entry) in (0..).zip(row) {
            match entry {
                Entry::Missing => continue,
                Entry::Text(text) => sheet.write_string(line, column, shortened(&text)),
                Entry::Whole(number) if number.unsigned_abs() > EXACT => {
                    sheet.write_string(line, column, number.to_string())
                }
                Entry::Whole(number) => sheet.write_number(line, column, number as f64),
                Entry::Number(number) => sheet.write_number(line, column, number),
            }
            .map_err(refused)?;
        }
        written += 1;
    }
    let bytes = book.save_to_buffer().map_err(refused)?;
    out.write_all(&bytes).map_err(output)?;
    Ok(written)
}

/// Opens a table: text, or the first sheet of a workbook as fields between tabs. The first bytes decide.
pub(crate) fn open_table(path: &Path) -> Result<Lines, DataError> {
    let (file, mut reader) = (shown_path(path), open(path)?);
    let mut head = Vec::new();
    reader
        .by_ref()
        .take(ZIP.len() as u64)
        .read_to_end(&mut head)
        .map_err(|source| DataError::io(path, "read", source))?;
    let is_workbook = head == ZIP;
    let whole = Cursor::new(head).chain(reader);
    if !is_workbook {
        return Ok(Lines::over(file, Box::new(whole)));
    }
    let sheet = sheet_text(&file, whole, SheetFormat::Tabs)?;
    Ok(Lines::over(file, Box::new(Cursor::new(sheet))))
}

/// Returns the first sheet of a workbook as text, with a line for each row.
///
/// # Errors
/// Returns an error if the file cannot be read, is too large, or is no workbook.
pub(crate) fn sheet_text(file: &str, reader: impl Read, format: SheetFormat) -> Result<Vec<u8>, DataError> {
    let (limit, mut bytes) = (file_limit(), Vec::new());
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| DataError::Io { file: file.to_owned(), action: "read", source })?;
    if bytes.len() as u64 > limit {
        return Err(DataError::TooLarge { file: file.to_owned(), limit });
    }
    unwound(|| first_sheet(bytes, format))
        .unwrap_or_else(|| Err("its parts contradict each other".to_owned()))
        .map_err(|reason| DataError::Damaged { file: file.to_owned(), kind: "workbook", reason })
}

/// Cells are read one by one: a small file may have two of them at opposite ends of a sheet of billions.
fn first_sheet(bytes: Vec<u8>, format: SheetFormat) -> Result<Vec<u8>, String> {
    let said = |error: calamine::XlsxError| error.to_string();
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(said)?;
    let name = book.sheet_names().first().cloned().ok_or("it has no sheet")?;
    let mut rows: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    let mut reader = book.worksheet_cells_reader(&name).map_err(said)?;
    while let Some(found) = reader.next_cell().map_err(said)? {
        let (row, column) = found.get_position();
        let text = cell(&Data::from(found.get_value().clone()));
        if !text.is_empty() {
            rows.entry(row).or_default().insert(column, text);
        }
    }
    let width = |row: &BTreeMap<u32, String>| row.keys().next_back().map_or(0, |last| last + 1);
    // The first row has the headings.
    let headings = rows.values().next().map_or(0, width);
    let (mut text, mut line) = (Vec::new(), 0);
    for (row, mut cells) in rows {
        text.extend(std::iter::repeat_n(b'\n', (row - line) as usize));
        let cells: Vec<String> = (0..width(&cells).max(headings))
            .map(|column| cells.remove(&column).unwrap_or_default())
            .collect();
        let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Value(cell)).collect();
        write_row(&mut text, format, &cells).map_err(|error| error.to_string())?;
        if text.len() as u64 > file_limit() {
            return Err(format!("its first sheet has more than {} bytes", file_limit()));
        }
        line = row + 1;
    }
    Ok(text)
}

fn cell(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        // A date or an error is shown as it is, and refused by whoever reads the table.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// openpyxl 3.1.5 reads this file: `list(load_workbook(file).active.values)` is `[("name", "grade"), ("'=1+1", 2),
    /// ("7", None), ("9007199254740993", -0.5)]`.
    fn book() -> Vec<u8> {
        let rows = vec![
            vec![Entry::text("'=1+1"), Entry::Whole(2)],
            vec![Entry::text("7"), Entry::Missing],
            vec![Entry::Whole((1 << 53) + 1), Entry::Number(-0.5)],
        ];
        let mut bytes = Vec::new();
        assert_eq!(write_workbook(&["name", "grade"], rows.into_iter(), &mut bytes).unwrap(), 3);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        fs_err::write(&path, bytes).unwrap();
        let mut lines = open_table(&path).map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while let Some(line) = lines.next_filled().map_err(|error| error.to_string())? {
            all.push(line.text.to_owned());
        }
        Ok(all)
    }

    #[test]
    fn a_workbook_comes_back_as_it_was_and_is_the_same_each_time() {
        assert_eq!(read(&book()).unwrap(), ["name\tgrade", "'=1+1\t2", "7\t", "9007199254740993\t-0.5"]);
        assert_eq!(book(), book(), "no clock is in it");
        assert_eq!(read(b"name,grade\n").unwrap(), ["name,grade"], "text is read as text");
    }

    /// A dense range of this sheet would have 17 billion cells.
    #[test]
    fn cells_far_apart_are_read() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        sheet.write_string(0, 0, "name").unwrap();
        sheet.write_string(1_048_575, 16_383, "far").unwrap();
        let lines = read(&book.save_to_buffer().unwrap()).unwrap();
        assert_eq!((lines[0].as_str(), lines[1].trim_start(), lines.len()), ("name", "far", 2));
    }

    #[test]
    fn a_damaged_workbook_is_an_error() {
        let whole = book();
        let cut = read(&whole[..whole.len() / 2]).unwrap_err();
        assert!(cut.contains("table.csv: this workbook cannot be read: "), "{cut}");
        assert!(read(b"PK\x03\x04").unwrap_err().contains("this workbook cannot be read"));
    }

    #[test]
    fn a_text_too_long_for_a_cell_is_cut_with_the_count_of_the_rest() {
        let rows = vec![vec![Entry::text("x".repeat(40_000))]].into_iter();
        let mut bytes = Vec::new();
        write_workbook(&["text"], rows, &mut bytes).unwrap();
        let cut = format!("{} [8000 more characters]", "x".repeat(32_000));
        assert_eq!(read(&bytes).unwrap(), ["text".to_owned(), cut]);
    }
}
