//! A share of counted things with its interval.

use serde::Serialize;

use crate::distribution::normal;
use crate::error::StatsError;

/// A count among `n` things, with Wilson's score interval for the share.
///
/// Wilson, Probable inference, the law of succession, and statistical inference, JASA 22(158), 1927. The interval stays
/// within 0 and 1 and is reliable for few things and for shares near the ends (Brown, Cai and DasGupta, Interval
/// estimation for a binomial proportion, Statistical Science 16(2), 2001). It assumes independent things; pairs that
/// share a document or a query are not quite independent, so for them it is somewhat too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Proportion {
    /// The number of things that are counted.
    pub count: u64,
    /// The number of all things.
    pub n: u64,
    /// The share, from 0 to 1; `None` if `n` is 0.
    pub share: Option<f64>,
    /// The lower end of the interval; `None` if `n` is 0.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` if `n` is 0.
    pub high: Option<f64>,
}

impl Proportion {
    /// Returns `count` of `n` with an interval that holds the true share with this confidence, such as 0.95.
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
    /// Returns an error if the confidence is not between 0 and 1, or `count` is above `n`.
    pub fn new(count: u64, n: u64, confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        if count > n {
            return Err(StatsError::Share { count, n });
        }
        if n == 0 {
            return Ok(Self { count, n, share: None, low: None, high: None });
        }
        let (hits, all) = (count as f64, n as f64);
        let share = hits / all;
        let z = normal::two_sided(confidence);
        let square = z * z;
        let centre = (hits + square / 2.0) / (all + square);
        let half = z / (all + square) * (share * (1.0 - share) * all + square / 4.0).sqrt();
        // Rounding must not leave a share of 0 or 1 outside of its own interval.
        let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
        Ok(Self { count, n, share: Some(share), low: Some(low), high: Some(high) })
    }
}
