//! Cohen's kappa: agreement beyond what two raters with these habits would reach by chance.

use std::collections::BTreeMap;

use llull_core::Grade;

use super::ConfusionMatrix;

/// How much a disagreement counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Weights {
    /// Every disagreement alike (Cohen 1960).
    #[default]
    None,
    /// By the distance between the grades (Cohen 1968).
    Linear,
    /// By the distance squared (Cohen 1968): 0 against 3 counts nine times 0 against 1.
    Quadratic,
}

impl Weights {
    fn of(self, first: Grade, second: Grade) -> f64 {
        let distance = f64::from(first.abs_diff(second));
        match self {
            Self::None => f64::from(u8::from(first != second)),
            Self::Linear => distance,
            Self::Quadratic => distance * distance,
        }
    }
}

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
/// use llull_stats::{ConfusionMatrix, Weights, cohen_kappa};
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 0), (1, 1), (1, 0)].into_iter().collect();
/// assert_eq!(cohen_kappa(&matrix, Weights::None), Some(0.5));
/// ```
pub fn cohen_kappa(matrix: &ConfusionMatrix, weights: Weights) -> Option<f64> {
    let (mut firsts, mut seconds) = (BTreeMap::<Grade, u64>::new(), BTreeMap::<Grade, u64>::new());
    let mut observed = 0.0;
    for (first, second, count) in matrix.cells() {
        *firsts.entry(first).or_default() += count;
        *seconds.entry(second).or_default() += count;
        observed += weights.of(first, second) * count as f64;
    }
    let mut expected = 0.0;
    for (first, rows) in &firsts {
        for (second, columns) in &seconds {
            expected += weights.of(*first, *second) * (*rows as f64) * (*columns as f64);
        }
    }
    (expected > 0.0).then(|| 1.0 - observed * matrix.n() as f64 / expected)
}
