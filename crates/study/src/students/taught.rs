//! Trains a student on a study's labels.

use llull_core::{Qrels, Seed};
use llull_judge::{HeldOutAgreement, Idf, Meanings, Similarity, Student, StudentLessons, SurfaceFeatures};
use llull_learner::{GradedRow, fit_grades, grade_spread, held_out_grades};
use llull_stats::{
    AgreementWithin, BootstrapOptions, ConfusionMatrix, DisagreementWeights, cohen_kappa, mean_interval,
};
use serde::Serialize;

use crate::inputs::{Inputs, PooledTexts};
use crate::saved::UnusableStudent;
use crate::trained_labels::label_hashes;

/// The weight of the sum of squared weights: small compared with hundreds of labels, and large enough for twenty.
const RIDGE: f64 = 10.0;

/// The number of parts of the queries, for measuring on queries outside of the training.
const FOLDS: usize = 5;

/// A student, and the number of ignored labels.
#[derive(Debug, Clone, Serialize)]
pub struct TaughtStudent {
    /// The student, with its agreement on queries outside of its training.
    #[serde(flatten)]
    pub student: Student,
    /// Labelled pairs that are not in the pool or have no text, or whose query has no word.
    pub left_out: usize,
}

/// Trains a student on labels of pooled pairs. `of` names their source; `meaning` has an encoder's name and its cosines
/// of the pairs; `seed` is that of the parts and of intervals.
///
/// # Errors
/// Returns an error if a label is off the rubric's scale, or there are too few.
pub(crate) fn teach(
    inputs: &Inputs,
    texts: &PooledTexts,
    idf: &Idf,
    (labels, of): (&Qrels, &str),
    meaning: Option<(&str, &Meanings)>,
    seed: Seed,
) -> Result<TaughtStudent, UnusableStudent> {
    let scale = inputs.rubric.scale;
    let lessons = Lessons::gather(inputs, texts, idf, (labels, of), meaning.map(|(_, meanings)| meanings))?;
    let grades: Vec<i32> = scale.grades().collect();
    let wrong = |source| UnusableStudent::Labels { labels: of.to_owned(), source };
    let fitted = fit_grades(&lessons.rows, &grades, RIDGE).map_err(wrong)?;
    let unseen = held_out_grades(&lessons.rows, &grades, RIDGE, FOLDS, seed).map_err(wrong)?;
    let mut queries: Vec<usize> = lessons.rows.iter().map(|row| row.query).collect();
    queries.dedup();
    let record = StudentLessons {
        labels: of.to_owned(),
        pairs: lessons.rows.len(),
        queries: queries.len(),
        trained_on: label_hashes(labels),
        held_out: agreement(&lessons.rows, &unseen, seed),
        similarity: agreement(&lessons.rows, &lessons.similarity, seed),
    };
    let noise = grade_spread(&unseen_labels(&lessons.rows, &unseen), &fitted.thresholds, &grades);
    let numbers = [fitted.means, fitted.spreads, fitted.weights];
    let unsound = |source| UnusableStudent::Student { student: "the student".to_owned(), source };
    let encoder = meaning.map(|(encoder, _)| encoder);
    let student =
        Student::new(numbers, (fitted.thresholds, noise), encoder, scale, record).map_err(unsound)?;
    Ok(TaughtStudent { student, left_out: lessons.left_out })
}

/// The prediction for each row without its query, with the row's label.
fn unseen_labels(rows: &[GradedRow], unseen: &[(f64, i32)]) -> Vec<(f64, i32)> {
    rows.iter().zip(unseen).map(|(row, (score, _))| (*score, row.grade)).collect()
}

/// The training data.
struct Lessons {
    rows: Vec<GradedRow>,
    /// The value and the grade of the similarity baseline for each row.
    similarity: Vec<(f64, i32)>,
    left_out: usize,
}

impl Lessons {
    /// Rows are in the order of queries.
    fn gather(
        inputs: &Inputs,
        texts: &PooledTexts,
        idf: &Idf,
        (labels, of): (&Qrels, &str),
        meanings: Option<&Meanings>,
    ) -> Result<Self, UnusableStudent> {
        let scale = inputs.rubric.scale;
        let baseline = Similarity::new(scale, idf.clone());
        let (mut rows, mut similarity) = (Vec::new(), Vec::new());
        let mut query: Option<(usize, &str, Option<SurfaceFeatures<'_>>)> = None;
        for case in texts.pooled.cases() {
            let topic = case.topic;
            let Some(grade) = labels.grade(&topic.id, case.document_id()) else { continue };
            if !scale.contains(grade) {
                return Err(UnusableStudent::Problem(format!(
                    "labels of {of}: query {}, document {} has grade {grade}, and the rubric's grades are from {} to \
                     {}: give labels on that scale",
                    topic.id,
                    case.document_id(),
                    scale.low(),
                    scale.high()
                )));
            }
            if query.as_ref().is_none_or(|(_, id, _)| *id != topic.id) {
                let number = query.map_or(0, |(number, ..)| number + 1);
                query = Some((number, &topic.id, SurfaceFeatures::new(&topic.text, idf)));
            }
            let Some((number, _, Some(surface))) = &query else { continue };
            let Some(document) = case.document() else { continue };
            let text = document.shown();
            let Some(coverage) = baseline.grade(&topic.text, &text) else { continue };
            let mut features = surface.of(document).to_vec();
            if let Some(meanings) = meanings {
                let Some(meaning) = meanings.of(&topic.text, &text) else { continue };
                features.push(meaning);
            }
            rows.push(GradedRow { query: *number, features, grade });
            similarity.push((coverage.coverage, coverage.grade));
        }
        let all: usize = labels.iter().map(|(_, labels)| labels.len()).sum();
        let left_out = all - rows.len();
        Ok(Self { rows, similarity, left_out })
    }
}

/// The agreement of values and grades with the labels of the rows, which are ordered by query.
fn agreement(rows: &[GradedRow], given: &[(f64, i32)], seed: Seed) -> HeldOutAgreement {
    let both: Vec<_> = rows.iter().zip(given).collect();
    let mut matrix = ConfusionMatrix::default();
    both.iter().for_each(|(row, (_, grade))| matrix.add(row.grade, *grade));
    let of_query = |query: &[(&GradedRow, &(f64, i32))]| {
        let documents: Vec<_> =
            query.iter().map(|(row, (value, grade))| (row.grade, *grade, *value)).collect();
        AgreementWithin::of(&documents)
    };
    let within: Vec<AgreementWithin> =
        both.chunk_by(|(row, _), (next, _)| row.query == next.query).map(of_query).collect();
    let rhos: Vec<f64> = within.iter().filter_map(|query| query.rho).collect();
    let interval = mean_interval(&rhos, &BootstrapOptions::new(seed)).ok();
    HeldOutAgreement {
        rho: AgreementWithin::rho(&within),
        rho_interval: interval.filter(|found| found.low.is_finite()).map(|found| (found.low, found.high)),
        kappa: AgreementWithin::kappa(&within),
        kappa_quadratic: cohen_kappa(&matrix, DisagreementWeights::Quadratic),
    }
}
