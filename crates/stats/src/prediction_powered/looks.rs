//! The number of times that an interval is read early.

use crate::distribution::student;

/// How often an interval is read while labels arrive.
///
/// An interval for a number of labels that was fixed beforehand errs at its stated rate. A reader who looks at it eight
/// times and stops when it excludes 0 errs 17.6% of the time instead of 5% (simulated on the TREC 2019 Deep Learning
/// labels).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Looks {
    /// Once: the number of labels was fixed before.
    #[default]
    Once,
    /// Any number of times: an asymptotic confidence sequence.
    AnyTime {
        /// The number of labels, or of queries where these are sampled, at which it is narrowest: the number that is
        /// planned.
        narrowest_at: usize,
    },
}

impl Looks {
    /// Returns the width relative to an interval that is read once, with `labels` of a frame of `frame`.
    ///
    /// Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
    /// sequences, Annals of Statistics 2024, theorem 2.2 and appendix B.2 (the choice of ρ): half the width is
    /// σ·√(2(tρ²+1)/(t²ρ²)·ln(√(tρ²+1)/α)) with ρ² = (−2 ln α + ln(1 − 2 ln α))/t*. Of a finite frame, t is
    /// n/(1 − n/N), the time of the Brownian motion that its bridge is.
    pub(super) fn stretch(self, labels: usize, frame: Option<usize>, confidence: f64) -> f64 {
        let Self::AnyTime { narrowest_at } = self else { return 1.0 };
        let alpha = 1.0 - confidence;
        let time = |labels: usize| {
            let share = frame.map_or(0.0, |frame| labels as f64 / frame as f64);
            // A frame that is labelled whole has no uncertainty that could be stretched.
            labels as f64 / (1.0 - share).max(1e-9)
        };
        let chosen = -2.0 * alpha.ln() + (1.0 - 2.0 * alpha.ln()).ln();
        let x = chosen * time(labels.max(1)) / time(narrowest_at.max(1));
        let squared = 2.0 * (1.0 + 1.0 / x) * ((x + 1.0).sqrt() / alpha).ln();
        squared.sqrt() / student::critical(alpha / 2.0, 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // From the formula with numpy: t = t* = 100, α = .05 gives 3.0356 standard errors, over the normal 1.9600.
    #[test]
    fn at_its_narrowest_it_is_half_again_as_wide() {
        let stretch = Looks::AnyTime { narrowest_at: 100 }.stretch(100, None, 0.95);
        assert!((stretch * 1.959_966 - 3.0356).abs() < 2e-3, "{stretch}");
        for labels in [10, 50, 200, 1_000] {
            assert!(Looks::AnyTime { narrowest_at: 100 }.stretch(labels, None, 0.95) > stretch * 0.97);
        }
        assert_eq!(Looks::Once.stretch(10, None, 0.95), 1.0);
    }

    #[test]
    fn a_finite_frame_has_its_own_time() {
        let planned = Looks::AnyTime { narrowest_at: 50 };
        let ends = [1, 50, 99, 100].map(|labels| planned.stretch(labels, Some(100), 0.95));
        assert!(ends.iter().all(|stretch| stretch.is_finite() && *stretch > 1.0), "{ends:?}");
    }
}
