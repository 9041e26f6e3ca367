//! Cohen's kappa: agreement of two raters beyond chance.

use super::confusion_matrix::ConfusionMatrix;
use super::crosstab::Crosstab;
use super::weights::DisagreementWeights;

/// Returns Cohen's kappa: 1 for full agreement, 0 for that of chance, below 0 for less.
///
/// 1 - observed / expected disagreement, where chance preserves the frequency of each grade of each rater. Cohen, A
/// coefficient of agreement for nominal scales, Educational and Psychological Measurement 20(1), 1960; weighted:
/// Psychological Bulletin 70(4), 1968. Distances are between the grades themselves, so a grade that nobody gave still
/// takes its place on the scale (scikit-learn counts places among the given grades; the two differ only if a grade is
/// skipped).
///
/// `None` if it is undefined: nothing is graded, or both raters gave one and the same grade throughout, so that chance
/// alone would agree fully.
///
/// ```
/// use llull_stats::{ConfusionMatrix, DisagreementWeights, cohen_kappa};
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 0), (1, 1), (1, 0)].into_iter().collect();
/// assert_eq!(cohen_kappa(&matrix, DisagreementWeights::None), Some(0.5));
/// ```
pub fn cohen_kappa(matrix: &ConfusionMatrix, weights: DisagreementWeights) -> Option<f64> {
    let (table, counts) = Crosstab::of(matrix);
    table.with(&counts).kappa(weights)
}
