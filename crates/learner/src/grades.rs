//! Predicts a grade from a few numbers by ridge regression within queries.
//!
//! The score is cut so that grades are as frequent as among the labels.

use llull_core::{Grade, Seed};

use crate::folds::by_group;
use crate::logistic::solve;

/// A document with its features and its grade.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedRow {
    /// The position of its query.
    pub query: usize,
    /// Its features, as many as every other row has.
    pub features: Vec<f64>,
    /// Its label.
    pub grade: Grade,
}

/// A weighted sum of standardised features, cut into grades.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedGrades {
    /// Each feature's mean.
    pub means: Vec<f64>,
    /// Each feature's standard deviation; 1 of a feature that never varies.
    pub spreads: Vec<f64>,
    /// The change of the score for a standard deviation of each feature.
    pub weights: Vec<f64>,
    /// The least score of each grade above the lowest.
    pub thresholds: Vec<f64>,
}

/// Why nothing is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FitGradesError {
    /// There are hardly any labels.
    #[error(
        "too few to learn from: at least 20 labels of 5 queries are needed (labels: {rows}, queries: {queries})"
    )]
    TooFew {
        /// The labels.
        rows: usize,
        /// Their queries.
        queries: usize,
    },
    /// No query has two grades.
    #[error("no query has documents of two grades, so there is nothing to learn")]
    NothingApart,
}

/// Fits the weights that order the documents of each query. They are least squares of the grades' distance from their
/// query's mean on the features' distance from theirs, with `ridge` times the sum of squared weights (Hoerl and
/// Kennard, Technometrics 12(1), 1970). So the common properties of a query's documents have no effect. The score is
/// then cut so that the grades are as frequent as they are among the labels; least squares alone would give the middle
/// to nearly all. `grades` are those of the scale, rising.
///
/// # Errors
/// Returns an error below 20 rows or 5 queries, or if no query has two grades.
pub fn fit_grades(rows: &[GradedRow], grades: &[Grade], ridge: f64) -> Result<FittedGrades, FitGradesError> {
    let queries = of_queries(rows);
    if rows.len() < 20 || queries.len() < 5 {
        return Err(FitGradesError::TooFew { rows: rows.len(), queries: queries.len() });
    }
    let size = rows[0].features.len();
    let n = rows.len() as f64;
    let mean = |at: usize| rows.iter().map(|row| row.features[at]).sum::<f64>() / n;
    let means: Vec<f64> = (0..size).map(mean).collect();
    let spread = |at: usize| {
        let squares = rows.iter().map(|row| (row.features[at] - means[at]).powi(2)).sum::<f64>();
        let spread = (squares / n).sqrt();
        if spread > 1e-12 { spread } else { 1.0 }
    };
    let spreads: Vec<f64> = (0..size).map(spread).collect();
    let (mut matrix, mut right, mut apart) = (vec![0.0; size * size], vec![0.0; size], false);
    for query in &queries {
        let count = query.len() as f64;
        let grade = query.iter().map(|row| f64::from(row.grade)).sum::<f64>() / count;
        let mean = |at: usize| query.iter().map(|row| row.features[at]).sum::<f64>() / count;
        let centre: Vec<f64> = (0..size).map(mean).collect();
        for row in query {
            let distance = f64::from(row.grade) - grade;
            apart |= distance != 0.0;
            let standard: Vec<f64> =
                (0..size).map(|at| (row.features[at] - centre[at]) / spreads[at]).collect();
            for at in 0..size {
                right[at] += standard[at] * distance;
                for other in 0..=at {
                    matrix[at * size + other] += standard[at] * standard[other];
                }
            }
        }
    }
    if !apart {
        return Err(FitGradesError::NothingApart);
    }
    (0..size).for_each(|at| matrix[at * size + at] += ridge);
    let weights = solve(&mut matrix, right);
    let mut fitted = FittedGrades { means, spreads, weights, thresholds: Vec::new() };
    fitted.thresholds = fitted.cuts(rows, grades);
    Ok(fitted)
}

impl FittedGrades {
    /// Returns the score of a document's features.
    pub fn score(&self, features: &[f64]) -> f64 {
        let standard = features.iter().zip(&self.means).zip(&self.spreads);
        let standard = standard.map(|((value, mean), spread)| (value - mean) / spread);
        standard.zip(&self.weights).map(|(value, weight)| value * weight).sum()
    }

    /// Returns the grade of a score; `grades` are those of the scale, rising.
    pub fn grade(&self, score: f64, grades: &[Grade]) -> Grade {
        let steps = self.thresholds.iter().take_while(|threshold| score >= **threshold).count();
        grades.get(steps).or(grades.last()).copied().unwrap_or_default()
    }

    /// The scores above which lie as many documents as have each grade or a higher one. A grade that no document
    /// reaches begins above all scores.
    fn cuts(&self, rows: &[GradedRow], grades: &[Grade]) -> Vec<f64> {
        let mut scores: Vec<f64> = rows.iter().map(|row| self.score(&row.features)).collect();
        scores.sort_by(f64::total_cmp);
        let beyond = scores.last().map_or(0.0, |last| last + 1.0);
        let above = grades.iter().skip(1);
        above
            .map(|grade| {
                let below = rows.iter().filter(|row| row.grade < *grade).count();
                scores.get(below).copied().unwrap_or(beyond)
            })
            .collect()
    }
}

/// Predicts every row by a model of other queries: a score and a grade for each, in the order of the rows. Queries are
/// dealt to `folds` parts.
///
/// # Errors
/// As [`fit_grades`], of what is left without a part.
pub fn held_out_grades(
    rows: &[GradedRow],
    grades: &[Grade],
    ridge: f64,
    folds: usize,
    seed: Seed,
) -> Result<Vec<(f64, Grade)>, FitGradesError> {
    let all: Vec<usize> = (0..rows.len()).collect();
    let queries: Vec<usize> = rows.iter().map(|row| row.query).collect();
    let fold_of = by_group(&all, &queries, folds, seed);
    let mut predicted = vec![(0.0, 0); rows.len()];
    for fold in 0..crate::folds::count(&fold_of) {
        let others = rows.iter().zip(&fold_of).filter(|(_, of)| **of != fold);
        let others: Vec<GradedRow> = others.map(|(row, _)| row.clone()).collect();
        let fitted = fit_grades(&others, grades, ridge)?;
        for (at, row) in rows.iter().enumerate().filter(|(at, _)| fold_of[*at] == fold) {
            let score = fitted.score(&row.features);
            predicted[at] = (score, fitted.grade(score, grades));
        }
    }
    Ok(predicted)
}

/// The rows of each query.
fn of_queries(rows: &[GradedRow]) -> Vec<Vec<&GradedRow>> {
    let mut queries: Vec<Vec<&GradedRow>> = Vec::new();
    for row in rows {
        if queries.len() <= row.query {
            queries.resize(row.query + 1, Vec::new());
        }
        queries[row.query].push(row);
    }
    queries.retain(|rows| !rows.is_empty());
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two features of 6 queries with 4 documents each, made by arithmetic.
    fn rows() -> Vec<GradedRow> {
        let row = |at: usize| {
            let (query, document) = (at / 4, at % 4);
            let features = vec![
                ((at * 7) % 11) as f64 / 10.0 + query as f64,
                ((at * 5 + document) % 7) as f64 - 2.0 * query as f64,
            ];
            GradedRow { query, features, grade: ((at * 3 + document * document + query) % 4) as i32 }
        };
        (0..24).map(row).collect()
    }

    /// scikit-learn 1.9.1: Ridge(alpha, fit_intercept=False).fit(Z, t).coef_, where Z are the features divided by
    /// their standard deviation (numpy's std) less their query's mean, and t the grades less theirs.
    #[test]
    fn weights_are_those_of_scikit_learn() {
        for (ridge, expected) in [
            (1.0, [-0.076_667_386_171_723_46, 0.344_508_391_091_921_33]),
            (10.0, [0.000_135_266_930_978_359_85, 0.101_156_788_852_542_69]),
        ] {
            let fitted = fit_grades(&rows(), &[0, 1, 2, 3], ridge).unwrap();
            for (weight, expected) in fitted.weights.iter().zip(expected) {
                assert!((weight - expected).abs() < 1e-9, "{ridge}: {:?}", fitted.weights);
            }
        }
    }

    #[test]
    fn grades_are_as_frequent_as_among_the_labels() {
        let rows = rows();
        let fitted = fit_grades(&rows, &[0, 1, 2, 3], 1.0).unwrap();
        let count = |grades: Vec<Grade>, grade| grades.iter().filter(|one| **one == grade).count();
        for grade in 0..4 {
            let given =
                rows.iter().map(|row| fitted.grade(fitted.score(&row.features), &[0, 1, 2, 3])).collect();
            assert_eq!(count(given, grade), count(rows.iter().map(|row| row.grade).collect(), grade));
        }
        let low: Vec<GradedRow> =
            rows.iter().map(|row| GradedRow { grade: row.grade / 2, ..row.clone() }).collect();
        let fitted = fit_grades(&low, &[0, 1, 2, 3], 1.0).unwrap();
        let highest = low.iter().map(|row| fitted.grade(fitted.score(&row.features), &[0, 1, 2, 3])).max();
        assert_eq!(highest, Some(1), "nobody is given a grade that no label has");
    }

    #[test]
    fn what_cannot_be_learnt_is_said() {
        let rows = rows();
        assert_eq!(
            fit_grades(&rows[..16], &[0, 1, 2, 3], 1.0),
            Err(FitGradesError::TooFew { rows: 16, queries: 4 })
        );
        let flat: Vec<GradedRow> =
            rows.iter().map(|row| GradedRow { grade: (row.query % 2) as i32, ..row.clone() }).collect();
        assert_eq!(fit_grades(&flat, &[0, 1], 1.0), Err(FitGradesError::NothingApart));
    }

    #[test]
    fn a_row_is_predicted_without_its_query() {
        let rows: Vec<GradedRow> = (0..10)
            .flat_map(|round| {
                rows().into_iter().map(move |row| GradedRow { query: row.query + 6 * round, ..row })
            })
            .collect();
        let predicted = held_out_grades(&rows, &[0, 1, 2, 3], 1.0, 5, Seed(7)).unwrap();
        let mut changed = rows.clone();
        changed.iter_mut().filter(|row| row.query == 0).for_each(|row| row.grade = 3 - row.grade);
        let after = held_out_grades(&changed, &[0, 1, 2, 3], 1.0, 5, Seed(7)).unwrap();
        for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.query == 0) {
            assert_eq!(predicted[at], after[at], "{row:?}");
        }
        assert_ne!(predicted, after);
    }
}
