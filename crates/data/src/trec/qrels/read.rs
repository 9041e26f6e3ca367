//! Reads qrels on all cores.

use std::path::Path;
use std::str::FromStr;

use llull_core::Qrels;

use super::collector::{Collector, other_order};
use super::layout::{Grades, InOrder, Labels, Layout, Whole, expected_grade, grade_of};
use crate::chunks::Chunks;
use crate::lines::{Line, is_entry};
use crate::parallel::{Cores, in_order};
use crate::tables::{Columns, Role, Row, TableKind, TableNotes, TableSource, read_table};
use crate::trec::parsed_chunk::ParsedChunk;
use crate::trec::repeat::Repeat;
use crate::trec::run::QueryNames;
use crate::{DataError, RowPlace};

/// How qrels are read that do not have one whole grade for each pair. By default such a file is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadQrelsOptions {
    /// Whether decimal grades are rounded to whole ones, halves away from 0.
    pub round: bool,
    /// The choice among several grades of a pair.
    pub repeats: Option<RepeatedGrades>,
    /// The columns of a table that the user names.
    pub columns: Columns,
    /// How the user sets `round` and `repeats`.
    pub form: OptionForm,
}

/// How the user sets an option: errors advise that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OptionForm {
    /// On the command line.
    #[default]
    Flag,
    /// In the table of `llull.toml` that names the file.
    Key,
    /// In a call from Python.
    Argument,
    /// Not at all.
    Absent,
}

impl OptionForm {
    /// Returns advice about grades that are not whole.
    pub(super) fn rounding(self) -> &'static str {
        match self {
            Self::Flag => "Scale the grades to whole numbers, or round them (--round)",
            Self::Key => {
                "Scale the grades to whole numbers, or round them: round = true in a table of llull.toml that names \
                 the file"
            }
            Self::Argument => "Scale the grades to whole numbers, or round them (round=True)",
            Self::Absent => "Scale the grades to whole numbers",
        }
    }

    /// Returns advice about pairs with several grades.
    pub(super) fn repeats(self) -> &'static str {
        match self {
            Self::Flag => {
                "Keep one of them, or say which counts (--repeats first, last, median or votes). If the second column \
                 names judges, read the file as qrels_jg"
            }
            Self::Key => {
                "Keep one of them, or say which counts: repeats = \"first\", \"last\", \"median\" or \"votes\" in a \
                 table of llull.toml that names the file"
            }
            Self::Argument => {
                "Keep one of them, or choose which counts: repeats=\"first\", \"last\", \"median\" or \"votes\""
            }
            Self::Absent => "Keep one of them",
        }
    }
}

/// The choice among several grades of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedGrades {
    /// The first in the file.
    First,
    /// The last.
    Last,
    /// The median; of an even number the lower of the two in the middle.
    Median,
    /// The most frequent one; of several the lowest.
    Votes,
}

impl RepeatedGrades {
    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Median => "median",
            Self::Votes => "votes",
        }
    }

    /// Returns the grade that counts of these, which are in the order of the file; `None` if there are none.
    pub fn of(self, grades: &[f64]) -> Option<f64> {
        let mut sorted = grades.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        match self {
            Self::First => grades.first().copied(),
            Self::Last => grades.last().copied(),
            Self::Median => sorted.get(sorted.len().checked_sub(1)? / 2).copied(),
            Self::Votes => {
                let mut most: Option<&[f64]> = None;
                for alike in sorted.chunk_by(|a, b| a == b) {
                    if most.is_none_or(|most| alike.len() > most.len()) {
                        most = Some(alike);
                    }
                }
                most?.first().copied()
            }
        }
    }
}

impl FromStr for RepeatedGrades {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::First),
            "last" => Ok(Self::Last),
            "median" => Ok(Self::Median),
            "votes" => Ok(Self::Votes),
            _ => Err(format!("{text:?} is none of first, last, median and votes")),
        }
    }
}

/// The labels of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// The labels.
    pub qrels: Qrels,
    /// Remarks on the file.
    pub notes: QrelsNotes,
}

/// Remarks on a file of qrels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsNotes {
    /// The number of lines that hold a label.
    pub lines: u64,
    /// The number of lines that repeat a pair with the same grade. They change nothing.
    pub repeats: u64,
    /// The first of them.
    pub first_repeat: Option<Repeat>,
    /// The number of pairs with several grades, of which [`ReadQrelsOptions::repeats`] chose one. They are not among
    /// `repeats`.
    ///
    /// [`ReadQrelsOptions::repeats`]: crate::ReadQrelsOptions::repeats
    pub regraded: u64,
    /// The number of lines whose grade is a word for a missing one (`ERROR`, `null`): such a pair has no label.
    pub missing: u64,
    /// The first of them.
    pub first_missing: Option<RowPlace>,
    /// Whether the lines have three columns, `qid docid grade`, without BEIR's header.
    pub three_columns: bool,
    /// Whether the columns are in the order of ir_datasets, `qid docid grade iter`.
    pub ir_datasets: bool,
    /// The number of lines that have the mean of a panel's grades in the second column.
    pub means: u64,
    /// The number of different grades above 0, if [`read_qrels_order_with`](crate::read_qrels_order_with) numbered them
    /// because some were fractions.
    pub levels: Option<usize>,
    /// How a table was read; empty for TREC's columns.
    pub table: TableNotes,
}

impl QrelsNotes {
    /// Counts a row that repeats an earlier one.
    pub(crate) fn repeat(&mut self, place: impl Into<RowPlace>, topic: &str, document: &str) {
        self.repeats += 1;
        let repeat =
            || Repeat { place: place.into(), topic: topic.to_owned(), document: document.to_owned() };
        self.first_repeat.get_or_insert_with(repeat);
    }
}

/// Reads qrels on all cores: TREC's four columns `qid iter docid grade` in any white space, or BEIR's three, `query-id
/// corpus-id score`, which are detected by that header. Three columns without a header are `qid docid grade`, if the
/// first line has three; [`QrelsNotes::three_columns`](crate::QrelsNotes::three_columns) reports that. Four columns in
/// the order of ir_datasets, `qid docid grade iter`, are detected by their values;
/// [`QrelsNotes::ir_datasets`](crate::QrelsNotes::ir_datasets) reports that.
///
/// Blank lines and lines whose first word begins with `#` are skipped. The second of four columns is ignored, but for
/// `dropped` beside a negative grade, which [drops](llull_core::Qrels::drop_pair) the pair, and `mean=1.5`, the
/// [mean](llull_core::Qrels::set_mean) of a panel. A pair whose grade was chosen of several has no mean.
/// A grade is a whole number, which may be written as a decimal (`2.0`). A pair whose grade is `ERROR`, `null`, `none`,
/// `NaN`, `NA`, `n/a` or `missing` has no label; such lines are counted.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, a grade is not a whole
/// number, or a pair has two different grades.
pub fn read_qrels(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    read_qrels_with(path, &ReadQrelsOptions::default())
}

/// Reads qrels as [`read_qrels`] does, with these options for decimals and for pairs with several grades.
///
/// # Errors
/// Returns an error in the same cases as [`read_qrels`], unless an option allows it.
pub fn read_qrels_with(path: impl AsRef<Path>, options: &ReadQrelsOptions) -> Result<QrelsFile, DataError> {
    let grades = if options.round { Grades::Rounded } else { Grades::Whole(options.form) };
    read::<Whole>(Chunks::open(path.as_ref())?, path.as_ref(), grades, options)
}

/// Reads qrels whose grades may be fractions, for measures that depend only on their order.
///
/// If some grade is not a whole number, the different grades above 0 in the whole file become 1, 2, 3 and so
/// on, ascending; [`QrelsNotes::levels`](crate::QrelsNotes::levels) is their number. Grades of 0 and below
/// become 0, except that a negative whole number stays as it is: it marks a pair that is not judged. If all
/// grades are whole numbers, they stay as they are.
///
/// # Errors
/// Returns an error in the same cases as [`read_qrels_with`], except that a grade may be any finite number.
pub fn read_qrels_order_with(
    path: impl AsRef<Path>,
    options: &ReadQrelsOptions,
) -> Result<QrelsFile, DataError> {
    read::<InOrder>(Chunks::open(path.as_ref())?, path.as_ref(), Grades::Order, options)
}

fn read<L: Labels>(
    mut chunks: Chunks,
    path: &Path,
    grades: Grades,
    options: &ReadQrelsOptions,
) -> Result<QrelsFile, DataError> {
    let first = chunks.first_line(is_entry).and_then(|line| std::str::from_utf8(line).ok());
    let mut layout = first.map_or(Layout::Trec, Layout::of);
    let file = chunks.file().to_owned();
    if layout != Layout::Beir {
        chunks = match TableSource::of(chunks, path, TableKind::Labels, &options.columns) {
            Ok(table) => {
                let collector = Collector::<L>::new(path, file, Layout::Trec, options);
                return read_table_of_labels(table, collector, grades);
            }
            Err(chunks) => *chunks,
        };
    }
    if layout == Layout::Trec {
        layout = other_order(chunks.lines_ahead(), options.repeats.is_some()).unwrap_or(layout);
    }
    let mut collector = Collector::<L>::new(path, file.clone(), layout, options);
    in_order(
        chunks,
        Cores::All,
        |index, bytes, part: &mut ParsedChunk<L::Topic>| {
            let mut header =
                matches!(layout, Layout::Beir | Layout::IrDatasets { header: true }) && index == 0;
            let mut means = Vec::new();
            part.parse(
                bytes,
                &file,
                |line| layout.plain_entry(line),
                |topic, words, number| {
                    if std::mem::take(&mut header) {
                        return Ok(None);
                    }
                    layout.entry(
                        topic,
                        words,
                        grades,
                        |mean| means.push((number, mean)),
                        |words| Line { text: words.line(), number, file: &file },
                    )
                },
            );
            part.means = means;
            part.finish(index == 0, |_, hits, range| L::make(hits, range));
        },
        |part| collector.add(part),
    )?;
    collector.finish()
}

fn read_table_of_labels<L: Labels>(
    source: TableSource<'_>,
    mut collector: Collector<L>,
    grades: Grades,
) -> Result<QrelsFile, DataError> {
    let queries = QueryNames::new(None);
    let table = read_table(source, &mut |row: &Row<'_>| {
        // Quepid writes a query that nobody has rated as a row of its own.
        if row.get(Role::Document).is_none() && row.get(Role::Grade).is_none() {
            return Ok(());
        }
        let query = queries.resolve(row)?;
        let document = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?;
        // A row without a grade is a pair that nobody has judged yet.
        let written = row.get(Role::Grade).unwrap_or_default();
        let written = if written.trim().is_empty() { "missing" } else { written.trim() };
        let grade = grade_of(written, grades).ok_or_else(|| {
            let (expected, remedy) = expected_grade(written, grades);
            row.wrong(Role::Grade, written, expected, &remedy)
        })?;
        collector.insert(&query, document.trim(), grade, row.place().in_file())
    })?;
    let mut read = collector.finish()?;
    read.notes.table = table;
    Ok(read)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_counts_of_several_grades() {
        let of = |name: &str, grades: &[f64]| name.parse::<RepeatedGrades>().unwrap().of(grades);
        let grades = [3.0, 0.0, 2.0, 2.0, 0.0, 1.0];
        let counted = ["first", "last", "median", "votes"].map(|name| of(name, &grades));
        assert_eq!(counted, [3.0, 1.0, 1.0, 0.0].map(Some));
        assert_eq!(of("median", &[1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!(of("votes", &[]), None);
        assert!("mean".parse::<RepeatedGrades>().is_err());
    }

    proptest! {
        /// However the file is cut, the labels, the notes and the first error are the same.
        #[test]
        fn cuts_do_not_matter(
            header in any::<bool>(),
            lines in proptest::collection::vec(
                prop_oneof![
                    60 => ("q[1-3]", "d[1-9]{1,3}").prop_map(|(topic, document)| (topic, document, "2")),
                    5 => Just((String::new(), String::new(), "")),
                    2 => Just(("q1".into(), "d1".into(), "2.0")),
                    1 => Just(("q1".into(), "d1".into(), "0.5")),
                    1 => Just(("q2".into(), "d1".into(), "ERROR")),
                    1 => Just(("q2".into(), "dropped".into(), "-1")),
                    1 => Just(("q1".into(), "d1".into(), "high")),
                ],
                0..80,
            ),
            size in 1usize..200,
            repeats in proptest::option::of(Just(crate::RepeatedGrades::Votes)),
        ) {
            let mut text = String::from("# first\n\n");
            text += if header { "query-id corpus-id score\n" } else { "" };
            for (topic, document, grade) in &lines {
                let second = match document.as_str() {
                    _ if header => "",
                    "dropped" => "dropped",
                    _ => "0",
                };
                text += &format!("{topic} {second} {document} {grade}\n");
            }
            let text = text.replace(" 0  \n", "\n");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.qrels");
            fs_err::write(&path, text).unwrap();
            let options = ReadQrelsOptions { repeats, ..ReadQrelsOptions::default() };
            let reading = |size, grades| {
                let chunks = Chunks::in_chunks_of(&path, size).unwrap();
                let read = if grades == Grades::Order { read::<InOrder> } else { read::<Whole> };
                read(chunks, &path, grades, &options).map_err(|error| error.to_string())
            };
            for grades in [Grades::Whole(OptionForm::Flag), Grades::Rounded, Grades::Order] {
                prop_assert_eq!(reading(size, grades), reading(1 << 20, grades));
            }
        }
    }
}
