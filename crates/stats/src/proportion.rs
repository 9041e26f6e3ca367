//! A share of counted things, and how sure it is.

use serde::Serialize;

use crate::error::StatsError;
use crate::normal;

/// How many of `n` things are of a kind, with Wilson's score interval for the share.
///
/// Wilson, Probable inference, the law of succession, and statistical inference, JASA 22(158), 1927. The interval stays
/// within 0 and 1 and is sound for few things and for shares near the ends (Brown, Cai and DasGupta, Interval estimation
/// for a binomial proportion, Statistical Science 16(2), 2001). It takes the things as independent; pairs that share
/// a document or a query are not quite, so for them it is somewhat too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Proportion {
    /// How many are of the kind.
    pub count: u64,
    /// How many there are.
    pub n: u64,
    /// The share, from 0 to 1; `None` when there are none.
    pub share: Option<f64>,
    /// The lower end of the interval; `None` when there are none.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` when there are none.
    pub high: Option<f64>,
}

impl Proportion {
    /// `count` of `n`, with an interval that holds the true share with this confidence, 0.95 for instance.
    ///
    /// ```
    /// use llull_stats::Proportion;
    ///
    /// let right = Proportion::new(75, 100, 0.95)?;
    /// assert_eq!(right.share, Some(0.75));
    /// assert!(right.low.is_some_and(|low| (low - 0.656955364519384).abs() < 1e-12));
    /// # Ok::<(), llull_stats::StatsError>(())
    /// ```
    ///
    /// # Errors
    /// When the confidence does not lie between 0 and 1, or `count` is above `n`.
    pub fn new(count: u64, n: u64, confidence: f64) -> Result<Self, StatsError> {
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(StatsError::Confidence(confidence));
        }
        if count > n {
            return Err(StatsError::Share { count, n });
        }
        if n == 0 {
            return Ok(Self { count, n, share: None, low: None, high: None });
        }
        let (hits, all) = (count as f64, n as f64);
        let share = hits / all;
        let z = normal::quantile(0.5 + confidence / 2.0);
        let square = z * z;
        let centre = (hits + square / 2.0) / (all + square);
        let half = z / (all + square) * (share * (1.0 - share) * all + square / 4.0).sqrt();
        // At the ends rounding must not leave the share outside of its own interval.
        let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
        Ok(Self { count, n, share: Some(share), low: Some(low), high: Some(high) })
    }
}
