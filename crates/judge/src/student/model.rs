//! The model of a student, and its training labels.

use std::collections::BTreeMap;

use llull_core::{Document, Grade, Hash, KeyBuilder, Scale};
use serde::{Deserialize, Serialize};

use super::features::{Meanings, SurfaceFeatures};
use crate::baseline::Idf;

/// A small model that grades without a request: a weighted sum of [features](crate::STUDENT_FEATURES), cut into
/// grades. It includes its training labels and its agreement with them on held-out queries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Student {
    pub(super) format: String,
    pub(super) version: u32,
    /// The names of the features, in the order of the numbers below.
    pub features: Vec<String>,
    /// The encoder of the vectors whose cosine is the last feature, [meaning](crate::STUDENT_MEANING); `None` without
    /// that feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
    /// Each feature's mean where it was learnt.
    pub means: Vec<f64>,
    /// Each feature's standard deviation there.
    pub spreads: Vec<f64>,
    /// The change of the score for a standard deviation of each feature.
    pub weights: Vec<f64>,
    /// The least score of each grade above the lowest.
    pub thresholds: Vec<f64>,
    /// How far labels lie from the score: the chance of a grade is logistic in the score's distance from its threshold,
    /// in this unit; fitted to queries that were not learnt from. `None` of a student that an earlier llull taught.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// The lowest and the highest grade.
    pub scale: (Grade, Grade),
    /// Its training labels, and its agreement with them.
    pub lessons: StudentLessons,
}

/// A student's grade of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentGrade {
    /// The grade.
    pub grade: Grade,
    /// The score, finer than the grade; its scale is the student's own.
    pub score: f64,
}

/// Why a document has no grade of a judge that looks at texts in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UngradedReason {
    /// The query has none that could be looked for.
    #[error("the query has no word to look for")]
    NoWord,
    /// The student compares vectors, and query or document has none.
    #[error("the query or the document has no vector")]
    NoVector,
}

impl Student {
    /// Grades a document. `meanings` are of this student's encoder; one without an encoder needs none.
    ///
    /// # Errors
    /// Returns why there is no grade.
    pub fn grade(
        &self,
        query: &str,
        document: &Document,
        idf: &Idf,
        meanings: &Meanings,
        scale: Scale,
    ) -> Result<StudentGrade, UngradedReason> {
        let mut features =
            SurfaceFeatures::new(query, idf).ok_or(UngradedReason::NoWord)?.of(document).to_vec();
        if self.encoder.is_some() {
            features.push(meanings.of(query, &document.shown()).ok_or(UngradedReason::NoVector)?);
        }
        let score = self.score(&features);
        let steps = self.thresholds.iter().take_while(|threshold| score >= **threshold).count();
        Ok(StudentGrade { grade: scale.grades().nth(steps).unwrap_or(scale.high()), score })
    }

    /// Returns the score of features in their order.
    fn score(&self, features: &[f64]) -> f64 {
        let standard = features.iter().zip(&self.means).zip(&self.spreads);
        let standard = standard.map(|((value, mean), spread)| (value - mean) / spread);
        standard.zip(&self.weights).map(|(value, weight)| value * weight).sum()
    }

    /// Returns the hash of everything that decides its grades, with the weights of words.
    pub fn hash(&self, idf: &Idf) -> Hash {
        let mut key = KeyBuilder::new("llull student v1")
            .part("idf", &idf.hash().0)
            .number("mean length", idf.mean_length().to_bits())
            .text("scale", &format!("{}..{}", self.scale.0, self.scale.1));
        for feature in &self.features {
            key = key.text("feature", feature);
        }
        if let Some(encoder) = &self.encoder {
            key = key.text("encoder", encoder);
        }
        for (name, numbers) in [
            ("mean", &self.means),
            ("spread", &self.spreads),
            ("weight", &self.weights),
            ("threshold", &self.thresholds),
        ] {
            for number in numbers {
                key = key.number(name, number.to_bits());
            }
        }
        key.finish()
    }
}

/// The training labels of a student, and its agreement with held-out ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudentLessons {
    /// The source of the labels.
    pub labels: String,
    /// How many of them.
    pub pairs: usize,
    /// The number of their queries.
    pub queries: usize,
    /// By query, a hash of these labels; empty of a student that an earlier llull has taught.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trained_on: BTreeMap<String, String>,
    /// How far it agrees with the labels of queries that it had not seen, in folds over queries.
    pub held_out: HeldOutAgreement,
    /// The same of the similarity baseline, which has learnt nothing.
    pub similarity: HeldOutAgreement,
}

/// How far grades agree with labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutAgreement {
    /// Spearman's rank correlation within queries, the mean; `None` if the labels tell nothing apart in any.
    pub rho: Option<f64>,
    /// The ends of its 95% interval over queries; `None` with too few of them.
    pub rho_interval: Option<(f64, f64)>,
    /// Cohen's kappa within queries.
    pub kappa: Option<f64>,
    /// Quadratically weighted kappa over all pairs.
    pub kappa_quadratic: Option<f64>,
}
