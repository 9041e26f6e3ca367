//! A ratio of sums over answers whose queries differ.

use std::collections::BTreeMap;

use llull_stats::{student_above, student_critical};

/// With fewer queries than this, their variance is too uncertain, and each unit counts as independent: as for the
/// intervals of means, see [`llull_stats::least_topics`].
const LEAST_QUERIES: usize = 6;

/// A statistic whose variance is that of the sum of its units' influences, taken together by query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clustered {
    /// The statistic.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub degrees: f64,
}

impl Clustered {
    /// Returns the ratio of the sums of numerators and denominators; units are `(query, numerator, denominator)`.
    /// `None` if the denominators' sum is 0.
    pub(crate) fn ratio(units: &[(usize, f64, f64)]) -> Option<Self> {
        let above: f64 = units.iter().map(|unit| unit.1).sum();
        let below: f64 = units.iter().map(|unit| unit.2).sum();
        if below == 0.0 {
            return None;
        }
        let value = above / below;
        let influence = |unit: &(usize, f64, f64)| (unit.0, (unit.1 - value * unit.2) / below);
        Some(Self::of_influences(value, &units.iter().map(influence).collect::<Vec<_>>()))
    }

    /// Returns a statistic with the error that follows from how far each unit moves it.
    pub(crate) fn of_influences(value: f64, influences: &[(usize, f64)]) -> Self {
        let mut queries: BTreeMap<usize, f64> = BTreeMap::new();
        for (query, influence) in influences {
            *queries.entry(*query).or_default() += influence;
        }
        let squares =
            |influences: &mut dyn Iterator<Item = f64>| influences.map(|one| one * one).sum::<f64>();
        let (count, sum) = if queries.len() >= LEAST_QUERIES {
            (queries.len(), squares(&mut queries.into_values()))
        } else {
            (influences.len(), squares(&mut influences.iter().map(|(_, one)| *one)))
        };
        if count < 2 {
            return Self { value, error: f64::INFINITY, degrees: 1.0 };
        }
        let count = count as f64;
        let error = (count / (count - 1.0) * sum).sqrt();
        // Units that are all alike show no spread, but few of them prove nothing: then one more unit may be as unlike
        // them as figures between -1 and 1 can be.
        let error = if error < 1e-12 { 2.0 / count } else { error };
        Self { value, error, degrees: count - 1.0 }
    }

    /// Returns its interval, within `range`; `None` where all of it comes from one unit.
    pub(crate) fn interval(&self, confidence: f64, range: (f64, f64)) -> Option<(f64, f64)> {
        if !self.error.is_finite() {
            return None;
        }
        let half = student_critical((1.0 - confidence) / 2.0, self.degrees) * self.error;
        Some(((self.value - half).max(range.0), (self.value + half).min(range.1)))
    }

    /// Returns the p of "the true value is at most this".
    pub(crate) fn p_above(&self, bound: f64) -> f64 {
        if self.error.is_finite() {
            student_above((self.value - bound) / self.error, self.degrees)
        } else {
            1.0
        }
    }

    /// Returns the p of "the true value is at least this".
    pub(crate) fn p_below(&self, bound: f64) -> f64 {
        Self { value: -self.value, ..*self }.p_above(-bound)
    }

    /// Returns the p of "the true value is no further from `centre` than `distance`", whichever the direction.
    pub(crate) fn p_beyond(&self, centre: f64, distance: f64) -> f64 {
        (2.0 * self.p_above(centre + distance).min(self.p_below(centre - distance))).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Clustered;

    /// Ten queries, ratio 0.5: the error of a mean where all denominators are 1 (scipy 1.17.1: `stats.sem` of the
    /// numerators is 0.16666666666666666, `stats.t.interval(0.95, 9, 0.5, 0.16666666666666666)`).
    #[test]
    fn with_one_unit_a_query_it_is_students_interval() {
        let units: Vec<(usize, f64, f64)> = (0..10).map(|query| (query, (query % 2) as f64, 1.0)).collect();
        let ratio = Clustered::ratio(&units).unwrap();
        assert!((ratio.value - 0.5).abs() < 1e-12 && (ratio.error - 1.0 / 6.0).abs() < 1e-12);
        let (low, high) = ratio.interval(0.95, (0.0, 1.0)).unwrap();
        assert!(
            (low - 0.12297380620983478).abs() < 1e-9 && (high - 0.8770261937901652).abs() < 1e-9,
            "{low} {high}"
        );
    }

    #[test]
    fn units_of_one_query_count_together() {
        let apart: Vec<(usize, f64, f64)> = (0..40).map(|unit| (unit, (unit % 2) as f64, 1.0)).collect();
        let together: Vec<(usize, f64, f64)> =
            (0..40).map(|unit| (unit % 8, (unit % 8 % 2) as f64, 1.0)).collect();
        let (apart, together) = (Clustered::ratio(&apart).unwrap(), Clustered::ratio(&together).unwrap());
        assert!(together.error > 2.0 * apart.error);
    }

    #[test]
    fn few_units_that_are_alike_prove_nothing() {
        let alike =
            |n: usize| Clustered::ratio(&(0..n).map(|query| (query, 1.0, 1.0)).collect::<Vec<_>>()).unwrap();
        assert!(alike(1).p_above(0.3) == 1.0 && alike(3).p_above(0.3) > 0.1 && alike(40).p_above(0.3) < 1e-9);
        assert_eq!(Clustered::ratio(&[]), None);
    }
}
