//! Combines a panel's grades, by any method.

use llull_core::Grade;

use super::best_few::best_few;
use super::beta_raters::beta_raters;
use super::combine_error::CombineError;
use super::combined::Combined;
use super::dawid_skene::dawid_skene;
use super::grades::PanelGrades;
use super::method::PanelMethod;
use super::ordinal_raters::{ordinal_raters, raters_beside_human_labels};
use super::votes::by_votes;
use super::weights::weighted;

/// Half a count is added to each that Dawid and Skene's model takes shares of.
const PSEUDO_COUNT: f64 = 0.5;

/// Combines the grades of a panel.
///
/// `truth` has, by pair, the human grade if there is one; without `truth`, methods that learn from human labels are
/// refused. A human grade that is not on the panel's scale counts as missing.
///
/// # Errors
/// Returns an error if the method needs human labels or judges that are missing, or has nothing to learn from.
///
/// ```
/// use llull_core::Scale;
/// use llull_label::panel::{PanelGrades, PanelMethod, combine};
///
/// let mut panel = PanelGrades::new(Scale::new(0, 3)?, 3);
/// panel.push(0, [(0, 3), (1, 2), (2, 3)])?;
/// panel.push(0, [(0, 0), (2, 2)])?;
/// let combined = combine(&panel, PanelMethod::Median, None)?;
/// assert_eq!(combined.grades, [Some(3), Some(0)]);
/// assert_eq!(combined.entropy(1), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn combine(
    panel: &PanelGrades,
    method: PanelMethod,
    truth: Option<&[Option<Grade>]>,
) -> Result<Combined, CombineError> {
    let places: Vec<Option<usize>> = match truth {
        Some(truth) => truth.iter().map(|grade| grade.and_then(|grade| panel.place_of(grade))).collect(),
        None if method.needs_truth() => return Err(CombineError::NeedsTruth(method)),
        None => Vec::new(),
    };
    if method.needs_truth() && places.iter().flatten().next().is_none() {
        return Err(CombineError::NeedsTruth(method));
    }
    let wanted = match method {
        PanelMethod::Best(few) => few,
        PanelMethod::Judge(judge) => judge.saturating_add(1),
        _ => 1,
    };
    if wanted > panel.judges() {
        return Err(CombineError::TooFewJudges { method, wanted, judges: panel.judges() });
    }
    Ok(match method {
        PanelMethod::Majority | PanelMethod::Median | PanelMethod::Mean | PanelMethod::Fractional => {
            by_votes(panel, method, &vec![true; panel.judges()])
        }
        PanelMethod::Judge(judge) => {
            let counts: Vec<bool> = (0..panel.judges()).map(|other| other == judge).collect();
            by_votes(panel, method, &counts)
        }
        PanelMethod::Ordinal => ordinal_raters(panel).combined,
        PanelMethod::DawidSkene => dawid_skene(panel, PSEUDO_COUNT).combined,
        PanelMethod::Severity => raters_beside_human_labels(panel, &places).combined,
        PanelMethod::Beta => beta_raters(panel, &places)?,
        PanelMethod::Weights => weighted(panel, &places)?,
        PanelMethod::Best(few) => best_few(panel, &places, few),
    })
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;
    use proptest::prelude::*;

    use super::*;
    use crate::panel::JudgeModel;

    /// Queries of five documents; each judge's grade is the human one with drawn noise, or missing.
    fn panel(rows: &[(Grade, Vec<Option<Grade>>)], judges: usize) -> (PanelGrades, Vec<Option<Grade>>) {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), judges);
        for (at, (human, moved)) in rows.iter().enumerate() {
            let given = moved.iter().enumerate().take(judges);
            let given = given.filter_map(|(judge, by)| Some((judge, (human + (*by)?).rem_euclid(4))));
            panel.push(at / 5, given).unwrap();
        }
        (panel, rows.iter().map(|(human, _)| Some(*human)).collect())
    }

    /// How far a judge is off: mostly not at all; and sometimes it gave nothing.
    fn moved() -> impl Strategy<Value = Vec<Option<Grade>>> {
        let by = prop_oneof![6 => Just(0), 1 => -1..3];
        proptest::collection::vec(proptest::option::weighted(0.8, by), 4)
    }

    const METHODS: [&str; 8] =
        ["majority", "median", "mean", "dawid-skene", "weights", "beta", "best:2", "judge:1"];

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_the_order_of_judges_means_nothing(
            rows in proptest::collection::vec(
                (0..4, moved()),
                20..40,
            ),
            // Its fits take most of the time of all.
            ordinal in proptest::bool::weighted(0.05),
        ) {
            let (there, truth) = panel(&rows, 4);
            let turned: Vec<_> = rows.iter().map(|(human, moved)| {
                let mut moved = moved.clone();
                moved.rotate_left(2);
                (*human, moved)
            }).collect();
            let (back, _) = panel(&turned, 4);
            for name in METHODS.into_iter().chain(ordinal.then_some(["ordinal", "severity"]).into_iter().flatten()) {
                let method: PanelMethod = name.parse().unwrap();
                let turned_method = if method == PanelMethod::Judge(1) { PanelMethod::Judge(3) } else { method };
                let (Ok(one), Ok(other)) =
                    (combine(&there, method, Some(&truth)), combine(&back, turned_method, Some(&truth)))
                else {
                    prop_assert!(matches!(method, PanelMethod::Weights | PanelMethod::Beta));
                    continue;
                };
                for pair in 0..there.pairs() {
                    let sum: f64 = one.probabilities(pair).iter().sum();
                    prop_assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-9, "{}: {}", name, sum);
                    prop_assert!(one.grades[pair].is_none_or(|grade| (0..=3).contains(&grade)));
                    // Equals among the best judges are ordered by their place alone.
                    if method != PanelMethod::Best(2) {
                        for (a, b) in one.probabilities(pair).iter().zip(other.probabilities(pair)) {
                            prop_assert!((a - b).abs() < 1e-6, "{}: {} and {}", name, a, b);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn weights_find_the_judge_that_tosses_coins() {
        let rows: Vec<(Grade, Vec<Option<Grade>>)> = (0..200)
            .map(|at: i32| {
                let coin = at.wrapping_mul(2_654_435).rem_euclid(97) % 4;
                (at % 4, vec![Some(i32::from(at % 7 == 0)), Some(coin), Some(-i32::from(at % 5 == 0))])
            })
            .collect();
        let (panel, truth) = panel(&rows, 3);
        let found = combine(&panel, PanelMethod::Weights, Some(&truth)).unwrap();
        let weight = |judge: usize| match found.judges[judge] {
            JudgeModel::Weight(weight) => weight,
            _ => f64::NAN,
        };
        assert!(weight(1) < 0.3 * weight(0) && weight(1) < 0.3 * weight(2), "{:?}", found.judges);
    }

    #[test]
    fn what_a_method_needs_is_asked_for() {
        let (panel, truth) = panel(&[(1, vec![Some(0), Some(0)])], 2);
        let refused = |method: &str, truth: Option<&[Option<Grade>]>| {
            combine(&panel, method.parse().unwrap(), truth).unwrap_err()
        };
        assert_eq!(refused("best:1", None), CombineError::NeedsTruth(PanelMethod::Best(1)));
        assert_eq!(refused("weights", Some(&[Some(9)])), CombineError::NeedsTruth(PanelMethod::Weights));
        assert_eq!(refused("weights", Some(&truth)), CombineError::NothingToLearn);
        let few = |method, wanted| CombineError::TooFewJudges { method, wanted, judges: 2 };
        assert_eq!(refused("best:3", Some(&truth)), few(PanelMethod::Best(3), 3));
        assert_eq!(refused("judge:2", None), few(PanelMethod::Judge(2), 3));
    }
}
