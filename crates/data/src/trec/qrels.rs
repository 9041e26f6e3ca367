//! Qrels: TREC's `qid iter docid grade`, and BEIR's `query-id corpus-id score` under that header.

use std::path::Path;

use llull_core::{Grade, Qrels};

use super::Repeat;
use crate::{
    Conflict, DataError,
    lines::{Line, Lines},
    locate::locate,
};

/// Labels as they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// The labels.
    pub qrels: Qrels,
    /// What their user should know about the file.
    pub notes: QrelsNotes,
}

/// What was noticed while qrels were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsNotes {
    /// Lines that hold a label.
    pub lines: u64,
    /// Lines that repeat a pair with the same grade. They change nothing.
    pub repeats: u64,
    /// The first of them.
    pub first_repeat: Option<Repeat>,
}

/// Reads qrels: TREC's four columns `qid iter docid grade` in any white space, or BEIR's three,
/// `query-id corpus-id score`, which are recognised by that header.
///
/// Blank lines and lines whose first word begins with `#` are skipped. The second of four columns is not consulted.
///
/// # Errors
/// When the file cannot be read, a line has another number of columns, a grade is not a whole number, or a pair
/// has two different grades.
pub fn read_qrels(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path)?;
    let mut file = QrelsFile { qrels: Qrels::default(), notes: QrelsNotes::default() };
    let mut layout = None;
    while let Some(line) = lines.next_entry()? {
        let layout = match layout {
            Some(known) => known,
            None => {
                let found = Layout::of(line.text);
                layout = Some(found);
                if found == Layout::Beir {
                    continue;
                }
                found
            }
        };
        let entry = Entry::parse(&line, layout)?;
        file.notes.lines += 1;
        if let Some(before) = file.qrels.insert(entry.topic, entry.document, entry.grade) {
            if before != entry.grade {
                return Err(contradiction(path, &line, &entry, before));
            }
            file.notes.repeats += 1;
            file.notes.first_repeat.get_or_insert_with(|| Repeat {
                line: line.number,
                topic: entry.topic.to_owned(),
                document: entry.document.to_owned(),
            });
        }
    }
    Ok(file)
}

fn contradiction(path: &Path, line: &Line<'_>, entry: &Entry<'_>, before: Grade) -> DataError {
    let Entry { topic, document, grade } = entry;
    DataError::from(Box::new(Conflict {
        file: line.file.to_owned(),
        first: locate(path, topic, Some(document)).filter(|first| *first < line.number),
        second: line.number,
        what: format!("document {document} of topic {topic} is graded {before} and then {grade}"),
        remedy: "Keep one of them".into(),
    }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Trec,
    Beir,
}

impl Layout {
    fn of(first: &str) -> Self {
        if is_beir_header(first) { Self::Beir } else { Self::Trec }
    }
}

/// Whether the line is the header of BEIR's qrels.
pub(crate) fn is_beir_header(line: &str) -> bool {
    let mut columns = line.split_ascii_whitespace();
    matches!(columns.next(), Some("query-id" | "query_id"))
        && matches!(columns.next(), Some("corpus-id" | "corpus_id"))
        && columns.next() == Some("score")
        && columns.next().is_none()
}

struct Entry<'a> {
    topic: &'a str,
    document: &'a str,
    grade: Grade,
}

impl<'a> Entry<'a> {
    fn parse(line: &Line<'a>, layout: Layout) -> Result<Self, DataError> {
        let mut columns = line.text.split_ascii_whitespace();
        let topic = columns.next();
        if layout == Layout::Trec {
            columns.next();
        }
        let (Some(topic), Some(document), Some(grade), None) =
            (topic, columns.next(), columns.next(), columns.next())
        else {
            return Err(wrong_columns(line, layout));
        };
        let column = if layout == Layout::Trec { 4 } else { 3 };
        let grade = grade.parse().map_err(|_| {
            line.bad_column(
                column,
                "grade",
                grade,
                "a whole number, such as 0, 2 or -1",
                if grade.parse::<f64>().is_ok() { "Scale the grades to whole numbers" } else { "" },
            )
        })?;
        Ok(Self { topic, document, grade })
    }
}

fn wrong_columns(line: &Line<'_>, layout: Layout) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let (expected, remedy) = match (layout, found) {
        (Layout::Trec, 3) => (
            "the four of qrels: qid iter docid grade",
            "Three columns are read only under BEIR's header, query-id corpus-id score",
        ),
        (Layout::Trec, 5 | 6) => (
            "the four of qrels: qid iter docid grade",
            "Six columns are those of a run: is this the system's results?",
        ),
        (Layout::Trec, _) => ("the four of qrels: qid iter docid grade", ""),
        (Layout::Beir, _) => ("the three of BEIR's qrels: query-id corpus-id score", ""),
    };
    line.wrong(None, format!("{found} columns"), expected, remedy)
}
