//! Chooses a threshold whose errors human labels bound.

use llull_stats::exact_interval;

/// How many labelled pairs a bound needs.
pub const LEAST_LABELS: usize = 30;

/// A pair with a human label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelledMargin {
    /// How sure the panel is of it, from 0 to 1.
    pub margin: f64,
    /// Whether its label differs from the human one.
    pub errs: bool,
}

/// The guarantee for the labels that stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdOptions {
    /// The share of the panel's labels that may be wrong, among those that stand; between 0 and 1.
    pub disagreement: f64,
    /// The confidence of the guarantee; above 0.5 and below 1.
    pub confidence: f64,
}

/// The errors of the panel's labels from a margin on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdBound {
    /// The margin.
    pub margin: f64,
    /// How many labelled pairs have it or more.
    pub labelled: usize,
    /// On how many of these the panel is wrong.
    pub errors: usize,
    /// The upper end of the share of errors, at the chosen confidence.
    pub bound: f64,
}

/// The threshold that was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdChoice {
    /// The panel's label stands where its margin is at least this one's. If it is `None`, no label stands, and every
    /// pair is escalated.
    pub accepted: Option<ThresholdBound>,
    /// The first that failed; `None` if none did.
    pub failed: Option<ThresholdBound>,
    /// How many labelled pairs there are.
    pub labelled: usize,
}

/// Finds the smallest margin from which on the panel's labels stand. Then, with the given confidence, at most the
/// given share of them is wrong, for pairs like the labelled ones.
///
/// It uses fixed-sequence testing: margins are tried from the largest down, as long as the exact binomial upper bound
/// of the errors (Clopper and Pearson's, one-sided) stays within the limit. The first that exceeds it ends the search.
/// So each test has the whole confidence, and no correction for their number is due (Jung, Brahman and Choi, Trust or
/// Escalate, 2024, arXiv 2407.18370). Margins with fewer than [`LEAST_LABELS`] labelled pairs are not tried. If the
/// first that is tried fails, no label is accepted, and everything is to be escalated; the code published with that
/// article accepts it all the same.
///
/// The labelled pairs have to be a uniform random sample; the bound takes them as independent.
///
/// ```
/// use llull_label::cascade::{LabelledMargin, ThresholdOptions, choose_threshold};
///
/// // The panel is right where it is of one mind, and a coin where it is not.
/// let sure = (0..60).map(|_| LabelledMargin { margin: 1.0, errs: false });
/// let unsure = (0..60).map(|at| LabelledMargin { margin: 0.2, errs: at % 2 == 0 });
/// let labelled: Vec<_> = sure.chain(unsure).collect();
/// let options = ThresholdOptions { disagreement: 0.1, confidence: 0.95 };
/// let chosen = choose_threshold(&labelled, &options);
/// assert_eq!(chosen.accepted.map(|bound| bound.margin), Some(1.0));
/// ```
pub fn choose_threshold(labelled: &[LabelledMargin], options: &ThresholdOptions) -> ThresholdChoice {
    let mut sorted = labelled.to_vec();
    sorted.sort_by(|a, b| b.margin.total_cmp(&a.margin));
    let mut choice = ThresholdChoice { accepted: None, failed: None, labelled: sorted.len() };
    let (mut seen, mut errors) = (0, 0);
    for same in sorted.chunk_by(|a, b| a.margin == b.margin) {
        seen += same.len();
        errors += same.iter().filter(|one| one.errs).count();
        let Some(margin) = same.first().map(|one| one.margin).filter(|_| seen >= LEAST_LABELS) else {
            continue;
        };
        let bound = upper_bound(errors, seen, options.confidence);
        let found = ThresholdBound { margin, labelled: seen, errors, bound };
        if bound > options.disagreement {
            choice.failed = Some(found);
            break;
        }
        choice.accepted = Some(found);
    }
    choice
}

/// The share of errors that so few would have with a chance of only 1 - confidence.
fn upper_bound(errors: usize, n: usize, confidence: f64) -> f64 {
    exact_interval(errors as f64, n as f64, 2.0 * confidence - 1.0).map_or(1.0, |ends| ends.1)
}

#[cfg(test)]
mod tests {
    use llull_core::{Seed, SplitMix64};

    use super::*;

    /// scipy 1.17.1: `scipy.stats.beta.ppf(confidence, errors + 1, n - errors)`.
    #[test]
    fn bounds_are_scipys() {
        for (errors, n, confidence, expected) in [
            (0, 30, 0.95, 0.09503385285530411),
            (3, 60, 0.95, 0.12418721047743608),
            (10, 100, 0.9, 0.14988259230162024),
        ] {
            assert!((upper_bound(errors, n, confidence) - expected).abs() < 1e-9, "{errors} of {n}");
        }
    }

    fn pairs(margin: f64, right: usize, wrong: usize) -> Vec<LabelledMargin> {
        let of = |errs: bool, n: usize| std::iter::repeat_n(LabelledMargin { margin, errs }, n);
        of(false, right).chain(of(true, wrong)).collect()
    }

    #[test]
    fn the_first_failure_ends_the_search_and_a_failing_start_escalates_all() {
        let options = ThresholdOptions { disagreement: 0.1, confidence: 0.95 };
        let bad_start = [pairs(1.0, 25, 10), pairs(0.5, 2000, 0)].concat();
        let chosen = choose_threshold(&bad_start, &options);
        assert_eq!((chosen.accepted, chosen.failed.map(|failed| failed.margin)), (None, Some(1.0)));
        let good_start =
            [pairs(1.0, 40, 0), pairs(0.5, 40, 0), pairs(0.2, 20, 20), pairs(0.1, 5000, 0)].concat();
        let chosen = choose_threshold(&good_start, &options);
        assert_eq!(
            (chosen.accepted.map(|found| found.margin), chosen.failed.map(|failed| failed.margin)),
            (Some(0.5), Some(0.2))
        );
        assert_eq!(choose_threshold(&pairs(1.0, 29, 0), &options).accepted, None, "29 labels are too few");
    }

    /// 2,000 samples of 200 pairs; the panel errs on a share of `1 - margin` halves of its pairs. With a confidence of
    /// 90% at most about 10% of the chosen thresholds let more errors through than allowed.
    #[test]
    fn the_guarantee_holds_in_simulation() {
        let levels = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0];
        let share = |level: f64| 0.02 + 0.4 * (1.0 - level);
        let risk = |from: f64| {
            let kept: Vec<f64> =
                levels.iter().filter(|level| **level >= from).map(|level| share(*level)).collect();
            kept.iter().sum::<f64>() / kept.len() as f64
        };
        let options = ThresholdOptions { disagreement: 0.15, confidence: 0.9 };
        let mut stream = SplitMix64::new(Seed(7).stream("cascade"));
        let mut unit = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (mut broken, mut accepted) = (0, 0);
        for _ in 0..2000 {
            let labelled: Vec<LabelledMargin> = (0..200)
                .map(|_| {
                    let margin = levels[(unit() * 6.0) as usize % 6];
                    LabelledMargin { margin, errs: unit() < share(margin) }
                })
                .collect();
            if let Some(found) = choose_threshold(&labelled, &options).accepted {
                accepted += 1;
                broken += usize::from(risk(found.margin) > options.disagreement);
            }
        }
        assert!(accepted > 1000, "{accepted}");
        // Three standard errors above a tenth of 2,000.
        assert!(broken <= 200 + 40, "{broken} of {accepted}");
    }
}
