//! Cohen's kappa: agreement beyond what two raters with these habits would reach by chance.

use super::crosstab::Crosstab;
use super::{ConfusionMatrix, DisagreementWeights};

/// Cohen's kappa: 1 for full agreement, 0 for what chance gives, below 0 for less than chance.
///
/// 1 - observed / expected disagreement, where chance keeps how often each rater gives each grade. Cohen, A coefficient
/// of agreement for nominal scales, Educational and Psychological Measurement 20(1), 1960; weighted: Psychological
/// Bulletin 70(4), 1968. Distances are between the grades themselves, so a grade that nobody gave still takes its room
/// on the scale (scikit-learn counts places among the grades given; the two differ only where one is skipped).
///
/// `None` when it is undefined: nothing graded, or chance alone would agree fully because both raters gave one and the
/// same grade throughout.
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

/// Scott's pi: kappa as if both raters gave each grade as often as the two together do, from about -1 to 1.
///
/// Scott, Reliability of content analysis: the case of nominal scale coding, Public Opinion Quarterly 19(3), 1955. For two raters
/// without gaps [`fleiss_kappa`](crate::fleiss_kappa) is the same.
///
/// `None` when nothing is graded, or only one grade was ever given.
///
/// ```
/// use llull_stats::{ConfusionMatrix, scott_pi};
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 0), (1, 1), (1, 0)].into_iter().collect();
/// assert_eq!(scott_pi(&matrix), Some(1.0 - 0.25 / (2.0 * 0.625 * 0.375)));
/// ```
pub fn scott_pi(matrix: &ConfusionMatrix) -> Option<f64> {
    let (table, counts) = Crosstab::of(matrix);
    table.with(&counts).pi()
}
