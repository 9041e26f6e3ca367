//! Reading qrels on all cores.

use std::path::Path;

use super::collector::Collector;
use super::file::QrelsFile;
use super::labels::{InOrder, Labels, Whole};
use super::layout::{Grades, Layout};
use super::of_table::read_table_of_labels;
use super::options::ReadQrelsOptions;
use super::order::refuse_other_order;
use crate::{
    DataError,
    chunks::Chunks,
    lines::{Line, is_entry},
    parallel::{Cores, in_order},
    tables::{TableKind, TableSource},
    trec::parsed_chunk::ParsedChunk,
};

/// Reads qrels on all cores: TREC's four columns `qid iter docid grade` in any white space, or BEIR's three, `query-id
/// corpus-id score`, which are detected by that header. Three columns without a header are `qid docid grade`, if the
/// first line has three; [`QrelsNotes::three_columns`](crate::QrelsNotes::three_columns) reports that.
///
/// Blank lines and lines whose first word begins with `#` are skipped. The second of four columns is ignored, but for
/// `dropped` beside a negative grade, which [drops](llull_core::Qrels::drop_pair) the pair.
/// A grade is a whole number, which may be written as a decimal (`2.0`). A pair whose grade is `ERROR`, `null`, `none`,
/// `NaN`, `NA`, `n/a` or `missing` has no label; such lines are counted.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, a grade is not a whole
/// number, a pair has two different grades, or the columns are in the order of ir_datasets, `qid docid grade iter`.
pub fn read_qrels(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    read_qrels_with(path, &ReadQrelsOptions::default())
}

/// Reads qrels as [`read_qrels`] does, with these options for decimals and for pairs with several grades.
///
/// # Errors
/// Returns an error in the same cases as [`read_qrels`], unless an option allows it.
pub fn read_qrels_with(path: impl AsRef<Path>, options: &ReadQrelsOptions) -> Result<QrelsFile, DataError> {
    let grades = if options.round { Grades::Rounded } else { Grades::Whole };
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
/// Returns an error in the same cases as [`read_qrels`], except that a grade may be any finite number.
pub fn read_qrels_order(path: impl AsRef<Path>) -> Result<QrelsFile, DataError> {
    read_qrels_order_with(path, &ReadQrelsOptions::default())
}

/// Reads qrels as [`read_qrels_order`] does; the options choose among several grades of a pair.
///
/// # Errors
/// Returns an error in the same cases as [`read_qrels_order`], except for several grades of a pair.
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
    let layout = first.map_or(Layout::Trec, Layout::of);
    let file = chunks.file().to_owned();
    if layout != Layout::Beir {
        chunks = match TableSource::of(chunks, path, TableKind::Labels, &options.columns) {
            Ok(table) => {
                let collector = Collector::<L>::new(path, file, false, options.repeats);
                return read_table_of_labels(table, collector, grades);
            }
            Err(chunks) => *chunks,
        };
    }
    if layout == Layout::Trec {
        refuse_other_order(chunks.lines_ahead(), &file)?;
    }
    let mut collector = Collector::<L>::new(path, file.clone(), layout == Layout::Three, options.repeats);
    in_order(
        chunks,
        Cores::All,
        |index, bytes, part: &mut ParsedChunk<L::Topic>| {
            let mut header = layout == Layout::Beir && index == 0;
            part.parse(
                bytes,
                &file,
                |line| layout.plain_entry(line),
                |topic, words, number| {
                    if std::mem::take(&mut header) {
                        return Ok(None);
                    }
                    layout.entry(topic, words, grades, |words| Line {
                        text: words.line(),
                        number,
                        file: &file,
                    })
                },
            );
            part.finish(index == 0, |_, hits, range| L::make(hits, range));
        },
        |part| collector.add(part),
    )?;
    collector.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            for grades in [Grades::Whole, Grades::Rounded, Grades::Order] {
                prop_assert_eq!(reading(size, grades), reading(1 << 20, grades));
            }
        }
    }
}
