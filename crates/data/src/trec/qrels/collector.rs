//! Merges the chunks of qrels.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use llull_core::Grade;

use super::file::{QrelsFile, QrelsNotes};
use super::labels::Labels;
use super::layout::DROPPED_GRADE;
use super::options::RepeatedGrades;
use crate::{Conflict, DataError, locate::locate, trec::parsed_chunk::ParsedChunk};

/// Collects labels in the order of the file.
pub(super) struct Collector<L> {
    path: PathBuf,
    file: String,
    labels: L,
    notes: QrelsNotes,
    repeats: Option<RepeatedGrades>,
    /// All grades of pairs that have several lines, in the order of the file, if one of them may count.
    graded: IndexMap<(String, String), Vec<f64>>,
    /// The dropped pairs, with their lines.
    dropped: Vec<(String, String, u64)>,
    /// The number of lines before the next chunk.
    above: u64,
}

impl<L: Labels> Collector<L> {
    pub(super) fn new(
        path: &Path,
        file: String,
        three_columns: bool,
        repeats: Option<RepeatedGrades>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            file,
            labels: L::default(),
            notes: QrelsNotes { three_columns, ..QrelsNotes::default() },
            repeats,
            graded: IndexMap::new(),
            dropped: Vec::new(),
            above: 0,
        }
    }

    /// Adds the next chunk.
    pub(super) fn add(&mut self, part: &mut ParsedChunk<L::Topic>) -> Result<(), DataError> {
        self.notes.lines += part.hits.len() as u64;
        for mut stretch in std::mem::take(&mut part.stretches) {
            let topic = part.topic(&stretch);
            let inserted =
                stretch.done.take().is_some_and(|labels| self.labels.insert_topic(topic, labels).is_ok());
            if inserted {
                continue;
            }
            for index in stretch.hits {
                let Some((document, grade, line)) = part.get(index) else { break };
                self.insert(topic, document, grade, self.above + line)?;
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
        line: u64,
    ) -> Result<(), DataError> {
        if grade.is_nan() {
            self.notes.missing += 1;
            self.notes.first_missing.get_or_insert(line);
            return Ok(());
        }
        if grade == DROPPED_GRADE {
            self.dropped.push((topic.to_owned(), document.to_owned(), line));
            return Ok(());
        }
        match (self.labels.insert(topic, document, grade), self.repeats) {
            (None, _) => {}
            (Some(before), Some(_)) => {
                let all = self.graded.entry((topic.to_owned(), document.to_owned()));
                all.or_insert_with(|| vec![before]).push(grade);
            }
            (Some(before), None) if before == grade => self.notes.repeat(line, topic, document),
            (Some(before), None) => {
                return Err(DataError::from(Conflict {
                    file: self.file.clone(),
                    first: locate(&self.path, topic, Some(document)).filter(|first| *first < line),
                    second: line,
                    what: format!("document {document} of query {topic} is graded {before} and then {grade}"),
                    remedy: "Keep one of them, or say which counts (--repeats first, last, median or votes). If the \
                             second column names judges, read the file as qrels_jg"
                        .into(),
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
        for (topic, document, line) in self.dropped {
            if let Some(grade) = qrels.grade(&topic, &document) {
                return Err(graded_and_dropped(self.file, (&topic, &document), grade, line));
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
    line: u64,
) -> DataError {
    DataError::from(Conflict {
        file,
        first: None,
        second: line,
        what: format!("document {document} of query {topic} is graded {grade}, and dropped"),
        remedy: "Keep one of the two lines".into(),
    })
}
