//! The chunks of qrels put together.

use std::path::{Path, PathBuf};

use super::file::{QrelsFile, QrelsNotes};
use super::labels::Labels;
use crate::{Conflict, DataError, locate::locate, trec::parsed_chunk::ParsedChunk};

/// Collects labels in the order of the file.
pub(super) struct Collector<L> {
    path: PathBuf,
    file: String,
    labels: L,
    notes: QrelsNotes,
    /// The number of lines before the next chunk.
    above: u64,
}

impl<L: Labels> Collector<L> {
    pub(super) fn new(path: &Path, file: String) -> Self {
        Self { path: path.to_owned(), file, labels: L::default(), notes: QrelsNotes::default(), above: 0 }
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
        match self.labels.insert(topic, document, grade) {
            None => {}
            Some(before) if before == grade => self.notes.repeat(line, topic, document),
            Some(before) => {
                return Err(DataError::from(Conflict {
                    file: self.file.clone(),
                    first: locate(&self.path, topic, Some(document)).filter(|first| *first < line),
                    second: line,
                    what: format!("document {document} of query {topic} is graded {before} and then {grade}"),
                    remedy: "Keep one of them. If the second column names judges, read the file as qrels_jg"
                        .into(),
                }));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> QrelsFile {
        let (qrels, levels) = self.labels.finish();
        QrelsFile { qrels, notes: QrelsNotes { levels, ..self.notes } }
    }
}
