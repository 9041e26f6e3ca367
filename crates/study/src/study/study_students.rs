//! The students of a study: trained on labels of its judges, or of annotators.

use std::path::PathBuf;

use llull_config::{JudgeKind, JudgeSettings};
use llull_core::{Qrels, Seed};
use llull_judge::Idf;

use super::steps::Study;
use crate::error::StudyError;
use crate::inputs::{InputError, Inputs, PooledTexts, pooled_texts};
#[cfg(feature = "encoders")]
use crate::inputs::{all_encoded, encode_texts, meanings, student_encoders, texts_of};
use crate::saved::save_student;
#[cfg(feature = "encoders")]
use crate::saved::saved_vectors;
use crate::students::{TaughtStudent, teach};
use crate::study_config::StudyConfig;
use crate::trained_labels::TrainedQueries;

/// The students of a study: models that it trains on labels of its pairs.
#[derive(Clone, Copy)]
pub struct StudyStudents<'a>(&'a Study);

impl Study {
    /// Returns the students of the study.
    pub fn students(&self) -> StudyStudents<'_> {
        StudyStudents(self)
    }
}

impl StudyStudents<'_> {
    /// Returns the queries of these labels that judges of the study were trained on.
    pub fn trained_on(&self, labels: &Qrels) -> TrainedQueries {
        TrainedQueries::find(self.0.config(), [labels])
    }

    /// Trains a student on labels of this study's pooled pairs. [`save`](Self::save) can then make it a
    /// judge: `student:NAME`. `of` names the source of the labels, `seed` draws the parts.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read or lacks a pooled document, a label is off the rubric's scale, or
    /// there are too few labels.
    pub fn teach(
        &self,
        inputs: &Inputs,
        labels: &Qrels,
        of: &str,
        seed: Seed,
    ) -> Result<TaughtStudent, StudyError> {
        let texts = self.texts_to_teach(inputs)?;
        Ok(teach(inputs, &texts, self.idf_of(&texts)?, (labels, of), None, seed)?)
    }

    /// Does the same for a student that also compares meanings. Texts without vectors are encoded, and their vectors
    /// are saved with the study; `encoded` receives the progress.
    ///
    /// # Errors
    /// Returns those of [`teach`](Self::teach), also if texts cannot be encoded.
    #[cfg(feature = "encoders")]
    pub fn teach_with(
        &self,
        (encoder, encoded): (&dyn llull_encoder::Encoder, &mut dyn FnMut(llull_encoder::Encoded)),
        inputs: &Inputs,
        (labels, of): (&Qrels, &str),
        seed: Seed,
    ) -> Result<TaughtStudent, StudyError> {
        let texts = self.texts_to_teach(inputs)?;
        let labelled =
            texts.pooled.cases().filter(|case| labels.grade(&case.topic.id, case.document_id()).is_some());
        let labelled = texts_of(labelled);
        let mut kept = saved_vectors(self.0.folder(), encoder.name())?;
        encode_texts(encoder, &mut kept, &labelled, encoded)?;
        let meaning = Some((encoder.name(), &meanings(&kept, &labelled)));
        Ok(teach(inputs, &texts, self.idf_of(&texts)?, (labels, of), meaning, seed)?)
    }

    /// Makes the missing vectors of the pool for students among the study's judges. `encoder` returns the encoder of a
    /// name.
    ///
    /// # Errors
    /// Returns an error if there is no such encoder, the inputs or the corpus cannot be read, or texts cannot be
    /// encoded.
    #[cfg(feature = "encoders")]
    pub fn encode<E: From<StudyError>>(
        &self,
        mut encoder: impl FnMut(&str) -> Result<Box<dyn llull_encoder::Encoder>, E>,
        mut encoded: impl FnMut(llull_encoder::Encoded),
    ) -> Result<(), E> {
        let names = student_encoders(self.0.config())?;
        if names.is_empty() {
            return Ok(());
        }
        let texts = pooled_texts(self.0.config(), &self.0.inputs()?, |_| Ok(()))?;
        let texts = texts_of(texts.pooled.cases());
        for name in names {
            let mut kept = saved_vectors(self.0.folder(), &name)?;
            if !all_encoded(&kept, &texts) {
                encode_texts(&*encoder(&name)?, &mut kept, &texts, &mut encoded)?;
            }
        }
        Ok(())
    }

    fn texts_to_teach(&self, inputs: &Inputs) -> Result<PooledTexts, StudyError> {
        let mut settings = self.0.settings().clone();
        settings.graders.clear();
        settings.judges = vec![JudgeSettings {
            name: "similarity".to_owned(),
            model: "similarity".to_owned(),
            concurrency: 1,
            kind: JudgeKind::Similarity {},
            weight: 1.0,
        }];
        pooled_texts(StudyConfig { settings: &settings, ..self.0.config() }, inputs, |_| Ok(()))
    }

    fn idf_of<'a>(&self, texts: &'a PooledTexts) -> Result<&'a Idf, StudyError> {
        let no_corpus =
            || StudyError::Inputs(InputError::NoCorpus(self.0.folder().config().display().to_string()));
        Ok(&texts.surface.as_ref().ok_or_else(no_corpus)?.idf)
    }

    /// Saves a student with the study, instead of the one of that name. Returns its file.
    ///
    /// # Errors
    /// Returns an error if the name is no plain word, or the file cannot be written.
    pub fn save(&self, name: &str, taught: &TaughtStudent) -> Result<PathBuf, StudyError> {
        save_student(self.0.folder(), name, &taught.student)
    }
}
