//! The ideal of a query before any human label is known.

use llull_core::Grade;
use llull_metrics::LinearForm;
use llull_stats::by_place;

use super::request::SampleRequest;
use crate::ideal_gain::IdealGain;

/// The shares of documents whose human grade is at least 1, 2 and 3, by the judge's grade from 0 to 3. If they are
/// wrong, that costs width only.
const AT_LEAST: [[f64; 4]; 3] = [[0.3, 0.6, 0.8, 0.95], [0.1, 0.3, 0.55, 0.85], [0.02, 0.08, 0.2, 0.5]];

/// The ideal of a query, guessed from the judge's grades.
pub(super) struct GuessedIdeal {
    gain: IdealGain,
    scale: (Grade, Grade),
    /// For each gain, how many grades reach it at least.
    steps: Vec<f64>,
}

impl GuessedIdeal {
    pub(super) fn new(form: &LinearForm, request: &SampleRequest) -> Self {
        let (low, high) = request.scale;
        let worth = |grade: Grade| form.worth(Some(grade));
        let depth = request.measure.depth().unwrap_or(0);
        let gain = IdealGain::new(form, depth, (low..=high).map(worth));
        let reaches = |grade: Grade, step: usize| gain.reached(worth(grade)).nth(step) == Some(1.0);
        let share = |step: usize| {
            let reaching = (low..=high).filter(|grade| reaches(*grade, step)).count();
            reaching as f64 / f64::from((high - low).max(1))
        };
        let steps = (0..gain.steps()).map(share).collect();
        Self { gain, scale: (low, high), steps }
    }

    /// Of a pool with these grades of the judge, and so many documents that it did not grade.
    pub(super) fn of(&self, grades: &[Grade], unjudged: usize) -> f64 {
        let (low, high) = self.scale;
        let place = |grade: Grade| f64::from(grade.saturating_sub(low)) / f64::from((high - low).max(1));
        let expected = |share: &f64| -> f64 {
            let graded: f64 = grades.iter().map(|grade| chance(*share, place(*grade))).sum();
            graded + unjudged as f64 * chance(*share, 0.0)
        };
        self.gain.of(&self.steps.iter().map(expected).collect::<Vec<_>>())
    }
}

/// The chance that the human grade is among this upper share of a scale, by the place of the judge's grade on it. Of
/// four grades the shares are 1, 2/3 and 1/3.
fn chance(upper_share: f64, place: f64) -> f64 {
    let [one, two, three] = AT_LEAST.map(|shares| by_place(place, &shares));
    let at = ((1.0 - upper_share) * 3.0).clamp(0.0, 2.0);
    if at <= 1.0 { one + at * (two - one) } else { two + (at - 1.0) * (three - two) }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;

    fn guessed(measure: &str, scale: (Grade, Grade)) -> GuessedIdeal {
        let request = SampleRequest {
            measure: measure.parse().unwrap(),
            design: None,
            compare: None,
            baseline: String::new(),
            by: Vec::new(),
            scale,
            confidence: 0.95,
            seed: Seed(1),
        };
        GuessedIdeal::new(&request.measure.divided_form().unwrap(), &request)
    }

    /// By hand: ten documents of grade 3 have 9.5, 8.5 and 5 at or above 1, 2 and 3.
    #[test]
    fn four_grades_have_the_shares_of_the_table() {
        let of = guessed("nDCG@10", (0, 3));
        let discounts = |count: f64| -> f64 {
            let whole: f64 = (0..count as usize).map(|at| 1.0 / ((at + 2) as f64).log2()).sum();
            whole + count.fract() / ((count as usize + 2) as f64).log2()
        };
        let expected = discounts(9.5) + discounts(8.5) + discounts(5.0);
        assert!((of.of(&[3; 10], 0) - expected).abs() < 1e-12);
        assert_eq!(of.of(&[], 0), 0.3);
        assert!(of.of(&[0; 10], 0) < of.of(&[1; 10], 0) && of.of(&[0; 8], 2) == of.of(&[0; 10], 0));
    }

    /// A document of two grades is relevant as often as one whose grade is 1 or more of four: the share is the whole
    /// upper end of the scale. Exponential gains have the steps 1, 2 and 4.
    #[test]
    fn other_scales_and_gains_have_shares_between() {
        assert!((guessed("nDCG@10", (0, 1)).of(&[1], 0) - 0.95).abs() < 1e-12);
        let exponential = guessed("nDCG(dcg='exp-log2')@10", (0, 3));
        assert!((exponential.of(&[3], 0) - (0.95 + 2.0 * 0.85 + 4.0 * 0.5)).abs() < 1e-12);
        let ten = guessed("nDCG@10", (0, 10));
        assert!(ten.of(&[10; 4], 0) > ten.of(&[5; 4], 0) && ten.of(&[5; 4], 0).is_finite());
    }
}
