//! The gain of the best possible list, where few labels of a query are known.

use llull_core::Grade;
use llull_metrics::LinearForm;

/// No query's best list gains less than this, in the least gain of a document: a query without a relevant document
/// would otherwise outweigh all others.
const LEAST_IDEAL: f64 = 0.3;

/// The gain of the best possible list of a query, from the number of its documents at or above each gain.
#[derive(Debug, Clone)]
pub(crate) struct IdealGain {
    /// The different gains above 0, ascending.
    gains: Vec<f64>,
    /// The sum of the discounts of no rank, of the first, of the first two and so on.
    discounts: Vec<f64>,
    least: f64,
}

impl IdealGain {
    /// Takes the discounts down to `depth` of a measure, and the gains that documents can have.
    pub(crate) fn new(form: &LinearForm, depth: usize, gains: impl IntoIterator<Item = f64>) -> Self {
        let mut gains: Vec<f64> = gains.into_iter().filter(|gain| *gain > 0.0).collect();
        gains.sort_unstable_by(f64::total_cmp);
        gains.dedup();
        let mut discounts = vec![0.0];
        let mut sum = 0.0;
        for rank in 1..=depth {
            sum += form.weight(rank, depth);
            discounts.push(sum);
        }
        let one = |grade: Grade| Some(form.worth(Some(grade))).filter(|gain| *gain > 0.0);
        let lowest = (1..=100).find_map(one).into_iter().chain(gains.first().copied());
        Self { least: LEAST_IDEAL * lowest.fold(f64::INFINITY, f64::min).min(1e9), gains, discounts }
    }

    /// Returns how many gains there are, and so how many counts.
    pub(crate) fn steps(&self) -> usize {
        self.gains.len()
    }

    /// Returns 1 for each gain that a document with this one reaches, else 0.
    pub(crate) fn reached(&self, gain: f64) -> impl Iterator<Item = f64> + '_ {
        self.gains.iter().map(move |step| f64::from(u8::from(gain >= *step)))
    }

    /// Returns the gain of the best list of a query with so many documents at or above each gain. Numbers need not be
    /// whole: between ranks the sum of discounts is a line.
    pub(crate) fn of(&self, counts: &[f64]) -> f64 {
        let below = [0.0].into_iter().chain(self.gains.iter().copied());
        let steps = self.gains.iter().zip(below).map(|(gain, below)| gain - below);
        let ideal: f64 = steps.zip(counts).map(|(step, count)| step * self.discounted(*count)).sum();
        ideal.max(self.least)
    }

    /// The sum of the discounts of so many ranks.
    fn discounted(&self, count: f64) -> f64 {
        let last = self.discounts.len() - 1;
        let count = count.clamp(0.0, last as f64);
        let whole = (count.floor() as usize).min(last.saturating_sub(1));
        match (self.discounts.get(whole), self.discounts.get(whole + 1)) {
            (Some(below), Some(above)) => below + (count - whole as f64) * (above - below),
            (below, _) => below.copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_metrics::Measure;

    use super::*;

    fn ideal(measure: &str, gains: &[f64]) -> IdealGain {
        let measure: Measure = measure.parse().unwrap();
        IdealGain::new(&measure.divided_form().unwrap(), measure.depth().unwrap(), gains.iter().copied())
    }

    // Golden values of numpy: np.interp over the added discounts 1/log2(rank + 1).
    #[test]
    fn ideals_are_those_of_expected_counts() {
        let of = ideal("nDCG@10", &[3.0, 1.0, 2.0, 0.0]);
        assert!((of.discounted(2.5) - 1.880_929_753_6).abs() < 1e-9);
        assert!((of.of(&[6.5, 4.0, 1.7]) - 7.474_590_111_8).abs() < 1e-9);
        assert!((of.of(&[7.4, 4.2, 2.3]) - 8.184_092_216_7).abs() < 1e-9);
        assert_eq!(of.discounted(99.0), of.discounted(10.0));
        assert_eq!((of.of(&[0.0, -0.2, 0.0]), of.steps()), (0.3, 3));
    }

    /// Two documents of grade 3 and one of grade 1, by hand: 7 + 7/log2(3) + 1/2.
    #[test]
    fn whole_counts_give_the_exact_ideal_for_other_gains_too() {
        let of = ideal("nDCG(dcg='exp-log2')@10", &[1.0, 7.0]);
        assert!((of.of(&[3.0, 2.0]) - (7.0 + 7.0 / 3.0_f64.log2() + 0.5)).abs() < 1e-12);
        assert!((ideal("nDCG@1", &[1.0, 3.0]).of(&[3.0, 2.0]) - 3.0).abs() < 1e-12);
    }
}
