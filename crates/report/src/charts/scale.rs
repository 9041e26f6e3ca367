//! Maps values to places.

/// A linear scale: the values that an axis spans, and where its ticks stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    /// A scale that holds every finite value, with round ends. Without one it spans 0 to 1.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        if least > most {
            return Self { low: 0.0, high: 1.0, step: 0.25 };
        }
        // One value has room around it; a range too wide for a number has no finite step.
        let range = if most - least > 1e-9 { most - least } else { most.abs().max(0.1) };
        let step = round_step(range / 4.0);
        // A quotient such as 0.3 / 0.1 is a hair below the whole number that it stands for.
        let (low, high) = ((least / step + 1e-9).floor() * step, (most / step - 1e-9).ceil() * step);
        let high = if high > low { high } else { low + step };
        if !(low.is_finite() && high.is_finite() && step.is_finite() && step > 0.0) {
            return Self { low: f64::MIN / 4.0, high: f64::MAX / 4.0, step: f64::MAX / 8.0 };
        }
        Self { low, high, step }
    }

    /// The place of a value, from 0 to 1; a value beyond an end is placed at the end.
    pub(super) fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The values of the ticks, the ends among them.
    pub(super) fn ticks(&self) -> impl Iterator<Item = f64> {
        let (low, step) = (self.low, self.step);
        let count = ((self.high - low) / step).round().clamp(1.0, 12.0) as u32;
        (0..=count).map(move |n| low + f64::from(n) * step)
    }

    /// How many decimals tell two ticks apart.
    pub(super) fn decimals(&self) -> usize {
        (0..6).find(|n| (self.step * 10f64.powi(*n)).fract().abs() < 1e-6).unwrap_or(6) as usize
    }
}

/// The next of 1, 2, 2.5, 5 times a power of ten that is no less than `wanted`.
fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|n| n * power)
        .find(|step| *step >= wanted * (1.0 - 1e-9))
        .unwrap_or(wanted)
}

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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_are_round() {
        let scale = Scale::of([0.31, 0.58]);
        assert!((scale.place(0.3) - 0.0).abs() < 1e-9 && (scale.place(0.6) - 1.0).abs() < 1e-9, "{scale:?}");
        assert!((scale.place(0.45) - 0.5).abs() < 1e-9);
        assert_eq!(
            scale.ticks().map(|tick| format!("{tick:.1}")).collect::<Vec<_>>(),
            ["0.3", "0.4", "0.5", "0.6"]
        );
        assert_eq!(scale.decimals(), 1);
    }

    #[test]
    fn nothing_and_one_value_have_a_scale() {
        assert_eq!(Scale::of([]), Scale::of([f64::NAN, f64::INFINITY]));
        let one = Scale::of([0.5]);
        assert!((0.0..=1.0).contains(&one.place(0.5)) && one.ticks().count() >= 2, "{one:?}");
        assert!(Scale::of([0.0]).place(0.0) < 1.0);
    }

    proptest! {
        /// Places keep the order of values, and no tick is beyond the ends.
        #[test]
        fn places_are_in_order(mut values in proptest::collection::vec(proptest::num::f64::NORMAL, 1..20)) {
            let scale = Scale::of(values.iter().copied());
            values.sort_by(f64::total_cmp);
            let places: Vec<f64> = values.iter().map(|value| scale.place(*value)).collect();
            prop_assert!(places.iter().all(|place| (0.0..=1.0).contains(place)), "{:?}", scale);
            prop_assert!(places.is_sorted());
            prop_assert!(scale.ticks().count() <= 13);
        }
    }

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
