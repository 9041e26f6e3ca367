//! The conclusions of two label sets about pairs of systems.

use serde::Serialize;

/// The conclusion of one label set about a pair of systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conclusion {
    /// Above 0 if the first system is the better one: its mean less the second's, or the
    /// [sign](crate::Direction::sign) of the figure that the test compares.
    pub difference: f64,
    /// The p of no difference, corrected for the number of pairs if desired; `None` if it is undefined, which counts as
    /// not significant.
    pub p: Option<f64>,
}

/// How many pairs of systems lead to the same conclusion under two label sets. Active: significant under both; mixed:
/// under one of the two; passive: under neither.
///
/// The six kinds are those of Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS
/// 2012. A difference of exactly 0 counts as agreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ConclusionCounts {
    /// Significant under both, the same system better.
    pub active_agreements: u64,
    /// Significant under both, and not the same system better: the two label sets contradict each other.
    pub active_disagreements: u64,
    /// Significant under one only, the same system ahead.
    pub mixed_agreements: u64,
    /// Significant under one only, and not the same system ahead.
    pub mixed_disagreements: u64,
    /// Significant under neither, the same system ahead.
    pub passive_agreements: u64,
    /// Significant under neither, and not the same system ahead.
    pub passive_disagreements: u64,
    /// Significant under the truth, with any result under the other labels.
    pub significant_truth: u64,
    /// Significant under the other labels, with any result under the truth.
    pub significant_other: u64,
}

impl ConclusionCounts {
    /// Counts pairs of systems, each with the conclusions of the truth and of the other labels. A conclusion is
    /// significant if its p is at most `level`, which is usually 0.05.
    ///
    /// ```
    /// use llull_stats::{Conclusion, ConclusionCounts};
    ///
    /// let says = |difference, p| Conclusion { difference, p: Some(p) };
    /// let counts = ConclusionCounts::of(
    ///     [
    ///         (says(0.2, 0.01), says(0.1, 0.03)),
    ///         (says(0.2, 0.01), says(0.0, 0.5)),
    ///         (says(0.1, 0.2), says(-0.3, 0.3)),
    ///     ],
    ///     0.05,
    /// );
    /// assert_eq!((counts.active_agreements, counts.mixed_agreements, counts.passive_disagreements), (1, 1, 1));
    /// assert_eq!((counts.significant_truth, counts.significant_other), (2, 1));
    /// assert_eq!(counts.pairs(), 3);
    /// ```
    pub fn of(pairs: impl IntoIterator<Item = (Conclusion, Conclusion)>, level: f64) -> Self {
        let mut counts = Self::default();
        let significant = |conclusion: &Conclusion| conclusion.p.is_some_and(|p| p <= level);
        for (truth, other) in pairs {
            let opposed = (truth.difference > 0.0 && other.difference < 0.0)
                || (truth.difference < 0.0 && other.difference > 0.0);
            let (in_truth, in_other) = (significant(&truth), significant(&other));
            counts.significant_truth += u64::from(in_truth);
            counts.significant_other += u64::from(in_other);
            let kind = match (in_truth, in_other, opposed) {
                (true, true, false) => &mut counts.active_agreements,
                (true, true, true) => &mut counts.active_disagreements,
                (false, false, false) => &mut counts.passive_agreements,
                (false, false, true) => &mut counts.passive_disagreements,
                (_, _, false) => &mut counts.mixed_agreements,
                (_, _, true) => &mut counts.mixed_disagreements,
            };
            *kind += 1;
        }
        counts
    }

    /// Returns the number of counted pairs.
    pub fn pairs(&self) -> u64 {
        let Self {
            active_agreements,
            active_disagreements,
            mixed_agreements,
            mixed_disagreements,
            passive_agreements,
            passive_disagreements,
            ..
        } = self;
        active_agreements
            + active_disagreements
            + mixed_agreements
            + mixed_disagreements
            + passive_agreements
            + passive_disagreements
    }
}
