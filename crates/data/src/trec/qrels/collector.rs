//! The chunks of qrels put together.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::file::{QrelsFile, QrelsNotes};
use super::labels::Labels;
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

    fn insert(&mut self, topic: &str, document: &str, grade: f64, line: u64) -> Result<(), DataError> {
        if grade.is_nan() {
            self.notes.missing += 1;
            self.notes.first_missing.get_or_insert(line);
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

    pub(super) fn finish(mut self) -> QrelsFile {
        for ((topic, document), grades) in &self.graded {
            if let Some(grade) = self.repeats.and_then(|repeats| repeats.of(grades)) {
                self.labels.insert(topic, document, grade);
            }
        }
        self.notes.regraded = self.graded.len() as u64;
        let (qrels, levels) = self.labels.finish();
        QrelsFile { qrels, notes: QrelsNotes { levels, ..self.notes } }
    }
}
