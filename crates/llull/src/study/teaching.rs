//! Students learn from what a study's judges, or people, have said.

use std::path::PathBuf;

use llull_core::Qrels;

use super::steps::Study;
use crate::config::{JudgeKind, JudgeSettings};
use crate::error::StudyError;
use crate::inputs::{Inputs, pooled_texts};
use crate::kept_students::keep_student;
use crate::students::{StudentOptions, TaughtStudent, teach};

impl Study {
    /// Teaches a student the labels of this study's pooled pairs, so that [`keep_student`](Self::keep_student) can make
    /// it a judge: `student:NAME`. `of` says whose labels they are.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read or lacks a pooled document, a label is off the rubric's scale, or
    /// there are too few labels to learn from.
    pub fn teach_student(
        &self,
        inputs: &Inputs,
        labels: &Qrels,
        of: &str,
        options: &StudentOptions,
    ) -> Result<TaughtStudent, StudyError> {
        let mut settings = self.settings.clone();
        settings.graders.clear();
        settings.judges = vec![JudgeSettings {
            name: "similarity".to_owned(),
            model: "similarity".to_owned(),
            concurrency: 1,
            kind: JudgeKind::Similarity {},
            weight: 1.0,
        }];
        let texts = pooled_texts(&settings, self.folder(), inputs)?;
        let no_corpus = || StudyError::NoCorpus(self.folder().config().display().to_string());
        let idf = texts.idf.as_ref().ok_or_else(no_corpus)?;
        Ok(teach(inputs, &texts, idf, labels, of, options)?)
    }

    /// Keeps a student with the study, instead of the one of that name. Returns its file.
    ///
    /// # Errors
    /// Returns an error if the name is no plain word, or the file cannot be written.
    pub fn keep_student(&self, name: &str, taught: &TaughtStudent) -> Result<PathBuf, StudyError> {
        Ok(keep_student(self.folder(), name, &taught.student)?)
    }
}
