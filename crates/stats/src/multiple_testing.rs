//! Corrections for many tests at once: adjusted p values.

use serde::{Deserialize, Serialize};

use crate::error::StatsError;

/// How p values are corrected for the number of tests.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::Display, strum::EnumString,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownCorrection, parse_err_fn = UnknownCorrection::of)]
pub enum Correction {
    /// No correction: of tests without any difference, one in twenty is significant at 0.05.
    None,
    /// Limits the chance of even one false finding: Holm, A simple sequentially rejective multiple test procedure,
    /// Scandinavian Journal of Statistics 6(2), 1979. Holds whatever the tests share, and is never worse than
    /// Bonferroni's.
    #[default]
    Holm,
    /// Limits the share of false findings among the findings: Benjamini and Hochberg, Controlling the false discovery
    /// rate, JRSS B 57(1), 1995. Holds for independent and for positively dependent tests.
    #[serde(rename = "bh")]
    #[strum(serialize = "bh")]
    BenjaminiHochberg,
}

/// A text that is not the name of a correction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a correction for many tests: use holm, bh or none")]
pub struct UnknownCorrection(String);

impl UnknownCorrection {
    fn of(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Returns the p values adjusted for their number, in the same order: an adjusted p at or below a level is significant
/// at that level.
///
/// Tests without a p do not belong to the family; leave them out. As `statsmodels.stats.multitest.multipletests` with
/// `holm` and `fdr_bh`, and R's `p.adjust`.
///
/// ```
/// use llull_stats::{Correction, adjusted};
///
/// let holm = adjusted(&[0.01, 0.04, 0.03], Correction::Holm)?;
/// assert!((holm[0] - 0.03).abs() < 1e-15 && holm[1] == 0.06 && holm[2] == 0.06);
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if a p is not between 0 and 1.
pub fn adjusted(p: &[f64], correction: Correction) -> Result<Vec<f64>, StatsError> {
    if let Some((index, value)) = p.iter().enumerate().find(|(_, p)| !(0.0..=1.0).contains(*p)) {
        return Err(StatsError::Probability { index, value: *value });
    }
    let mut ascending: Vec<(usize, f64)> = p.iter().copied().enumerate().collect();
    ascending.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let all = p.len() as f64;
    match correction {
        Correction::None => {}
        Correction::Holm => {
            // Steps down: never below the adjusted p before it.
            let mut before: f64 = 0.0;
            for (rank, (_, p)) in ascending.iter_mut().enumerate() {
                before = before.max((all - rank as f64) * *p).min(1.0);
                *p = before;
            }
        }
        Correction::BenjaminiHochberg => {
            // Steps up: never above the adjusted p after it.
            let mut after: f64 = 1.0;
            for (rank, (_, p)) in ascending.iter_mut().enumerate().rev() {
                after = after.min(all / (rank + 1) as f64 * *p);
                *p = after;
            }
        }
    }
    ascending.sort_unstable_by_key(|(index, _)| *index);
    Ok(ascending.into_iter().map(|(_, p)| p).collect())
}
