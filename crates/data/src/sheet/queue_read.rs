//! Reads the sheet of a queue that annotators have filled in.

use std::collections::BTreeMap;
use std::path::Path;

use super::answer::CellAnswer;
use super::queue_row::{QueueSheetForm, queue_mark, queue_parts};
use super::read::records;
use super::row::parts;
use crate::csv::Records;
use crate::error::shown_path;
use crate::lines::Line;
use crate::{Conflict, DataError};

/// The end of an error's message: one row cannot be read, so no row is recorded.
const NOTHING: &str = "; nothing of this file was recorded";

/// A sheet of a queue that was filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSheetFile {
    /// The name of the draw of its pairs, unchanged.
    pub draw: String,
    /// The question of the sheet.
    pub form: QueueSheetForm,
    /// Its rows, in the order of the file.
    pub answers: Vec<QueueSheetAnswer>,
    /// The names of columns that are not read.
    pub unread: Vec<String>,
}

/// A row that was filled in, or left blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSheetAnswer {
    /// Its line in the file.
    pub line: u64,
    /// Its number, from 1.
    pub number: usize,
    /// The unique name of the pair.
    pub item: String,
    /// The annotator's answer; `None` if the cell is blank.
    pub said: Option<CellAnswer>,
    /// The annotator's note; can be empty.
    pub note: String,
}

/// Reads a sheet of [`write_queue_sheet`](crate::write_queue_sheet) that annotators filled in, as spreadsheets save
/// it: separated by tabs, commas or semicolons, with or without a byte order mark, in any order of lines and columns.
/// A line of blank cells is left out.
///
/// # Errors
/// Returns an error that names the line if the file cannot be read, or a row differs from the written one (columns
/// that were sorted apart, texts that were edited). It also refuses a row that occurs twice or belongs to another
/// queue than the first, and a cell that is not an answer to the question.
pub fn read_queue_sheet(path: impl AsRef<Path>) -> Result<QueueSheetFile, DataError> {
    let path = path.as_ref();
    let file = shown_path(path);
    let mut records = records(path)?;
    let empty = || DataError::Empty {
        file: file.clone(),
        wanted: "row",
        remedy: "llull review --queue QUEUE -o FILE writes a sheet".into(),
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
        match &draw {
            Some(first) if *first != of => {
                return Err(records.place().wrong(
                    Some((columns.item + 1, "item")),
                    format!("a row of the sheet {of}"),
                    &format!("one of {first}, as above"),
                    "Give the sheets of different queues one after the other",
                ));
            }
            _ => draw = Some(of),
        }
        if let Some(first) = lines.insert(answer.number, answer.line) {
            return Err(DataError::from(Conflict {
                file: file.clone(),
                first: Some(first),
                second: answer.line,
                what: format!("both are pair {} of the sheet", answer.number),
                remedy: "Keep the one that counts".into(),
            }));
        }
        answers.push(answer);
    }
    let draw = draw.ok_or_else(empty)?;
    Ok(QueueSheetFile { draw, form: columns.form, answers, unread: columns.unread })
}

/// Where each column stands, from 0.
struct Columns {
    form: QueueSheetForm,
    item: usize,
    answer: usize,
    note: Option<usize>,
    texts: Vec<usize>,
    unread: Vec<String>,
}

impl Columns {
    fn of(records: &Records) -> Result<Self, DataError> {
        let names: Vec<&str> = (0..records.len()).map(|at| records.field_at(at)).collect();
        let place = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let form = match (place("left_text"), place("expected")) {
            (Some(_), _) => QueueSheetForm::Compare,
            (None, Some(_)) => QueueSheetForm::Answers,
            (None, None) => QueueSheetForm::Grade,
        };
        let texts: Option<Vec<usize>> = form.texts().iter().map(|name| place(name)).collect();
        let (Some(item), Some(answer), Some(texts)) = (place("item"), place(form.answer()), texts) else {
            return Err(records.place().unexpected(
                &format!("the headings of a queue's sheet: {}", form.headings()),
                "Fill in the sheet that llull wrote, and leave its headings as they are",
            ));
        };
        let note = place("note");
        let known = |at: &usize, name: &str| {
            [item, answer].contains(at)
                || note == Some(*at)
                || texts.contains(at)
                || form.names().iter().any(|known| known.eq_ignore_ascii_case(name))
        };
        let unread = names.iter().enumerate().filter(|(at, name)| !known(at, name) && !name.is_empty());
        let unread = unread.map(|(_, name)| (*name).to_owned()).collect();
        Ok(Self { form, item, answer, note, texts, unread })
    }

    fn answer(&self, record: &Records) -> Result<(String, QueueSheetAnswer), DataError> {
        let line = record.place();
        let field = |at: usize| record.field_at(at);
        let mark = field(self.item);
        let Some((draw, number, item)) = queue_parts(mark) else { return Err(self.no_mark(&line, mark)) };
        if queue_mark(draw, number, item, self.texts.iter().map(|at| field(*at))) != mark {
            return Err(line.wrong(
                None,
                format!("other texts beside the item {mark}"),
                "what llull wrote there",
                &format!(
                    "Was one column sorted without the others, a text edited, or the file saved in another encoding \
                     than UTF-8? Copy the column of answers into a fresh sheet{NOTHING}"
                ),
            ));
        }
        let text = field(self.answer).trim();
        let said = match (text, CellAnswer::read(text, self.form)) {
            ("", _) => None,
            (_, Some(said)) => Some(said),
            (_, None) => {
                return Err(line.bad_column(
                    self.answer + 1,
                    self.form.answer(),
                    text,
                    CellAnswer::wanted(self.form),
                    &format!("Leave the cell blank if nobody has looked{NOTHING}"),
                ));
            }
        };
        let note = self.note.map(field).unwrap_or_default().trim().to_owned();
        let answer = QueueSheetAnswer { line: line.number, number, item: item.to_owned(), said, note };
        Ok((draw.to_owned(), answer))
    }

    fn no_mark(&self, line: &Line<'_>, mark: &str) -> DataError {
        if parts(mark).is_some() {
            return line.wrong(
                Some((self.item + 1, "item")),
                "a row of a sample's sheet",
                "one of a sheet that llull review wrote",
                "llull sample --read takes the sheets of llull sample",
            );
        }
        line.bad_column(
            self.item + 1,
            "item",
            mark,
            "a mark such as random-n40.17.0a1b2c3d4e5f.x0c1d2e3f",
            &format!("Leave the column item as it was written{NOTHING}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QueueSheetRow, SheetFormat, write_queue_sheet};

    const DRAW: &str = "random-n2-p9-s42";

    fn rows(form: QueueSheetForm) -> Vec<QueueSheetRow> {
        let texts = |last: &str| {
            let mut texts = vec!["how, \"exactly\"?".to_owned(), "1/2".to_owned(), last.to_owned()];
            texts.truncate(form.texts().len() - 1);
            texts.push(last.to_owned());
            texts
        };
        let row = |number, item: &str, last: &str| QueueSheetRow {
            number,
            item: item.to_owned(),
            names: form.names().iter().map(|name| format!("00{name}")).collect(),
            texts: texts(last),
        };
        vec![row(2, "aa00", "=cmd|' /C calc'!A1"), row(1, "bb00", "two\nlines; and @more")]
    }

    fn written(form: QueueSheetForm, format: SheetFormat) -> String {
        let mut out = Vec::new();
        write_queue_sheet(form, DRAW, &rows(form), format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(text: &str) -> Result<QueueSheetFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet");
        fs_err::write(&path, text).unwrap();
        read_queue_sheet(&path).map_err(|error| error.to_string().replace(&shown_path(&path), "sheet"))
    }

    fn said(sheet: &QueueSheetFile) -> Vec<(usize, &str, Option<CellAnswer>)> {
        let said = |answer: &QueueSheetAnswer| (answer.number, answer.said);
        let items = sheet.answers.iter().map(|answer| answer.item.as_str());
        items.zip(&sheet.answers).map(|(item, answer)| (said(answer).0, item, said(answer).1)).collect()
    }

    /// The first row with this answer and note.
    fn filled(text: &str, separator: &str, answer: &str) -> String {
        text.replacen(&separator.repeat(3), &format!("{separator}{answer}{separator}sure{separator}"), 1)
    }

    #[test]
    fn a_sheet_comes_back_with_its_answers_from_every_form_and_format() {
        for (form, answer, expected) in [
            (QueueSheetForm::Grade, "2,0", CellAnswer::Grade(2)),
            (QueueSheetForm::Compare, " Left", CellAnswer::Left),
            (QueueSheetForm::Answers, "YES", CellAnswer::Yes),
        ] {
            for format in [SheetFormat::Tabs, SheetFormat::Commas] {
                let text = written(form, format);
                assert!(text.contains("'=cmd|") && text.contains("lines; and @more"), "{text}");
                assert_eq!(text.lines().count(), 3, "{text}");
                let blank = read(&text).unwrap();
                assert_eq!((blank.draw.as_str(), blank.form), (DRAW, form));
                assert_eq!(said(&blank), [(2, "aa00", None), (1, "bb00", None)]);
                let answer =
                    if format == SheetFormat::Commas { format!("\"{answer}\"") } else { answer.into() };
                let sheet = read(&filled(&text, format.separator(), &answer)).unwrap();
                assert_eq!(said(&sheet), [(2, "aa00", Some(expected)), (1, "bb00", None)]);
                assert_eq!((sheet.answers[0].note.as_str(), sheet.answers[0].line), ("sure", 2));
                assert_eq!(sheet.unread, [""; 0]);
            }
        }
    }

    /// As Excel saves a file where commas are decimal: semicolons, line ends of two characters, identifiers that look
    /// like numbers without their zeros, and no apostrophe that marks text.
    #[test]
    fn what_spreadsheets_do_to_a_file_is_read() {
        let text = written(QueueSheetForm::Compare, SheetFormat::Tabs).replace("1/2", "'1/2");
        let text = filled(&text, "\t", "can\u{2019}t tell")
            .replace("how, \"\"exactly\"\"?", "how, \"\"exactly\"\"? ");
        let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>().join(";");
        let lines: Vec<String> = text.lines().map(|line| cells(line).replace("00left", "0left")).collect();
        let saved = format!("\u{feff}{}\r\n{}\r\n;;;;\r\n{}\r\n", lines[0], lines[2], lines[1]);
        let sheet = read(&saved).unwrap();
        assert_eq!(said(&sheet), [(1, "bb00", None), (2, "aa00", Some(CellAnswer::CannotTell))]);
        let (text, mine) = (written(QueueSheetForm::Answers, SheetFormat::Tabs), "\tmine\nx");
        assert!(text.contains("\t'1/2\t"), "a date that is expected stays text: {text}");
        assert_eq!(read(&text.replacen('\n', mine, 1).replacen("\nx", "\n", 1)).unwrap().unread, ["mine"]);
    }

    #[test]
    fn words_of_every_form() {
        for (text, form, expected) in [
            ("skip", QueueSheetForm::Grade, Some(CellAnswer::Skip)),
            ("LATER", QueueSheetForm::Compare, Some(CellAnswer::Later)),
            ("cannot-tell", QueueSheetForm::Answers, Some(CellAnswer::CannotTell)),
            ("can't  tell", QueueSheetForm::Grade, Some(CellAnswer::CannotTell)),
            ("-1", QueueSheetForm::Grade, Some(CellAnswer::Grade(-1))),
            ("neither", QueueSheetForm::Compare, Some(CellAnswer::Neither)),
            ("no", QueueSheetForm::Answers, Some(CellAnswer::No)),
            ("1.0", QueueSheetForm::Answers, Some(CellAnswer::Grade(1))),
            ("left", QueueSheetForm::Grade, None),
            ("2", QueueSheetForm::Compare, None),
            ("1.5", QueueSheetForm::Grade, None),
            ("yes", QueueSheetForm::Grade, None),
            ("?", QueueSheetForm::Answers, None),
        ] {
            assert_eq!(CellAnswer::read(text, form), expected, "{text} {form:?}");
        }
    }

    #[test]
    fn what_was_not_written_so_is_refused_with_its_line() {
        let text = written(QueueSheetForm::Compare, SheetFormat::Tabs);
        let first = text.lines().nth(1).unwrap();
        let sample = "item\tgrade\tnote\tquery\tdocument\tquery_text\ttext\ns1.3.x00000000\t\t\tq\td\tx\ty\n";
        for (text, said) in [
            (filled(&text, "\t", "best"), "line 2, column 2 (answer): found \"best\""),
            (filled(&text, "\t", "best"), "nothing of this file was recorded"),
            (text.replace("two lines", "two words"), "line 3: found other texts beside the item random-n2"),
            (text.replacen("bb00", "bb01", 1), "line 3: found other texts"),
            (format!("{text}{first}\n"), "lines 2 and 4"),
            (text.replacen(DRAW, "17", 1), "line 2: found other texts"),
            (text.replacen(&format!("{DRAW}."), "", 1), "line 2, column 1 (item)"),
            (text.replace("left_text", "left"), "the headings of a queue's sheet"),
            (text.lines().next().unwrap().to_owned(), "there is no row in it"),
            (String::new(), "there is no row in it"),
            (sample.to_owned(), "llull sample --read takes"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }
}
