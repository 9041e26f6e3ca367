//! Merges the chunks of qrels, and detects ir_datasets' order of columns.
//!
//! That is query, document, grade, iteration. Read as TREC's, the documents would be called 0, 1 and 2.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use llull_core::Grade;
use rustc_hash::FxHashSet;

use super::layout::{DROPPED_GRADE, Labels, Layout, mean_in};
use super::read::{OptionForm, QrelsFile, QrelsNotes, ReadQrelsOptions, RepeatedGrades};
use crate::decimal::parse_whole;
use crate::lines::is_entry;
use crate::locate::locate;
use crate::trec::parsed_chunk::ParsedChunk;
use crate::{Conflict, DataError, RowPlace};

/// Collects labels in the order of the file.
pub(super) struct Collector<L> {
    path: PathBuf,
    file: String,
    labels: L,
    notes: QrelsNotes,
    repeats: Option<RepeatedGrades>,
    form: OptionForm,
    /// All grades of pairs that have several lines, in the order of the file, if one of them may count.
    graded: IndexMap<(String, String), Vec<f64>>,
    /// The dropped pairs, with their places.
    dropped: Vec<(String, String, RowPlace)>,
    /// The number of lines before the next chunk.
    above: u64,
}

impl<L: Labels> Collector<L> {
    pub(super) fn new(path: &Path, file: String, layout: Layout, options: &ReadQrelsOptions) -> Self {
        Self {
            path: path.to_owned(),
            file,
            labels: L::default(),
            notes: QrelsNotes {
                three_columns: layout == Layout::Three,
                ir_datasets: matches!(layout, Layout::IrDatasets { .. }),
                ..QrelsNotes::default()
            },
            repeats: options.repeats,
            form: options.form,
            graded: IndexMap::new(),
            dropped: Vec::new(),
            above: 0,
        }
    }

    /// Adds the next chunk.
    pub(super) fn add(&mut self, part: &mut ParsedChunk<L::Topic>) -> Result<(), DataError> {
        self.notes.lines += part.hits.len() as u64;
        self.notes.means += part.means.len() as u64;
        for mut stretch in std::mem::take(&mut part.stretches) {
            let topic = part.topic(&stretch);
            let inserted =
                stretch.done.take().is_some_and(|labels| self.labels.insert_topic(topic, labels).is_ok());
            if inserted && part.means.is_empty() {
                continue;
            }
            for index in stretch.hits {
                let Some((document, grade, line)) = part.get(index) else { break };
                if !inserted {
                    self.insert(topic, document, grade, RowPlace::Line(self.above + line))?;
                }
                if let Some(mean) = part.mean(line) {
                    self.labels.set_mean(topic, document, mean);
                }
            }
        }
        match part.error.take() {
            Some(error) => return Err(error.moved_down(self.above)),
            None => self.above += part.count,
        }
        Ok(())
    }

    pub(super) fn insert(
        &mut self,
        topic: &str,
        document: &str,
        grade: f64,
        place: RowPlace,
    ) -> Result<(), DataError> {
        if grade.is_nan() {
            self.notes.missing += 1;
            self.notes.first_missing.get_or_insert(place);
            return Ok(());
        }
        if grade == DROPPED_GRADE {
            self.dropped.push((topic.to_owned(), document.to_owned(), place));
            return Ok(());
        }
        match (self.labels.insert(topic, document, grade), self.repeats) {
            (None, _) => {}
            (Some(before), Some(_)) => {
                let all = self.graded.entry((topic.to_owned(), document.to_owned()));
                all.or_insert_with(|| vec![before]).push(grade);
            }
            (Some(before), None) if before == grade => self.notes.repeat(place, topic, document),
            (Some(before), None) => {
                let first = match place {
                    RowPlace::Line(line) => {
                        locate(&self.path, topic, Some(document)).filter(|first| *first < line)
                    }
                    RowPlace::Row(_) | RowPlace::Path(_) => None,
                };
                return Err(DataError::from(Conflict {
                    file: self.file.clone(),
                    first: first.map(RowPlace::Line),
                    second: place,
                    what: format!("document {document} of query {topic} is graded {before} and then {grade}"),
                    remedy: self.form.repeats().into(),
                }));
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<QrelsFile, DataError> {
        for ((topic, document), grades) in &self.graded {
            if let Some(grade) = self.repeats.and_then(|repeats| repeats.of(grades)) {
                self.labels.insert(topic, document, grade);
            }
        }
        self.notes.regraded = self.graded.len() as u64;
        let (mut qrels, levels) = self.labels.finish();
        for (topic, document, place) in self.dropped {
            if let Some(grade) = qrels.grade(&topic, &document) {
                return Err(graded_and_dropped(self.file, (&topic, &document), grade, place));
            }
            qrels.drop_pair(&topic, &document);
        }
        Ok(QrelsFile { qrels, notes: QrelsNotes { levels, ..self.notes } })
    }
}

/// Returns the error of a pair that has a grade on one line and is dropped on another.
pub(in crate::trec) fn graded_and_dropped(
    file: String,
    (topic, document): (&str, &str),
    grade: Grade,
    place: impl Into<RowPlace>,
) -> DataError {
    DataError::from(Conflict {
        file,
        first: None,
        second: place.into(),
        what: format!("document {document} of query {topic} is graded {grade}, and dropped"),
        remedy: "Keep one of the two lines".into(),
    })
}

/// The most lines that are checked.
const LINES: usize = 10_000;

/// Grades are small numbers; identifiers of documents seldom are.
pub(in crate::trec) const GRADES: std::ops::RangeInclusive<i32> = -10..=100;

/// The values of a column.
#[derive(Default)]
struct Column<'a> {
    different: FxHashSet<&'a str>,
    all_grades: bool,
    any_grade: bool,
}

impl<'a> Column<'a> {
    fn add(&mut self, word: &'a str) {
        let is_grade = parse_whole(word).is_some_and(|grade| GRADES.contains(&grade));
        self.all_grades = is_grade && (self.different.is_empty() || self.all_grades);
        self.any_grade |= is_grade;
        self.different.insert(word);
    }
}

/// Returns the order of ir_datasets if a header says so, or lines of four columns have documents in the second, grades
/// in the third and one iteration in the fourth. TREC's second column holds one value, or a few. Where it holds
/// workers, pairs have several grades, of which the user may choose one: with `repeats` only a header counts.
pub(super) fn other_order(lines: &[u8], repeats: bool) -> Option<Layout> {
    let [mut second, mut third, mut fourth] = <[Column<'_>; 3]>::default();
    let mut header = None;
    for line in lines.split(|byte| *byte == b'\n').filter(|line| is_entry(line)).take(LINES) {
        let mut words = std::str::from_utf8(line.trim_ascii_end()).ok()?.split_ascii_whitespace().skip(1);
        let (Some(a), Some(b), Some(c), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return None;
        };
        if mean_in(a).is_some() {
            return None;
        }
        let is_header = ["doc_id", "relevance", "iteration"] == [a, b, c];
        header.get_or_insert(is_header);
        if !is_header {
            second.add(a);
            third.add(b);
            fourth.add(c);
        }
    }
    let header = header?;
    let [documents, grades, iterations] = [&second, &third, &fourth].map(|column| column.different.len());
    // Names in a column that has one value on each line are documents; so are numbers that differ more than the grades.
    let named = !second.any_grade && !is_iteration(&second) && documents >= grades;
    let is_other = !repeats && iterations == 1 && third.all_grades && (named || documents > grades);
    (header || is_other).then_some(Layout::IrDatasets { header })
}

/// Whether the column holds the placeholders of TREC's files.
fn is_iteration(column: &Column<'_>) -> bool {
    column.different.len() == 1 && ["Q0", "q0", "0"].iter().any(|word| column.different.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_in_the_column_of_iterations_are_in_the_order_of_ir_datasets() {
        for text in [
            "q1 d1 2 0\nq1 d2 1 0\nq2 d3 1 0\n",
            "q1 d1 1 0\n",
            "q1 d1 1 0\nq1 d2 0 0\n",
            "1 1001 0 Q0\n1 1002 1 Q0\n1 1003 1 Q0\n",
            "1 1 0 0\n1 2 1 0\n1 3 1 0\n",
            "# labels\n\nq1\td1\t2\t0\r\nq1\td2\t2\t0\r\n",
        ] {
            assert_eq!(
                other_order(text.as_bytes(), false),
                Some(Layout::IrDatasets { header: false }),
                "{text:?}"
            );
        }
        let header = "query_id doc_id relevance iteration\nq1 d1 2 0\n";
        assert_eq!(other_order(header.as_bytes(), true), Some(Layout::IrDatasets { header: true }));
    }

    #[test]
    fn trecs_order_is_read_whatever_the_documents_are_called() {
        for text in [
            "",
            "q1 0 d1 2\n",
            "q1 0 1 2\nq1 0 2 1\n",
            "q1 Q0 1 1\n",
            "q1 Q0 1 1\nq1 Q0 2 1\n",
            "q1 0 3 1\nq2 0 3 1\n",
            "q1 1 5 1\nq1 2 5 0\nq1 1 6 1\n",
            "q1 run1 7 1\nq1 run1 8 1\nq1 run2 9 1\n",
            "q1 w1 5 1\nq1 w2 5 0\nq1 w3 6 1\n",
            "q1 0 d1 2 x\n",
            "q1 d1 2\n",
        ] {
            assert_eq!(other_order(text.as_bytes(), false), None, "{text:?}");
            assert_eq!(other_order(text.as_bytes(), true), None, "{text:?}");
        }
    }
}
