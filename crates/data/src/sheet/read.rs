//! Reads a sheet that annotators have filled in.

use std::collections::BTreeMap;
use std::path::Path;

use super::queue_row::queue_parts;
use super::row::{item, parts};
use crate::csv::Records;
use crate::error::shown_path;
use crate::lines::{Line, Lines};
use crate::{Conflict, DataError};

/// A sheet that was filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetFile {
    /// The sample whose sheet it is.
    pub draw: String,
    /// Its rows, in the order of the file.
    pub answers: Vec<SheetAnswer>,
    /// The names of columns that are not read.
    pub unread: Vec<String>,
}

/// A row that was filled in, or left blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetAnswer {
    /// Its line in the file.
    pub line: u64,
    /// Its number in the sample's frame, from 1.
    pub number: usize,
    /// The query's identifier as the sheet shows it.
    pub query: String,
    /// The document's identifier as the sheet shows it.
    pub document: String,
    /// The grade; `None` if the cell is blank.
    pub grade: Option<i32>,
    /// The annotator's note; can be empty.
    pub note: String,
}

/// Reads a sheet of [`write_sheet`](crate::write_sheet) that annotators filled in, as spreadsheets save it: separated
/// by tabs, commas or semicolons, in any order of lines and columns. A line of blank cells is left out.
///
/// # Errors
/// Returns an error that names the line if the file cannot be read, or a row differs from the written one (columns
/// that were sorted apart, texts that were edited). It also refuses a row that occurs twice or belongs to another
/// sample than the first, and a grade that is not a whole number.
pub fn read_sheet(path: impl AsRef<Path>) -> Result<SheetFile, DataError> {
    let path = path.as_ref();
    let file = shown_path(path);
    let mut records = records(path)?;
    let empty = || DataError::Empty {
        file: file.clone(),
        wanted: "row",
        remedy: "A sheet begins with the headings item, grade, note, query, document".into(),
    };
    if !records.advance()? {
        return Err(empty());
    }
    let columns = Columns::of(&records)?;
    let (mut draw, mut answers) = (None::<String>, Vec::new());
    let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
    while records.advance()? {
        if (0..records.len()).all(|at| records.field_at(at).is_empty()) {
            continue;
        }
        let (of, answer) = columns.answer(&records)?;
        let place = records.place();
        match &draw {
            Some(first) if *first != of => {
                return Err(place.wrong(
                    Some((columns.item + 1, "item")),
                    format!("a row of the sample {of}"),
                    &format!("one of {first}, as above"),
                    "Give the sheets of different samples one after the other",
                ));
            }
            _ => draw = Some(of),
        }
        if let Some(first) = lines.insert(answer.number, answer.line) {
            return Err(DataError::from(Conflict {
                file: file.clone(),
                first: Some(first),
                second: answer.line,
                what: format!("both are document {} of query {}", answer.document, answer.query),
                remedy: "Keep the one that counts".into(),
            }));
        }
        answers.push(answer);
    }
    let draw = draw.ok_or_else(empty)?;
    Ok(SheetFile { draw, answers, unread: columns.unread })
}

/// Opens a sheet.
pub(super) fn records(path: &Path) -> Result<Records, DataError> {
    Records::find_separator(Lines::open(path)?, |name| name.eq_ignore_ascii_case("item"))
}

/// Where each column stands, from 0.
struct Columns {
    item: usize,
    grade: usize,
    note: Option<usize>,
    query: usize,
    document: usize,
    texts: Option<(usize, usize)>,
    unread: Vec<String>,
}

impl Columns {
    fn of(records: &Records) -> Result<Self, DataError> {
        let line = records.place();
        let names: Vec<&str> = (0..records.len()).map(|at| records.field_at(at)).collect();
        let place = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let (Some(item), Some(grade), Some(query), Some(document)) =
            (place("item"), place("grade"), place("query"), place("document"))
        else {
            return Err(line.unexpected(
                "the headings of a sheet: item, grade, note, query, document, and query_text and text if it has texts",
                "Fill in the sheet that llull sample wrote, and leave its headings as they are",
            ));
        };
        let texts = place("query_text").zip(place("text"));
        let (note, read) = (place("note"), [place("query_text"), place("text")]);
        let known = |at: &usize| {
            [item, grade, query, document].contains(at) || note == Some(*at) || read.contains(&Some(*at))
        };
        let unread = names.iter().enumerate().filter(|(at, name)| !known(at) && !name.is_empty());
        let unread = unread.map(|(_, name)| (*name).to_owned()).collect();
        Ok(Self { item, grade, note, query, document, texts, unread })
    }

    fn answer(&self, record: &Records) -> Result<(String, SheetAnswer), DataError> {
        let line = record.place();
        let field = |at: usize| record.field_at(at);
        let mark = field(self.item);
        let Some((draw, number)) = parts(mark) else {
            if queue_parts(mark).is_some() {
                return Err(line.wrong(
                    Some((self.item + 1, "item")),
                    "a row of a queue's sheet",
                    "one of a sheet that llull sample wrote",
                    "llull review --read takes the sheets of queues",
                ));
            }
            return Err(line.bad_column(
                self.item + 1,
                "item",
                mark,
                "a mark such as s1f0a2b3c.17.x0c1d2e3f",
                "Leave the column item as llull sample wrote it",
            ));
        };
        let texts = self.texts.map(|(query, text)| [query, text]);
        let shown = [self.query, self.document].into_iter().chain(texts.into_iter().flatten());
        if item(draw, number, shown.map(field)) != mark {
            return Err(line.wrong(
                None,
                format!("document {} of query {} beside the item {mark}", field(self.document), field(self.query)),
                "what llull sample wrote there",
                "Was one column sorted without the others, a text edited, or the file saved in another encoding than \
                 UTF-8? Copy the column of grades into a fresh sheet",
            ));
        }
        let grade = grade(&line, self.grade, field(self.grade))?;
        let note = self.note.map(field).unwrap_or_default().trim().to_owned();
        let (query, document) = (field(self.query).to_owned(), field(self.document).to_owned());
        Ok((draw.to_owned(), SheetAnswer { line: line.number, number, query, document, grade, note }))
    }
}

/// Reads a grade. Programs that know only numbers with decimals write 2 as 2.0.
fn grade(line: &Line<'_>, at: usize, text: &str) -> Result<Option<i32>, DataError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    whole_number(text).map(Some).ok_or_else(|| {
        line.bad_column(
            at + 1,
            "grade",
            text,
            "a whole number of the rubric's scale",
            "Leave the cell blank if it cannot be told: that is counted, and not taken for a grade",
        )
    })
}

/// Returns the whole number in a cell, whose decimals, if it has some, are zeros.
pub(super) fn whole_number(text: &str) -> Option<i32> {
    let whole = text
        .split_once(['.', ','])
        .filter(|(_, decimals)| !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'0'))
        .map_or(text, |(whole, _)| whole);
    whole.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SheetFormat, SheetRow, write_sheet};

    fn rows() -> Vec<SheetRow> {
        let row = |number, document: &str, text: &str| SheetRow {
            number,
            query: "q1".into(),
            document: document.into(),
            texts: Some(("how, \"exactly\"?".into(), text.into())),
        };
        vec![row(3, "d3", "=cmd|' /C calc'!A1"), row(1, "-d1", "two\nlines; and more")]
    }

    fn written(format: SheetFormat) -> String {
        let mut out = Vec::new();
        write_sheet("s0a1b2c3d", &rows(), format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(text: &str) -> Result<SheetFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet");
        fs_err::write(&path, text).unwrap();
        read_sheet(&path).map_err(|error| error.to_string().replace(&shown_path(&path), "sheet"))
    }

    fn grades(sheet: &SheetFile) -> Vec<(usize, Option<i32>)> {
        sheet.answers.iter().map(|answer| (answer.number, answer.grade)).collect()
    }

    #[test]
    fn a_sheet_comes_back_with_its_grades_from_either_format() {
        for format in [SheetFormat::Tabs, SheetFormat::Commas] {
            let text = written(format);
            assert!(text.contains("'=cmd|") && text.contains("'-d1"), "{text}");
            assert_eq!(text.lines().count(), 3, "{text}");
            let separator = format.separator();
            let blank = read(&text).unwrap();
            assert_eq!((blank.draw.as_str(), grades(&blank)), ("s0a1b2c3d", vec![(3, None), (1, None)]));
            let filled =
                text.replacen(&separator.repeat(3), &format!("{separator}2.0{separator}sure{separator}"), 1);
            let sheet = read(&filled).unwrap();
            assert_eq!(grades(&sheet), [(3, Some(2)), (1, None)]);
            assert_eq!((sheet.answers[0].note.as_str(), sheet.answers[0].line), ("sure", 2));
        }
    }

    #[test]
    fn semicolons_other_columns_another_order_and_lost_apostrophes_are_read() {
        let text = written(SheetFormat::Tabs);
        let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        lines[0].push("mine");
        lines[1].push("x");
        lines[2].push("");
        lines[2][1] = "0";
        let saved: Vec<String> = lines
            .iter()
            .rev()
            .map(|cells| cells.iter().rev().copied().collect::<Vec<_>>().join(";"))
            .collect();
        let saved = format!("{}\n{}\n\n;;;;;;;\n{}\n", saved[2], saved[0], saved[1]).replace("'-d1", "-d1");
        let sheet = read(&saved).unwrap();
        assert_eq!((grades(&sheet), sheet.unread), (vec![(1, Some(0)), (3, None)], vec!["mine".to_owned()]));
    }

    #[test]
    fn what_was_not_written_so_is_refused_with_its_line() {
        let text = written(SheetFormat::Tabs);
        let (first, second) = (text.lines().nth(1).unwrap(), text.lines().nth(2).unwrap());
        let sorted_apart = {
            let (item, rest) = first.split_once('\t').unwrap();
            let (other, others) = second.split_once('\t').unwrap();
            text.replace(first, &format!("{other}\t{rest}")).replace(second, &format!("{item}\t{others}"))
        };
        for (text, said) in [
            (
                text.replace("two lines", "two words"),
                "line 3: found document '-d1 of query q1 beside the item",
            ),
            (sorted_apart, "line 2: found document d3 of query q1"),
            (text.replacen("\t\t", "\tgood\t", 1), "line 2, column 2 (grade): found \"good\""),
            (text.replacen("\t\t", "\t1.5\t", 1), "line 2, column 2 (grade): found \"1.5\""),
            (format!("{text}{first}\n"), "lines 2 and 4"),
            (text.replacen("s0a1b2c3d", "17", 1), "line 2"),
            (text.replace("grade", "score"), "the headings of a sheet"),
            ("item\tgrade\tquery\tdocument\n".to_owned(), "there is no row in it"),
            (String::new(), "there is no row in it"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }
}
