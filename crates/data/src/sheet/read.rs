//! Reads a sheet that annotators have filled in.

use std::collections::BTreeMap;
use std::path::Path;

use super::row::{CellAnswer, RowMark, SheetDraw, SheetForm};
use crate::csv::Records;
use crate::error::shown_path;
use crate::lines::Line;
#[cfg(not(feature = "xlsx"))]
use crate::lines::Lines;
use crate::tables::{Columns as NamedColumns, Header, Role, TableKind};
use crate::{Conflict, DataError};

/// The end of an error's message: one row cannot be read, so no row is recorded.
const NOTHING: &str = "; nothing of this file was recorded";

/// A sheet that was filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetFile {
    /// The draw of its pairs.
    pub draw: SheetDraw,
    /// The question of the sheet.
    pub form: SheetForm,
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
    /// Its number, from 1: in the sample's frame, or on the sheet.
    pub number: usize,
    /// The unique name of the pair; `None` on old sheets of samples, where the number is enough.
    pub item: Option<String>,
    /// The annotator's answer; `None` if the cell is blank.
    pub said: Option<CellAnswer>,
    /// The annotator's note; can be empty.
    pub note: String,
}

/// Reads a sheet of [`write_sheet`](crate::write_sheet) that annotators filled in, as spreadsheets save it: separated
/// by tabs, commas or semicolons, with or without a byte order mark, or as a workbook (xlsx), in any order of lines and
/// columns. A line of blank cells is left out. `columns` names headings that were changed. The sheets that `llull
/// sample` wrote before there was one format are read, too.
///
/// # Errors
/// Returns an error that names the line if the file cannot be read, or a row differs from the written one (columns
/// that were sorted apart, texts that were edited). It also refuses a row that occurs twice or belongs to another sheet
/// than the first, and a cell that is not an answer to the question.
pub fn read_sheet(path: impl AsRef<Path>, columns: &NamedColumns) -> Result<SheetFile, DataError> {
    let path = path.as_ref();
    let file = shown_path(path);
    #[cfg(feature = "xlsx")]
    let lines = crate::workbook::open_table(path)?;
    #[cfg(not(feature = "xlsx"))]
    let lines = Lines::open(path)?;
    let is_named = |name: &str| columns.iter().any(|(_, fields)| fields.iter().any(|field| field == name));
    let mut records =
        Records::find_separator(lines, |name| is_named(name) || TableKind::Sheet.is_known(name))?;
    let empty = || DataError::Empty {
        file: file.clone(),
        wanted: "row",
        remedy: "llull sample -o FILE and llull review --queue QUEUE -o FILE write sheets".into(),
    };
    if !records.advance()? {
        return Err(empty());
    }
    let columns = Columns::of(&records, columns)?;
    let (mut draw, mut answers) = (None::<SheetDraw>, Vec::new());
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
                    "Give the sheets of different draws one after the other",
                ));
            }
            _ => draw = Some(of),
        }
        if let Some(first) = lines.insert(answer.number, answer.line) {
            return Err(DataError::from(Conflict {
                file: file.clone(),
                first: Some(first.into()),
                second: answer.line.into(),
                what: format!("both are pair {} of the sheet", answer.number),
                remedy: "Keep the one that counts".into(),
            }));
        }
        answers.push(answer);
    }
    let draw = draw.ok_or_else(empty)?;
    Ok(SheetFile { draw, form: columns.form, answers, unread: columns.unread })
}

/// Where each column stands, from 0.
struct Columns {
    form: SheetForm,
    item: usize,
    answer: usize,
    note: Option<usize>,
    names: Vec<usize>,
    /// Empty on a sheet of identifiers alone.
    texts: Vec<usize>,
    unread: Vec<String>,
}

impl Columns {
    /// Finds the columns, and notes how they are read.
    fn of(records: &Records, named: &NamedColumns) -> Result<Self, DataError> {
        let line = records.place();
        let names = (0..records.len()).map(|at| records.field_at(at).to_owned()).collect();
        let header = Header::find(TableKind::Sheet, named, names, &line)?;
        let place = |role: Role| header.at(role);
        let (form, answer, names, texts): (_, _, &[Role], &[Role]) =
            match (place(Role::LeftText), place(Role::Expected)) {
                (Some(_), _) => (
                    SheetForm::Compare,
                    Role::Answer,
                    &[Role::Query, Role::Left, Role::Right],
                    &[Role::QueryText, Role::LeftText, Role::RightText],
                ),
                (None, Some(_)) => {
                    (SheetForm::Answers, Role::Answer, &[], &[Role::QueryText, Role::Expected, Role::Text])
                }
                (None, None) => (
                    SheetForm::Grade,
                    Role::Grade,
                    &[Role::Query, Role::Document],
                    &[Role::QueryText, Role::Text],
                ),
            };
        let counting = [&[Role::Item, answer, Role::Note][..], names, texts].concat();
        let [names, texts] =
            [names, texts].map(|roles| roles.iter().filter_map(|role| place(*role)).collect::<Vec<_>>());
        let identifiers_alone = texts.is_empty() && names.len() == form.names().len();
        let is_whole = texts.len() == form.texts().len() || identifiers_alone;
        let (Some(item), Some(answer), true) = (place(Role::Item), place(answer), is_whole) else {
            return Err(line.unexpected(
                &format!("the headings of a sheet: {}", form.headings().join(", ")),
                "Fill in the sheet that llull wrote, and leave its headings as they are, or name those that differ: \
                 --columns grade=HEADING",
            ));
        };
        let unread = header.note(line.file, &counting, named);
        Ok(Self { form, item, answer, note: place(Role::Note), names, texts, unread })
    }

    /// Returns the draw of the row's sheet, and its answer.
    fn answer(&self, record: &Records) -> Result<(SheetDraw, SheetAnswer), DataError> {
        let line = record.place();
        let field = |at: usize| record.field_at(at);
        let text = field(self.item);
        let Some((mark, draw)) = RowMark::read(text) else { return Err(self.no_mark(&line, text)) };
        let [names, texts] =
            [&self.names, &self.texts].map(|columns| columns.iter().map(|at| field(*at)).collect::<Vec<_>>());
        if mark.with(&names, &texts) != text {
            return Err(line.wrong(
                None,
                format!("other contents beside the item {text}"),
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
        let (number, item) = (mark.number, mark.item.map(str::to_owned));
        Ok((draw, SheetAnswer { line: line.number, number, item, said, note }))
    }

    fn no_mark(&self, line: &Line<'_>, mark: &str) -> DataError {
        line.bad_column(
            self.item + 1,
            "item",
            mark,
            "a mark such as random-n40-s42.17.0a1b2c3d4e5f.x0c1d2e3f",
            &format!("Leave the column item as it was written{NOTHING}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::{Sheet, SheetFormat, SheetRow, write_sheet};

    const DRAW: &str = "random-n2-s42-p9";

    /// As llull wrote it before there was one format.
    const OLD: &str = "item\tgrade\tnote\tquery\tdocument\tquery_text\ttext\n\
        s0a1b2c3d.3.xe024edfd\t\t\tq1\td3\t\"how, \"\"exactly\"\"?\"\t'=cmd|' /C calc'!A1\n\
        s0a1b2c3d.1.x42a5cd66\t\t\tq1\t'-d1\t\"how, \"\"exactly\"\"?\"\t\"two lines; and more\"\n";

    fn rows(form: SheetForm) -> Vec<SheetRow> {
        let texts = |last: &str| {
            let mut texts = vec!["how, \"exactly\"?".to_owned(), "1/2".to_owned(), last.to_owned()];
            texts.truncate(form.texts().len() - 1);
            texts.push(last.to_owned());
            texts
        };
        let row = |number, item: &str, last: &str| SheetRow {
            number,
            item: item.to_owned(),
            names: form.names().iter().map(|name| format!("00{name}")).collect(),
            texts: texts(last),
        };
        vec![row(2, "aa00", "=cmd|' /C calc'!A1"), row(1, "bb00", "two\nlines; and @more")]
    }

    fn written(form: SheetForm, format: SheetFormat) -> String {
        of_rows(form, rows(form), format)
    }

    fn of_rows(form: SheetForm, rows: Vec<SheetRow>, format: SheetFormat) -> String {
        let sheet = Sheet { draw: SheetDraw::read(DRAW).unwrap(), form, rows };
        let mut out = Vec::new();
        write_sheet(&sheet, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(text: &str) -> Result<SheetFile, String> {
        read_bytes(text.as_bytes())
    }

    fn read_bytes(bytes: &[u8]) -> Result<SheetFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet");
        fs_err::write(&path, bytes).unwrap();
        let read = read_sheet(&path, &NamedColumns::default());
        read.map_err(|error| error.to_string().replace(&shown_path(&path), "sheet"))
    }

    /// A spreadsheet program saves a grade as a number.
    #[cfg(feature = "xlsx")]
    #[test]
    fn a_workbook_is_read_as_the_sheet_that_it_holds() {
        use crate::row_entry::Entry;
        let form = SheetForm::Grade;
        let sheet = Sheet { draw: SheetDraw::read(DRAW).unwrap(), form, rows: rows(form) };
        let mut blank = Vec::new();
        crate::write_sheet_workbook(&sheet, &mut blank).unwrap();
        assert_eq!(read_bytes(&blank), read(&written(form, SheetFormat::Tabs)));
        let graded = |edit: &str| {
            let rows = sheet.rows.iter().map(|row| {
                let mut cells: Vec<Entry<'_>> = row.cells(DRAW).into_iter().map(Entry::text).collect();
                cells[1] = Entry::Number(2.0);
                cells[6] = match edit {
                    "" => cells[6].clone(),
                    edit => Entry::text(edit.to_owned()),
                };
                cells
            });
            let mut bytes = Vec::new();
            crate::workbook::write_workbook(&form.headings(), rows, &mut bytes).unwrap();
            read_bytes(&bytes)
        };
        let grade = Some(CellAnswer::Grade(2));
        assert_eq!(said(&graded("").unwrap()), [(2, "aa00", grade), (1, "bb00", grade)]);
        assert!(graded("another text").unwrap_err().contains("sheet line 2"));
    }

    fn said(sheet: &SheetFile) -> Vec<(usize, &str, Option<CellAnswer>)> {
        let answers = sheet.answers.iter();
        answers.map(|row| (row.number, row.item.as_deref().unwrap_or_default(), row.said)).collect()
    }

    /// The first row with this answer and note.
    fn filled(text: &str, separator: &str, answer: &str) -> String {
        text.replacen(&separator.repeat(3), &format!("{separator}{answer}{separator}sure{separator}"), 1)
    }

    #[test]
    fn a_sheet_comes_back_with_its_answers_from_every_form_and_format() {
        for (form, answer, expected) in [
            (SheetForm::Grade, "2,0", CellAnswer::Grade(2)),
            (SheetForm::Compare, " Left", CellAnswer::Left),
            (SheetForm::Answers, "YES", CellAnswer::Yes),
        ] {
            for format in [SheetFormat::Tabs, SheetFormat::Commas] {
                let text = written(form, format);
                assert!(text.contains("'=cmd|") && text.contains("lines; and @more"), "{text}");
                assert_eq!(text.lines().count(), 3, "{text}");
                let blank = read(&text).unwrap();
                assert_eq!((blank.draw.to_string().as_str(), blank.form), (DRAW, form));
                assert_eq!(said(&blank), [(2, "aa00", None), (1, "bb00", None)]);
                let answer =
                    if format == SheetFormat::Commas { format!("\"{answer}\"") } else { answer.into() };
                let sheet = read(&filled(&text, format.separator(), &answer)).unwrap();
                assert_eq!(said(&sheet), [(2, "aa00", Some(expected)), (1, "bb00", None)]);
                assert_eq!((sheet.answers[0].note.as_str(), sheet.answers[0].line), ("sure", 2));
            }
        }
    }

    /// As Excel saves a file where commas are decimal: semicolons, line ends of two characters, identifiers that look
    /// like numbers without their zeros, and no apostrophe that marks text.
    #[test]
    fn what_spreadsheets_do_to_a_file_is_read() {
        let text = written(SheetForm::Compare, SheetFormat::Tabs).replace("1/2", "'1/2");
        let text = filled(&text, "\t", "can\u{2019}t tell")
            .replace("how, \"\"exactly\"\"?", "how, \"\"exactly\"\"? ");
        let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>().join(";");
        let lines: Vec<String> = text.lines().map(|line| cells(line).replace("00left", "0left")).collect();
        let saved = format!("\u{feff}{}\r\n{}\r\n;;;;\r\n{}\r\n", lines[0], lines[2], lines[1]);
        let sheet = read(&saved).unwrap();
        assert_eq!(said(&sheet), [(1, "bb00", None), (2, "aa00", Some(CellAnswer::CannotTell))]);
        let (text, mine) = (written(SheetForm::Answers, SheetFormat::Tabs), "\tmine\nx");
        assert!(text.contains("\t'1/2\t"), "a date that is expected stays text: {text}");
        assert!(
            read(&text.replacen('\n', mine, 1).replacen("\nx", "\n", 1)).is_ok(),
            "own columns are not read"
        );
    }

    /// An annotator translated headings; `[columns]` is for the study's other files, too.
    #[test]
    fn headings_of_other_names_are_named_by_the_user() {
        let text = filled(&written(SheetForm::Grade, SheetFormat::Tabs), "\t", "2");
        let text = text.replacen("item\tgrade\tnote", "item\tBewertung\tNotiz", 1);
        let error = read(&text).unwrap_err();
        assert!(error.contains("name those that differ: --columns grade=HEADING"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.tsv");
        fs_err::write(&path, text).unwrap();
        // In the study's labels the document is in a column `item`.
        let columns: NamedColumns = "grade=Bewertung,note=Notiz,document=item".parse().unwrap();
        let sheet = read_sheet(&path, &columns).unwrap();
        assert_eq!(said(&sheet)[0], (2, "aa00", Some(CellAnswer::Grade(2))));
        assert_eq!(sheet.answers[0].note, "sure");
        let line = columns.take_tables().remove(0);
        assert!(line.contains(": item = item, grade = Bewertung, note = Notiz, query = query"), "{line}");
        let typing_error: NamedColumns = "grade=Bewertng,note=Notiz".parse().unwrap();
        assert!(read_sheet(&path, &typing_error).is_err());
        assert_eq!(typing_error.never_found().as_deref(), Some("grade=Bewertng"));
    }

    #[test]
    fn an_old_sheet_of_a_sample_is_read() {
        for separator in ["\t", ";"] {
            let text = OLD
                .replace("\t\t\tq1\td3", "\t2.0\tsure\tq1\td3")
                .replace("'-d1", "-d1")
                .replace('\t', separator);
            let sheet = read(&text).unwrap();
            assert_eq!(sheet.draw.to_string(), "s0a1b2c3d");
            assert_eq!(
                (sheet.draw, sheet.form),
                (SheetDraw::of_sample("s0a1b2c3d", None, Seed(0)), SheetForm::Grade)
            );
            let [filled, blank] = sheet.answers.as_slice() else { panic!("{:?}", sheet.answers) };
            assert_eq!((filled.number, &filled.item), (3, &None));
            assert_eq!((filled.said, filled.note.as_str()), (Some(CellAnswer::Grade(2)), "sure"));
            assert_eq!((blank.number, blank.said), (1, None));
        }
    }

    #[test]
    fn a_sheet_of_identifiers_alone_holds_them() {
        let rows = rows(SheetForm::Grade).into_iter().map(|row| SheetRow { texts: Vec::new(), ..row });
        let text = of_rows(SheetForm::Grade, rows.collect(), SheetFormat::Tabs);
        assert!(text.starts_with("item\tgrade\tnote\tquery\tdocument\n"), "{text}");
        let sheet = read(&filled(&text, "\t", "3")).unwrap();
        assert_eq!(said(&sheet), [(2, "aa00", Some(CellAnswer::Grade(3))), (1, "bb00", None)]);
        let error = read(&text.replacen("00document", "01document", 1)).unwrap_err();
        assert!(error.contains("line 2: found other contents"), "{error}");
        let with_texts = written(SheetForm::Grade, SheetFormat::Tabs);
        let without: String = with_texts
            .lines()
            .map(|line| line.split('\t').take(5).collect::<Vec<_>>().join("\t") + "\n")
            .collect();
        assert!(
            read(&without).unwrap_err().contains("line 2: found other contents"),
            "texts that were deleted"
        );
    }

    #[test]
    fn words_of_every_form() {
        for (text, form, expected) in [
            ("skip", SheetForm::Grade, Some(CellAnswer::Skip)),
            ("LATER", SheetForm::Compare, Some(CellAnswer::Later)),
            ("cannot-tell", SheetForm::Answers, Some(CellAnswer::CannotTell)),
            ("can't  tell", SheetForm::Grade, Some(CellAnswer::CannotTell)),
            ("-1", SheetForm::Grade, Some(CellAnswer::Grade(-1))),
            ("neither", SheetForm::Compare, Some(CellAnswer::Neither)),
            ("no", SheetForm::Answers, Some(CellAnswer::No)),
            ("1.0", SheetForm::Answers, Some(CellAnswer::Grade(1))),
            ("left", SheetForm::Grade, None),
            ("2", SheetForm::Compare, None),
            ("1.5", SheetForm::Grade, None),
            ("yes", SheetForm::Grade, None),
            ("?", SheetForm::Answers, None),
        ] {
            assert_eq!(CellAnswer::read(text, form), expected, "{text} {form:?}");
        }
    }

    #[test]
    fn what_was_not_written_so_is_refused_with_its_line() {
        let text = written(SheetForm::Compare, SheetFormat::Tabs);
        let first = text.lines().nth(1).unwrap();
        for (text, said) in [
            (filled(&text, "\t", "best"), "line 2, column 2 (answer): found \"best\""),
            (filled(&text, "\t", "best"), "nothing of this file was recorded"),
            (
                text.replace("two lines", "two words"),
                "line 3: found other contents beside the item random-n2",
            ),
            (text.replacen("bb00", "bb01", 1), "line 3: found other contents"),
            (format!("{text}{first}\n"), "lines 2 and 4"),
            (text.replacen(DRAW, "17", 1), "line 2, column 1 (item)"),
            (text.replacen(DRAW, "random-n3-s42-p9", 1), "line 2: found other contents"),
            (text.replacen(&format!("{DRAW}."), "", 1), "line 2, column 1 (item)"),
            (text.replace("left_text", "left"), "the headings of a sheet: item, grade, note"),
            (text.lines().next().unwrap().to_owned(), "there is no row in it"),
            (String::new(), "there is no row in it"),
            (OLD.replace("two lines", "two words"), "line 3: found other contents"),
            (OLD.replace("q1\td3", "q2\td3"), "line 2: found other contents"),
            (OLD.replace("s0a1b2c3d.3", "s0a1b2c3d.2"), "line 2: found other contents"),
            (OLD.replace("\tquery_text", ""), "the headings of a sheet: item, grade, note"),
            (format!("{OLD}{}\n", OLD.lines().nth(1).unwrap()), "lines 2 and 4"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }
}
