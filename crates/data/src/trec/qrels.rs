//! Qrels: TREC's `qid iter docid grade`, and BEIR's `query-id corpus-id score` under that header.

mod collect;

use std::path::Path;

use llull_core::Qrels;

use self::collect::{Collector, InOrder, Labels, Whole};
use super::{Repeat, part::Part};
use crate::{
    DataError,
    chunks::Chunks,
    decimal::{parse_f64, parse_whole},
    error::so_many_columns,
    in_order::{Cores, in_order},
    lines::{Line, is_entry},
    words::Words,
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
    /// How many different grades above 0 there were, where [`read_qrels_order`] numbered them because some were fractions.
    pub levels: Option<usize>,
}

/// Reads qrels on all cores: TREC's four columns `qid iter docid grade` in any white space, or BEIR's three,
/// `query-id corpus-id score`, which are recognised by that header.
///
/// Blank lines and lines whose first word begins with `#` are skipped. The second of four columns is not consulted. A grade is a whole
/// number, which may be written as a decimal (`2.0`).
///
/// # Errors
/// When the file cannot be read, a line has another number of columns, a grade is not a whole number, or a pair
/// has two different grades.
pub fn read_qrels(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    read::<Whole>(Chunks::open(path.as_ref())?, path.as_ref(), Grades::Whole)
}

/// Reads qrels whose grades may be fractions, for measures that look at nothing but their order.
///
/// If there is a grade that is no whole number, the different grades above 0 in the whole file become 1, 2, 3 and so on, ascending;
/// [`QrelsNotes::levels`] says how many. 0 and what is below it is 0, except that a negative whole number stays what it
/// is: the mark of a pair that is not judged. If all grades are whole numbers, they stay as they are.
///
/// # Errors
/// As [`read_qrels`], except that a grade may be any finite number.
pub fn read_qrels_order(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    read::<InOrder>(Chunks::open(path.as_ref())?, path.as_ref(), Grades::Order)
}

/// Which grades are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grades {
    Whole,
    Order,
}

fn read<L: Labels>(mut chunks: Chunks, path: &Path, grades: Grades) -> Result<QrelsFile, DataError> {
    let first = chunks.first_line(is_entry).and_then(|line| std::str::from_utf8(line).ok());
    let layout = first.map_or(Layout::Trec, Layout::of);
    let file = chunks.file().to_owned();
    let mut collector = Collector::<L>::new(path, file.clone());
    in_order(
        chunks,
        Cores::All,
        |index, bytes, part: &mut Part<L::Topic>| {
            let mut header = layout == Layout::Beir && index == 0;
            part.parse(bytes, &file, |topic, words, number| {
                if std::mem::take(&mut header) {
                    return Ok(None);
                }
                layout.entry(topic, words, grades, |words| Line { text: words.line(), number, file: &file })
            });
            part.finish(index == 0, L::make);
        },
        |part| collector.add(part),
    )?;
    Ok(collector.finish())
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

    /// Document and grade, of the words behind the topic. `line` is asked for where one is wrong.
    #[inline]
    fn entry<'a: 'f, 'f>(
        self,
        topic: &'a str,
        words: &mut Words<'a>,
        grades: Grades,
        line: impl Fn(&Words<'a>) -> Line<'f>,
    ) -> Result<Option<(&'a str, f64)>, DataError> {
        debug_assert!(!topic.is_empty());
        let iteration = self == Self::Beir || words.skip();
        let (true, Some(document), Some(written), false) =
            (iteration, words.next(), words.next(), words.skip())
        else {
            return Err(wrong_columns(&line(words), self));
        };
        let grade = match grades {
            Grades::Whole => parse_whole(written).map(f64::from),
            Grades::Order => parse_f64(written).filter(|grade| grade.is_finite()),
        };
        match grade {
            Some(grade) => Ok(Some((document, grade))),
            None => Err(wrong_grade(&line(words), self, written, grades)),
        }
    }
}

fn wrong_grade(line: &Line<'_>, layout: Layout, written: &str, grades: Grades) -> DataError {
    let column = if layout == Layout::Trec { 4 } else { 3 };
    let (expected, remedy) = match (grades, parse_f64(written)) {
        (Grades::Order, _) => ("a number, such as 0, 2 or 0.25", ""),
        (Grades::Whole, None) => ("a whole number, such as 0, 2 or -1", ""),
        (Grades::Whole, Some(number)) if number.fract() == 0.0 => {
            ("a whole number from -2147483648 to 2147483647", "Scale the grades to smaller numbers")
        }
        (Grades::Whole, Some(_)) => {
            ("a whole number, such as 0, 2 or -1", "Scale the grades to whole numbers")
        }
    };
    line.bad_column(column, "grade", written, expected, remedy)
}

/// Whether the line is the header of BEIR's qrels.
pub(crate) fn is_beir_header(line: &str) -> bool {
    let mut columns = line.split_ascii_whitespace();
    matches!(columns.next(), Some("query-id" | "query_id"))
        && matches!(columns.next(), Some("corpus-id" | "corpus_id"))
        && columns.next() == Some("score")
        && columns.next().is_none()
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
    line.wrong(None, so_many_columns(found), expected, remedy)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However the file is cut: the same labels, the same notes, the same first error.
        #[test]
        fn pieces_do_not_matter(
            header in any::<bool>(),
            lines in proptest::collection::vec(
                prop_oneof![
                    60 => ("q[1-3]", "d[1-9]{1,3}").prop_map(|(topic, document)| (topic, document, "2")),
                    5 => Just((String::new(), String::new(), "")),
                    2 => Just(("q1".into(), "d1".into(), "2.0")),
                    1 => Just(("q1".into(), "d1".into(), "0.5")),
                    1 => Just(("q1".into(), "d1".into(), "high")),
                ],
                0..80,
            ),
            size in 1usize..200,
        ) {
            let mut text = String::from("# first\n\n");
            text += if header { "query-id corpus-id score\n" } else { "" };
            for (topic, document, grade) in &lines {
                text += &format!("{topic} {} {document} {grade}\n", if header { "" } else { "0" });
            }
            let text = text.replace(" 0  \n", "\n");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.qrels");
            fs_err::write(&path, text).unwrap();
            let reading = |size, grades| {
                let chunks = Chunks::in_pieces(&path, size).unwrap();
                let read = if grades == Grades::Whole { read::<Whole> } else { read::<InOrder> };
                read(chunks, &path, grades).map_err(|error| error.to_string())
            };
            for grades in [Grades::Whole, Grades::Order] {
                prop_assert_eq!(reading(size, grades), reading(1 << 20, grades));
            }
        }
    }
}
