//! Maps values of very different sizes to places.

use super::scale::Scale;

/// From how many times the smallest value the largest one needs a logarithmic axis.
const SPREAD: f64 = 20.0;

/// A scale of values above 0, logarithmic where their spread demands it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TimeScale {
    Linear(Scale),
    /// The ticks, ascending; at least two.
    Log(Vec<f64>),
}

impl TimeScale {
    /// A scale that holds every finite value; linear ones begin at 0.
    pub(super) fn of(values: &[f64]) -> Self {
        let positive = || values.iter().copied().filter(|value| value.is_finite() && *value > 0.0);
        let (least, most) = (positive().fold(f64::INFINITY, f64::min), positive().fold(0.0, f64::max));
        let is_zero = values.iter().any(|value| *value <= 0.0);
        if least > most || is_zero || most / least < SPREAD {
            return Self::Linear(Scale::of(values.iter().copied().chain([0.0])));
        }
        let decades = (least.log10().floor() as i32)..=(most.log10().ceil() as i32);
        let steps: &[f64] = if decades.clone().count() > 4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all: Vec<f64> =
            decades.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power))).collect();
        // From the last tick at or below the least value to the first at or above the largest.
        let first = all.iter().rposition(|tick| *tick <= least).unwrap_or(0);
        let last = all.iter().position(|tick| *tick >= most).unwrap_or(all.len().saturating_sub(1));
        Self::Log(all[first..=last.max(first)].to_vec())
    }

    /// Where a value stands, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self {
            Self::Linear(scale) => scale.place(value),
            Self::Log(ticks) => {
                let end = |tick: Option<&f64>| tick.copied().unwrap_or(1.0).log10();
                let (low, high) = (end(ticks.first()), end(ticks.last()));
                ((value.log10() - low) / (high - low)).clamp(0.0, 1.0)
            }
        }
    }

    /// The values of the ticks.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self {
            Self::Linear(scale) => scale.ticks().collect(),
            Self::Log(ticks) => ticks.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wide_spread_is_logarithmic() {
        assert!(matches!(TimeScale::of(&[10.0, 150.0]), TimeScale::Linear(_)));
        assert_eq!(
            TimeScale::of(&[3.0, 900.0]).ticks(),
            [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        );
        // 30 is as far from 3 as 300 is from 30.
        let scale = TimeScale::of(&[3.0, 300.0]);
        let gaps = [scale.place(30.0) - scale.place(3.0), scale.place(300.0) - scale.place(30.0)];
        assert!((gaps[0] - gaps[1]).abs() < 1e-9, "{gaps:?}");
        assert_eq!(TimeScale::of(&[0.5, 2e4]).ticks(), [0.1, 1.0, 10.0, 100.0, 1000.0, 1e4, 1e5]);
    }

    #[test]
    fn a_time_of_nothing_has_no_logarithm() {
        assert!(matches!(TimeScale::of(&[0.0, 900.0]), TimeScale::Linear(_)));
        assert!(matches!(TimeScale::of(&[]), TimeScale::Linear(_)));
        let linear = TimeScale::of(&[0.0, 900.0]);
        assert!(linear.place(0.0) == 0.0 && linear.place(900.0) > 0.8);
    }
}
